// Mixed traffic for some minutes: nothing fails, and memory does not climb. The slope is that of the second half: the
// first warms caches and engines up.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLargePdf } from '../test/hostile-documents.ts';
import { descendants, memoryOf } from '../test/processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { Callers, keyedCall, pipeline, upload } from './callers.ts';
import { apiMemory, filesLeft, MIB } from './figures.ts';

const PAGES = 4;
const SAMPLE_MS = 1000;
/** Of the API process, per hour, beyond what garbage collection moves up and down. */
const MOST_MIB_PER_HOUR = 60;
const MOVES_MIB = 24;

const OTHERS: readonly [string, string, Record<string, string>][] = [
  ['analysis/page-count', 'text-two-pages.pdf', {}],
  ['convert/pdf/text', 'everything.pdf', {}],
  ['convert/pdf/img', 'everything.pdf', { dpi: '100' }],
  ['general/split-pages', 'everything.pdf', { pageNumbers: '1' }],
  ['convert/html/pdf', 'page.html', {}],
];

export async function drill([given = '2']: readonly string[]): Promise<string[]> {
  const minutes = Number(given);
  if (!(minutes > 0 && minutes <= 1440)) return [`minutes must be a number up to 1440, not ${given}`];
  const folder = mkdtempSync(join(tmpdir(), 'bindery-soak-'));
  const service = await startService({
    env: { BINDERY_WORKERS: '0', BINDERY_UPLOAD_CHUNK_BYTES: String(256 * 1024), BINDERY_LOG_LEVEL: 'error' },
  });
  try {
    const large = join(folder, 'large.pdf');
    writeLargePdf(large, PAGES);
    const callers = new Callers(service);
    callers.begin('keyed calls', keyedCall);
    callers.begin('uploads', upload(new Uint8Array(readFileSync(large)), PAGES));
    callers.begin('pipelines', pipeline(folder));
    callers.begin('other calls', other());
    const api: [number, number][] = [];
    const all: [number, number][] = [];
    const begun = performance.now();
    for (const endAt = begun + minutes * 60_000; performance.now() < endAt; await sleep(SAMPLE_MS)) {
      const at = (performance.now() - begun) / 3_600_000;
      api.push([at, apiMemory(service) / MIB]);
      all.push([at, (apiMemory(service) + below(service)) / MIB]);
    }
    await callers.end();
    await sleep(1000);
    const done = Object.entries(callers.done).map(([name, count]) => `${count} ${name}`);
    console.log(`  ${minutes} min: ${done.join(', ')}; ${callers.retried} tries were repeated`);
    const failures = [...callers.failures, ...climbs('the API process', api)];
    climbs('it and all below it', all);
    const left = filesLeft(service);
    if (left.length > 0) failures.push(`files are left: ${left.slice(0, 5).join(', ')}`);
    return failures;
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const below = (service: RunningService): number =>
  descendants(service.apiPid()).reduce((sum, pid) => sum + (memoryOf(pid, 'VmRSS') || 0), 0);

function other(): (callers: Callers) => Promise<void> {
  let next = 0;
  return async (callers) => {
    const [path, file, fields] = OTHERS[next++ % OTHERS.length] as (typeof OTHERS)[number];
    const source =
      file === 'page.html'
        ? filePart(new TextEncoder().encode('<h1>Words</h1>'), file)
        : filePart(fixture(file));
    const made = await callers.ask(`/api/v1/${path}`, () => ({
      method: 'POST',
      body: form({ fileInput: source, ...fields }),
    }));
    if (made.status !== 200) throw new Error(`${path}: status ${made.status}`);
  };
}

function climbs(what: string, samples: readonly [number, number][]): string[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [first = 0, last = 0] = [half[0]?.[1], half.at(-1)?.[1]];
  const slope = slopeOf(half);
  const most = Math.max(...samples.map(([, value]) => value));
  console.log(
    `  memory of ${what}: ${Math.round(first)} to ${Math.round(last)} MiB, at most ${Math.round(most)}; slope ${slope.toFixed(1)} MiB/h`,
  );
  const grew = last - first;
  return slope > MOST_MIB_PER_HOUR && grew > MOVES_MIB
    ? [`${what} grew by ${Math.round(grew)} MiB, ${slope.toFixed(0)} MiB/h`]
    : [];
}

/** Least squares. */
function slopeOf(samples: readonly [number, number][]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(samples.map(([at]) => at));
  const y = mean(samples.map(([, value]) => value));
  const over = samples.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return over / (samples.reduce((sum, [at]) => sum + (at - x) ** 2, 0) || 1);
}
