// `npm run bench [subject...] [-- --write]`: our service, warm, against the programs a user would otherwise start for
// each document, side by side in one run. Ratios are what to trust; the rates depend on the machine. --write keeps each
// subject in docs/benchmarks.md as soon as it is measured; what was not measured stays there as it was.
// `npm run bench growth [operation...]` asks something else: whether any operation grows worse than its pages.
// `npm run bench scale [-- --measure] [-- --write]` counts the nodes that a load needs (docs/scale.md).
// `npm run bench start-up` tells the processor time of the command's help and completion.
// `npm run bench many` tells what the way through the queue of several nodes costs.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningService, startService } from '../test/service.ts';
import { compare } from './compare.ts';
import { growthOf } from './growth.ts';
import { measureGrowth } from './growth-of-operations.ts';
import { measureMany } from './many.ts';
import { type Memory, memoryOf } from './memory.ts';
import { report } from './report.ts';
import { scale } from './scale/main.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { measureStartUp } from './start-up.ts';
import { type MeasuredSubject, type Result, writePage } from './table.ts';

const PAGE = 'docs/benchmarks.md';
const IDLE_MB = 250;
/** What has not begun by then is left out, and named. */
const MOST_MS = 22 * 60_000;

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, measure: { type: 'boolean', default: false } },
});
if (wanted[0] === 'scale') process.exit(await scale(values));
if (wanted[0] === 'growth') process.exit(await measureGrowth(wanted.slice(1)));
if (wanted[0] === 'start-up') process.exit(await measureStartUp());
if (wanted[0] === 'many') process.exit(await measureMany());
const unknown = wanted.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  console.error(`No subject ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-'));
let running: { service: RunningService; workers: number } | undefined;
let missed = 0;
try {
  const idle = memoryOf((await serviceWith(0)).process.pid ?? 0);
  printIdleMemory(idle);
  for (const [subject, scenarios] of Object.entries(SCENARIOS)) {
    if (wanted.length > 0 && !wanted.includes(subject)) continue;
    const measured = await measureSubject(subject, scenarios);
    printGrowth(measured.results);
    if (!values.write || measured.results.length === 0) continue;
    const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
    writeFileSync(PAGE, writePage(before, measured, idle, Object.keys(SCENARIOS)));
  }
} finally {
  await running?.service.remove();
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed === 0 ? '\nEvery goal is met.' : `\n${missed} goal(s) missed.`);
process.exitCode = missed === 0 ? 0 : 1;

/** One that fails does not take the others along. */
async function measureSubject(subject: string, scenarios: readonly Scenario[]): Promise<MeasuredSubject> {
  const results: Result[] = [];
  const left: string[] = [];
  const [load = 0] = loadavg();
  for (const scenario of scenarios) {
    if (performance.now() > MOST_MS) {
      left.push(`${scenario.name} (the time was over)`);
      continue;
    }
    try {
      const comparison = await compare(scenario, await serviceWith(scenario.workers ?? 0), folder);
      missed += report(scenario, comparison);
      results.push({ scenario, comparison });
    } catch (error) {
      left.push(`${scenario.name} (it failed)`);
      console.error(`${scenario.name} could not be measured:`, error);
    }
  }
  missed += left.length;
  for (const name of left) console.log(`not measured: ${name}`);
  return { subject, results, left, load };
}

/** As `npm start` runs it; 0 workers are as many as there are processors. Anew where it has ended. */
async function serviceWith(workers: number): Promise<RunningService> {
  const isAlive = running?.service.process.exitCode === null && running.service.process.signalCode === null;
  if (running && isAlive && running.workers === workers) return running.service;
  await running?.service.remove();
  running = undefined;
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code';
  const service = await startService({
    env: { NODE_COMPILE_CACHE, BINDERY_WORKERS: String(workers), BINDERY_LOG_LEVEL: 'error' },
  });
  running = { service, workers };
  return service;
}

function printIdleMemory({ processes, rssMb, pssMb }: Memory): void {
  const isMet = rssMb < IDLE_MB;
  if (!isMet) missed += 1;
  console.log(
    `Idle memory, ${processes} processes: ${rssMb.toFixed(0)} MB resident, ${pssMb.toFixed(0)} MB counting shared pages once (goal: under ${IDLE_MB} MB resident, ${isMet ? 'met' : 'MISSED'})\n`,
  );
}

function printGrowth(results: readonly Result[]): void {
  for (const { work, pages, ours, cpu, rival } of growthOf(results)) {
    if (pages.length < 2) continue;
    const shown = [ours, cpu, rival].map((value) => value?.toFixed(2) ?? '-');
    console.log(`growth of ${work}: time ${shown[0]}, processor time ${shown[1]}, rival ${shown[2]}`);
  }
}
