// `npm run bench [subject...]`: our service, warm, against the programs a user would otherwise start for each
// document, side by side in one run. Ratios are what to trust; the rates depend on the machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../test/service.ts';
import { Client, formBody, type Measured, measure, runProgram } from './load.ts';
import { largestPeakMb, memoryOf } from './memory.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

const ROUNDS = 3;
const WARM_UP = 60;
const SINGLE = 100;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  console.error(`No subject ${unknown.join(', ')}; there are ${Object.keys(SCENARIOS).join(', ')}.`);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'bindery-bench-'));
// As `npm start` runs it.
const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code';
const service = await startService({
  env: { NODE_COMPILE_CACHE, BINDERY_WORKERS: '0', BINDERY_LOG_LEVEL: 'error' },
});
let missed = 0;
try {
  printIdleMemory();
  for (const [subject, scenarios] of Object.entries(SCENARIOS)) {
    if (wanted.length > 0 && !wanted.includes(subject)) continue;
    for (const scenario of scenarios) missed += report(scenario, await compare(scenario));
  }
} finally {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed === 0 ? '\nEvery goal is met.' : `\n${missed} goal(s) missed.`);
process.exitCode = missed === 0 ? 0 : 1;

function printIdleMemory(): void {
  const { processes, rssMb, pssMb } = memoryOf(service.process.pid ?? 0);
  const goal = rssMb < 250 ? 'met' : 'MISSED';
  if (goal === 'MISSED') missed += 1;
  console.log(
    `Idle memory, ${processes} processes: ${rssMb.toFixed(0)} MB resident, ${pssMb.toFixed(0)} MB counting shared pages once (goal: under 250 MB resident, ${goal})\n`,
  );
}

interface Comparison {
  single: Measured;
  ours: Measured;
  rival: Measured | null;
}

/** Rounds of both take turns, so that a slow moment of the machine meets both; the medians of the rounds count. */
async function compare(scenario: Scenario): Promise<Comparison> {
  const { op, files, params, rival, requests, connections } = scenario;
  const body = formBody(files, params);
  const client = new Client(service.url, service.key, connections);
  const post = () => client.post(op, body);
  await measure(Math.min(WARM_UP, requests), connections, post);
  const single = await measure(Math.min(SINGLE, requests), 1, post);
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  let serial = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await measure(requests, connections, post));
    if (!rival) continue;
    const start = () => {
      serial += 1;
      const args = rival.args.map((arg) => arg.replace('{out}', join(folder, `out-${serial}.pdf`)));
      return runProgram(rival.program, args, rival.env);
    };
    theirs.push(await measure(Math.max(Math.min(requests, 4), Math.ceil(requests / 4)), connections, start));
  }
  client.close();
  return { single, ours: medianRound(ours), rival: theirs.length > 0 ? medianRound(theirs) : null };
}

function medianRound(rounds: Measured[]): Measured {
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[rounds.length >> 1] as Measured;
}

function report(scenario: Scenario, { single, ours, rival }: Comparison): number {
  const lines = [
    `${scenario.name}`,
    `  ours     ${rate(ours)} at ${scenario.connections} connections; alone: median ${single.medianMs.toFixed(1)} ms, p99 ${single.p99Ms.toFixed(1)} ms`,
  ];
  let misses = ours.failures + single.failures;
  if (misses > 0) lines.push(`  ${misses} of our requests FAILED`);
  if (rival) {
    const ratio = ours.perSecond / rival.perSecond;
    lines.push(`  ${scenario.rival?.program.padEnd(8)} ${rate(rival)} at ${scenario.connections} at once`);
    lines.push(
      `  ratio    ${ratio.toFixed(2)} times its throughput${goal(ratio >= (scenario.goals?.throughputRatio ?? 0), scenario.goals?.throughputRatio, 'at least')}`,
    );
    if (scenario.goals?.throughputRatio && ratio < scenario.goals.throughputRatio) misses += 1;
    if (rival.failures > 0)
      lines.push(`  ${rival.failures} runs of ${scenario.rival?.program} failed: is it installed?`);
  }
  const { medianMs, peakMb, perSecond } = scenario.goals ?? {};
  if (perSecond !== undefined) {
    const isMet = ours.perSecond >= perSecond;
    if (!isMet) misses += 1;
    lines.push(`  rate    ${goal(isMet, perSecond, 'per second at least')}`);
  }
  if (peakMb !== undefined) {
    const peak = largestPeakMb(service.process.pid ?? 0);
    if (peak >= peakMb) misses += 1;
    lines.push(
      `  memory   ${peak.toFixed(0)} MB in the largest process${goal(peak < peakMb, peakMb, 'under')}`,
    );
  }
  if (medianMs !== undefined) {
    const isMet = single.medianMs < medianMs;
    if (!isMet) misses += 1;
    lines.push(`  latency ${goal(isMet, medianMs, 'median alone under')}`);
  }
  console.log(`${lines.join('\n')}\n`);
  return misses;
}

function rate({ perSecond, medianMs }: Measured): string {
  return `${perSecond.toFixed(0).padStart(6)} per second (median ${medianMs.toFixed(1)} ms)`;
}

function goal(isMet: boolean, value: number | undefined, words: string): string {
  return value === undefined ? '' : ` (goal: ${words} ${value}, ${isMet ? 'met' : 'MISSED'})`;
}
