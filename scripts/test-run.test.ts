import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { DEAREST, inProcesses, mayShare } from './test-order.ts';

const ROOT = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'bindery-run-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('every file is run, once; the dearest are there, begin first and run alone', () => {
  for (const path of DEAREST) assert.ok(existsSync(join(ROOT, path)), `${path} is in test-order.ts only`);
  const some = Array.from({ length: 40 }, (_, index) => `service/src/pdf/${index}.test.ts`);
  const paths = [...some, ...DEAREST, 'cli/src/a.test.ts'].sort();
  const processes = inProcesses(paths, () => '');
  assert.deepEqual(processes.flat().sort(), paths);
  assert.deepEqual(
    processes.slice(0, DEAREST.length),
    DEAREST.map((path) => [path]),
  );
  assert.ok(processes.some((files) => files.length > 5));
  assert.ok(processes.some(([first, second]) => first === 'cli/src/a.test.ts' && second === undefined));
});

test('a file that touches its process runs alone', () => {
  for (const source of ['process.env.A = 1', 'mock.timers', 'processorMs()', 'beforeEach(() => {})'])
    assert.ok(!mayShare('service/src/pdf/a.test.ts', source), source);
  assert.ok(!mayShare('service/src/jobs/a.test.ts', ''), 'jobs start and end processes');
  assert.ok(mayShare('service/src/pdf/a.test.ts', "test('a', () => spawnSync('qpdf'));"));
});

test('files that share a process are told apart, fail the run, and are skipped for known reasons only', () => {
  for (const name of ['test-run.ts', 'test-order.ts', 'test-report.ts', 'known-skips.ts'])
    cpSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'service/src/pdf'), { recursive: true });
  const file = (name: string, body: string): void =>
    writeFileSync(
      join(folder, `service/src/pdf/${name}.test.ts`),
      `import { test } from 'node:test';\n${body}\n`,
    );
  const run = () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, ['scripts/test-run.ts', 'service/src/pdf/*.test.ts'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  };
  file('a', "test('one', () => {});");
  file('b', "test('two', () => {});");
  const good = run();
  assert.equal(good.status, 0, good.stdout);
  assert.match(good.stdout, /✔ one[\s\S]*✔ two[\s\S]*tests 2/);
  file(
    'b',
    "test('two', () => { throw new Error('wrong'); });\ntest('three', { skip: 'no moon' }, () => {});",
  );
  const bad = run();
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, /test at service\/src\/pdf\/b\.test\.ts:2:1[\s\S]*wrong/);
  assert.match(bad.stdout, /b\.test\.ts "three": no moon \(not a known reason\)/);
});
