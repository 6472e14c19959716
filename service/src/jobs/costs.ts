// What calls have cost lately, so that those who wait can be told how long, and short work told from long before it
// runs. A mean of logarithms: one document that took minutes does not make an operation slow.
import { KIB } from '../contract/limits.ts';
import type { Job } from './job.ts';

/** How much the newest call counts. */
const WEIGHT = 0.15;
/** Sizes are told apart by factors of four: 16 KiB, 64 KiB, ... 1 GiB and more. */
const SMALLEST = 16 * KIB;
const CLASSES = 9;

export class Costs {
  /** For each operation the logarithm of milliseconds, by class of size. There are as many as operations, no more. */
  readonly #means = new Map<string, (number | undefined)[]>();

  note(job: Job, elapsedMs: number): void {
    // What each step of several took is not known.
    const [step, ...others] = job.steps;
    if (step === undefined || others.length > 0) return;
    const means = this.#means.get(step.op) ?? new Array<number | undefined>(CLASSES);
    const at = classOf(bytesOf(job));
    const newest = Math.log(Math.max(1, elapsedMs));
    const mean = means[at];
    means[at] = mean === undefined ? newest : mean + WEIGHT * (newest - mean);
    this.#means.set(step.op, means);
  }

  /** Of all its steps; undefined where one of them was never seen. */
  ofJob(job: Job): number | undefined {
    const bytes = bytesOf(job);
    return job.steps.reduce<number | undefined>((sum, { op }) => {
      const step = this.of(op, bytes);
      return sum === undefined || step === undefined ? undefined : sum + step;
    }, 0);
  }

  /** By the nearest size that was seen: what is larger takes longer, by as much as it is larger. */
  of(op: string, bytes: number): number | undefined {
    const means = this.#means.get(op);
    if (means === undefined) return undefined;
    const wanted = classOf(bytes);
    for (let away = 0; away < CLASSES; away += 1) {
      const smaller = means[wanted - away];
      if (smaller !== undefined) return Math.exp(smaller) * 4 ** away;
      const larger = means[wanted + away];
      if (larger !== undefined) return Math.exp(larger);
    }
    return undefined;
  }
}

const bytesOf = ({ files }: Job): number => files.reduce((sum, { size }) => sum + size, 0);

const classOf = (bytes: number): number =>
  Math.min(CLASSES - 1, Math.max(0, Math.ceil(Math.log2(Math.max(1, bytes) / SMALLEST) / 2)));
