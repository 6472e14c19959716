// `npm run bench start-up`: the processor time that `bindery --help` and a completion take beside Node's own start, as
// the command is built. Medians, in turns.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildCommand } from '../scripts/build-commands.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BIN = join(ROOT, 'cli', 'bin', 'bindery.cjs');
const RUNS = 10;
const MOST_ABOVE_MS = 60;

const CALLS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'bindery --help': [BIN, '--help'],
  'bindery help rotate': [BIN, 'help', 'rotate'],
  'completion of a command': [BIN, 'complete', '--', 'mer'],
  'completion of an option': [BIN, 'complete', '--', 'rotate', 'a.pdf', '--p'],
};

/** Told at the end by every process the call starts. */
const TELLER = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').appendFileSync(process.env.BINDERY_TOLD, (user + system) + '\\n');
});`;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

/** The exit code. */
export async function measureStartUp(): Promise<number> {
  await buildCommand('cli');
  const folder = mkdtempSync(join(tmpdir(), 'bindery-start-up-'));
  try {
    const teller = join(folder, 'teller.cjs');
    const told = join(folder, 'told');
    writeFileSync(teller, TELLER);
    const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
    const taken = new Map<string, number[]>();
    for (let run = 0; run < RUNS; run += 1)
      for (const [name, args] of Object.entries(CALLS)) {
        writeFileSync(told, '');
        spawnSync(process.execPath, ['--require', teller, ...args], {
          stdio: 'ignore',
          env: { ...env, BINDERY_TOLD: told },
        });
        const ms = readFileSync(told, 'utf8')
          .split('\n')
          .reduce((sum, line) => sum + Number(line) / 1000, 0);
        taken.set(name, [...(taken.get(name) ?? []), ms]);
      }
    const base = median(taken.get('node -e 0') ?? []);
    let missed = 0;
    for (const [name, values] of taken) {
      const above = median(values) - base;
      if (above > MOST_ABOVE_MS) missed += 1;
      console.log(
        `${name.padEnd(26)} ${median(values).toFixed(1).padStart(6)} ms   ${above.toFixed(1).padStart(5)} above`,
      );
    }
    console.log(
      missed === 0 ? `All within ${MOST_ABOVE_MS} ms above Node.` : `${missed} above ${MOST_ABOVE_MS} ms.`,
    );
    return missed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
