// The API process is killed, and stopped as if its event loop stood still, workers and engines are killed, all under
// uploads, keyed calls, pipelines and conversions: uploads go on, keyed calls give one result, nobody hears a 500.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLargePdf } from '../test/hostile-documents.ts';
import { browsersOf, descendants, killAll, until, workersOf } from '../test/processes.ts';
import { type RunningService, startService } from '../test/service.ts';
import { Callers, keyedCall, pipeline, printed, upload } from './callers.ts';

const ROUNDS = ['SIGKILL', 'SIGKILL', 'SIGSTOP', 'SIGKILL'] as const;
const LOAD_MS = 5000;
const BLOCKED_MS = 4000;
/** From death to the first answer, beside what a start took on this machine then: it is shared with all who are served. */
const BACK_WITHIN_MS = 10_000;
const PAGES = 8;

export async function drill(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-drill-'));
  const begun = performance.now();
  const service = await startService({
    supervised: true,
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code',
      BINDERY_WORKERS: '0',
      BINDERY_BLOCKED_MS: String(BLOCKED_MS),
      BINDERY_UPLOAD_CHUNK_BYTES: String(256 * 1024),
      BINDERY_LOG_LEVEL: 'error',
    },
  });
  const startMs = performance.now() - begun;
  console.log(`  a start took ${seconds(startMs)}`);
  try {
    const large = join(folder, 'large.pdf');
    writeLargePdf(large, PAGES);
    const callers = new Callers(service);
    callers.begin('keyed calls', keyedCall);
    callers.begin('keyed calls', keyedCall);
    callers.begin('uploads', upload(new Uint8Array(readFileSync(large)), PAGES));
    callers.begin('pipelines', pipeline(folder));
    callers.begin('pages printed', printed);
    const failures: string[] = [];
    for (const signal of ROUNDS) {
      await sleep(LOAD_MS);
      failures.push(...(await harm(service, callers, signal, startMs)));
    }
    let killed = 0;
    for (let round = 0; round < 2; round += 1)
      for (const [what, victims] of Object.entries({ workers: workersOf, browsers: browsersOf })) {
        await sleep(LOAD_MS);
        const harmed = await harmBelow(service, callers, what, victims);
        killed += harmed.killed;
        failures.push(...harmed.failures);
      }
    await sleep(LOAD_MS);
    await callers.end();
    const done = Object.entries(callers.done).map(([name, count]) => `${count} ${name}`);
    console.log(`  ${done.join(', ')} were answered rightly; ${callers.retried} tries were repeated`);
    console.log(`  ${callers.crashes} calls heard that their worker had ended, and were sent again`);
    if (callers.crashes > killed)
      failures.push(`${callers.crashes} calls lost their worker, of ${killed} killed`);
    return [...failures, ...callers.failures, ...(await told(service))];
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function harm(
  service: RunningService,
  callers: Callers,
  signal: (typeof ROUNDS)[number],
  startMs: number,
): Promise<string[]> {
  const victim = service.apiPid();
  const below = descendants(victim);
  const harmedAt = performance.now();
  process.kill(victim, signal);
  await until('another API process', () => ![0, victim].includes(service.apiPid()), 60_000);
  const health = () => fetch(`${service.url}/api/v1/info/health`).catch(() => undefined);
  await until('it is ready', async () => (await health())?.ok, 60_000);
  const backMs = performance.now() - harmedAt;
  const readyAt = performance.now();
  await until('a right answer', () => callers.answeredAt > readyAt, 60_000);
  const answerMs = callers.answeredAt - harmedAt;
  console.log(`  ${signal}: ready after ${seconds(backMs)}, first answer after ${seconds(answerMs)}`);
  // One that stands still must first be noticed.
  const mostMs = 3 * startMs + BACK_WITHIN_MS + (signal === 'SIGSTOP' ? 2 * BLOCKED_MS : 0);
  const left = below.filter((pid) => existsSync(`/proc/${pid}`));
  return [
    ...(left.length > 0 ? [`${left.length} processes of the dead one are left`] : []),
    ...(answerMs > mostMs ? [`${signal}: no answer for ${seconds(answerMs)}`] : []),
  ];
}

/** What runs below the API process is killed: the callers whose work it was try again, and nobody else notices. */
async function harmBelow(
  service: RunningService,
  callers: Callers,
  what: string,
  victims: (pid: number) => number[],
): Promise<{ killed: number; failures: string[] }> {
  const api = service.apiPid();
  const found = await until(`there are ${what}`, () => {
    const pids = victims(api);
    return pids.length > 0 && pids;
  });
  const harmedAt = performance.now();
  killAll(found);
  await sleep(50);
  await until('a right answer', () => callers.answeredAt > harmedAt + 50, 60_000);
  console.log(`  ${found.length} ${what} killed: an answer after ${seconds(callers.answeredAt - harmedAt)}`);
  const failures = service.apiPid() === api ? [] : [`killed ${what} took the API process along`];
  return { killed: found.length, failures };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function told(service: RunningService): Promise<string[]> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const count = (reason: string): number =>
    Number(new RegExp(`^bindery_api_restarts_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
  const killed = ROUNDS.filter((signal) => signal === 'SIGKILL').length;
  return count('killed') === killed && count('blocked') === ROUNDS.length - killed
    ? []
    : [`the metrics tell of ${count('killed')} killed and ${count('blocked')} blocked`];
}
