// The signature under a report, as a worker has it: it has no key, so it asks the API process and waits.
import { Problem, type ProblemData } from '../contract/problems.ts';
import type { SignReport } from '../operations/define.ts';
import type { FromWorker } from './messages.ts';

export class AskedSignature {
  private readonly send: (message: FromWorker) => void;
  private readonly waiting = new Map<number, PromiseWithResolvers<string>>();
  private nextId = 1;

  constructor(send: (message: FromWorker) => void) {
    this.send = send;
  }

  of(jobId: string): SignReport {
    return (facts) => {
      const askId = this.nextId;
      this.nextId += 1;
      const asked = Promise.withResolvers<string>();
      this.waiting.set(askId, asked);
      this.send({ kind: 'sign', jobId, askId, facts: JSON.stringify(facts) });
      return asked.promise;
    };
  }

  heard(askId: number, report: string | ProblemData): void {
    const asked = this.waiting.get(askId);
    this.waiting.delete(askId);
    if (typeof report === 'string') asked?.resolve(report);
    else asked?.reject(Problem.fromData(report));
  }
}
