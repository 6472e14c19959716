// `npm run mutate -- <folder or file...> [--seconds N] [--each N]`: small faults are put into files that have a test
// beside them, one at a time in a copy of the project, and the test is run. What no test notices is listed. With a time
// limit, files and faults are taken in a fixed order that jumps about, so that a short run sees a bit of everything.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEST_LIMIT_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '600' }, each: { type: 'string', default: '1000' } },
});
if (positionals.length === 0) {
  console.error('npm run mutate -- <folder or file...> [--seconds N] [--each N]');
  process.exit(1);
}

const files = positionals.flatMap(filesIn).filter((file) => existsSync(join(ROOT, testOf(file))));
const copy = copied();
try {
  const endAt = performance.now() + Number(values.seconds) * 1000;
  const subjects = files.flatMap((file) =>
    shuffled(file, mutantsOf(readFileSync(join(ROOT, file), 'utf8')))
      .slice(0, Number(values.each))
      .map((mutant) => ({ file, mutant })),
  );
  const healthy = new Map<string, boolean>();
  const score = { killed: 0, survived: 0 };
  for (const { file, mutant } of shuffled('', subjects)) {
    if (performance.now() > endAt) break;
    if (!healthy.has(file)) healthy.set(file, passes(file));
    if (!healthy.get(file)) continue;
    writeFileSync(join(copy, file), mutant.code);
    const survived = passes(file);
    writeFileSync(join(copy, file), readFileSync(join(ROOT, file)));
    score[survived ? 'survived' : 'killed'] += 1;
    if (survived) console.log(`survived ${file}:${mutant.line}  ${mutant.what}`);
  }
  const tried = score.killed + score.survived;
  const share = tried === 0 ? 0 : Math.round((100 * score.killed) / tried);
  console.log(
    `${tried} of ${subjects.length} faults tried in ${healthy.size} of ${files.length} files: ${score.killed} noticed (${share} %), ${score.survived} survived`,
  );
  for (const [file, isSound] of healthy)
    if (!isSound) console.log(`left out, its test fails as it is: ${file}`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function testOf(file: string): string {
  return file.replace(/\.ts$/, '.test.ts');
}

function filesIn(given: string): string[] {
  if (!statSync(join(ROOT, given)).isDirectory()) return [given];
  return globSync('**/*.ts', { cwd: join(ROOT, given) })
    .filter((name) => !/\.(?:test|generated)\.ts$/.test(name))
    .map((name) => join(given, name));
}

/** Never in place: what runs beside must not meet a fault. */
function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-mutate-'));
  for (const part of [
    'service',
    'test',
    'sdk',
    'cli',
    'mcp',
    'scripts',
    'fixtures',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function passes(file: string): boolean {
  // Without the runner: a process of its own would outlive it when the time is up.
  const args = ['--disable-warning=ExperimentalWarning', testOf(file)];
  const { status } = spawnSync(process.execPath, args, {
    cwd: copy,
    stdio: 'ignore',
    timeout: TEST_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

/** In the same order each time. */
function shuffled<T extends object>(seed: string, list: readonly T[]): T[] {
  const place = (index: number): string => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  return list
    .map((each, index) => ({ each, at: place(index) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ each }) => each);
}
