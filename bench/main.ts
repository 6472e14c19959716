// `npm run bench [subject...] [-- --write]`: our service, warm, against the programs a user would otherwise start for
// each document, side by side in one run. Ratios are what to trust; the rates depend on the machine. --write keeps the
// whole run as docs/benchmarks.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../test/service.ts';
import { compare } from './compare.ts';
import { growthOf } from './growth.ts';
import { type Memory, memoryOf } from './memory.ts';
import { report } from './report.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { type Result, writeTable } from './table.ts';

const PAGE = 'docs/benchmarks.md';
const IDLE_MB = 250;

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
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
  const idle = memoryOf(service.process.pid ?? 0);
  printIdleMemory(idle);
  const results: Result[] = [];
  for (const [subject, scenarios] of Object.entries(SCENARIOS)) {
    if (wanted.length > 0 && !wanted.includes(subject)) continue;
    for (const scenario of scenarios) {
      const comparison = await compare(scenario, service, folder);
      missed += report(scenario, comparison);
      results.push({ subject, scenario, comparison });
    }
  }
  for (const { work, ours, cpu, rival } of growthOf(results)) {
    const shown = [ours, cpu, rival].map((value) => value?.toFixed(2) ?? '-');
    console.log(`growth of ${work}: time ${shown[0]}, processor time ${shown[1]}, rival ${shown[2]}`);
  }
  if (values.write) writeFileSync(PAGE, writeTable(results, idle));
} finally {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
}
console.log(missed === 0 ? '\nEvery goal is met.' : `\n${missed} goal(s) missed.`);
process.exitCode = missed === 0 ? 0 : 1;

function printIdleMemory({ processes, rssMb, pssMb }: Memory): void {
  const isMet = rssMb < IDLE_MB;
  if (!isMet) missed += 1;
  console.log(
    `Idle memory, ${processes} processes: ${rssMb.toFixed(0)} MB resident, ${pssMb.toFixed(0)} MB counting shared pages once (goal: under ${IDLE_MB} MB resident, ${isMet ? 'met' : 'MISSED'})\n`,
  );
}
