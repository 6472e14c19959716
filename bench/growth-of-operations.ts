// `npm run bench growth [operation...]`: a line for each operation that takes one PDF, over documents of 10, 100, 1,000
// and 10,000 pages. What is counted is the processor time of this process and of programs that ended meanwhile, which a
// busy machine changes least. An operation fails where ten times the pages take more than WORST times as long.
import { OPERATIONS } from '../service/src/operations/index.generated.ts';
import { exampleCall } from '../service/testing/calls/example-calls.ts';
import { runHere } from '../service/testing/calls/run-here.ts';
import { documentOfPages } from './documents.ts';
import { cpuOfEnded } from './processes.ts';

const SIZES = [10, 100, 1000, 10_000];
/**
 * Quadratic work takes 100 times as long, linear work 10; beyond 16 MB, where a file is read and written piece by
 * piece and its objects are more than caches hold, some of that takes 20.
 */
const WORST = 30;
/** Shorter times are those of starting, and of chance. */
const LEAST_MS = 60;
/** A size that would take longer, were the work linear, is not tried. */
const MOST_MS = 20_000;
/** Taken again when quick: the best counts. */
const AGAIN_MS = 3000;
/** Programs that live on after a call: their time is not counted here. */
const RESIDENT = new Set<string>(['office', 'browser', 'tesseract', 'verapdf']);

/** By size, the work is another where a document no longer fits into one part. */
const VALUES: Record<string, Record<string, string>> = {
  'general/split-by-size-or-count': { splitType: '1', splitValue: '10' },
};

/** 1 where some operation grows worse than it may. */
export async function measureGrowth(wanted: readonly string[]): Promise<number> {
  const failed: string[] = [];
  for (const [path, op] of Object.entries(OPERATIONS)) {
    if (wanted.length > 0 && !wanted.some((name) => path.includes(name))) continue;
    const call = exampleCall(path, op);
    const isOfPages = op.inputs.fileInput?.kinds.includes('pdf') && call.files.fileInput?.length === 1;
    if (!isOfPages || op.uses.some((engine: string) => RESIDENT.has(engine))) continue;
    const grown = await growthOver(path, call);
    console.log(`${grown.isWorse ? 'WORSE ' : ''}${path}: ${grown.line}`);
    if (grown.isWorse) failed.push(path);
  }
  console.log(
    failed.length === 0
      ? `\nNothing takes more than ${WORST} times as long for 10 times the pages.`
      : `\n${failed.length} grow worse than linear (more than ${WORST} times as long): ${failed.join(', ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

async function growthOver(
  path: string,
  { files, params }: ReturnType<typeof exampleCall>,
): Promise<{ line: string; isWorse: boolean }> {
  const times: number[] = [];
  const told: string[] = [];
  let isWorse = false;
  for (const pages of SIZES) {
    const [before, smallest = 0] = [times.at(-1) ?? 0, times[0]];
    if (before * 10 > MOST_MS) {
      told.push(`${pages} not tried`);
      break;
    }
    const asked = { ...params, ...VALUES[path] };
    const time = await cpuOf(path, { ...files, fileInput: [documentOfPages(pages)] }, asked);
    if (typeof time === 'string') {
      told.push(`${pages} ${time}`);
      break;
    }
    // What every call takes is no part of what grows.
    const grown = times.length > 1 ? (time - smallest) / Math.max(LEAST_MS / 10, before - smallest) : 0;
    if (time > LEAST_MS && grown > WORST) isWorse = true;
    told.push(`${pages} ${time.toFixed(0)} ms${grown > 0 ? ` (${grown.toFixed(1)} times)` : ''}`);
    times.push(time);
  }
  return { line: told.join(', '), isWorse };
}

/** Milliseconds of the best of some calls; the reason where it was refused. */
async function cpuOf(
  path: string,
  files: NonNullable<Parameters<typeof runHere>[1]['files']>,
  params: Record<string, string>,
): Promise<number | string> {
  let best = Number.POSITIVE_INFINITY;
  const since = performance.now();
  for (let i = 0; i < 5 && (i < 1 || performance.now() - since < AGAIN_MS); i += 1) {
    const [own, ended] = [process.cpuUsage(), cpuOfEnded()];
    const ran = await runHere(path, { files, params });
    const { user, system } = process.cpuUsage(own);
    if (ran.state === 'failed') return ran.problem.reason;
    best = Math.min(best, (user + system) / 1000 + (cpuOfEnded() - ended) * 1000);
  }
  return best;
}
