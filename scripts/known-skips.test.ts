import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type KnownSkip, unexpectedSkips } from './known-skips.ts';

const skips = (...reasons: string[]) =>
  reasons.map((reason, index) => ({ file: 'a.test.ts', name: `test ${index}`, reason }));

test('a program that is missing may be a reason; one that is there, or that nobody knows, may not', () => {
  assert.match(
    unexpectedSkips(skips('not installed: script, frobnicate'))[0] ?? '',
    /"frobnicate" is not among/,
  );
  const before = process.env.PATH;
  try {
    process.env.PATH = '/nonexistent';
    assert.deepEqual(
      unexpectedSkips(skips('not installed: qpdf, pdftotext', 'not installed: python3-docx')),
      [],
    );
    process.env.PATH = fakePath('qpdf');
    assert.match(unexpectedSkips(skips('not installed: qpdf'))[0] ?? '', /qpdf is installed/);
  } finally {
    process.env.PATH = before;
  }
});

const temporary = mkdtempSync(join(tmpdir(), 'bindery-skips-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));

function fakePath(program: string): string {
  writeFileSync(join(temporary, program), '', { mode: 0o755 });
  return temporary;
}

test('no reason, an unknown reason and one more than is known are told', () => {
  const known: KnownSkip[] = [{ reason: /^no moon$/, most: 2 }];
  assert.deepEqual(unexpectedSkips(skips('no moon', 'no moon'), known), []);
  assert.match(
    unexpectedSkips(skips('no moon', 'no moon', 'no moon'), known)[0] ?? '',
    /3 tests .*; 2 are known/,
  );
  assert.match(
    unexpectedSkips(skips(''), known)[0] ?? '',
    /a\.test\.ts "test 0": skipped \(no reason is given\)/,
  );
  assert.match(unexpectedSkips(skips('no sun'), known)[0] ?? '', /no sun \(not a known reason\)/);
});

/** Node's own runner with our report at its end. */
function run(source: string, env: Record<string, string> = {}) {
  const file = join(temporary, 'laws.test.ts');
  writeFileSync(file, `import { describe, test } from 'node:test';\n${source}`);
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
  const reporter = resolve(import.meta.dirname, 'test-report.ts');
  return spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`, file], {
    env: { ...outside, ...env },
    encoding: 'utf8',
  });
}

test('a run with a skip that is not known fails, though every test passed', () => {
  const silent = run("test('one', () => {}); test('two', { skip: true }, () => {});");
  assert.equal(silent.status, 1, silent.stdout);
  assert.match(
    silent.stdout,
    /1 skipped:\n {2}1 {2}no reason given\n[\s\S]*"two": skipped \(no reason is given\)/,
  );
  const inside = run("test('one', (t) => t.skip('too slow'));");
  assert.equal(inside.status, 1, inside.stdout);
  const suite = run("describe('one', { skip: 'too slow' }, () => {});");
  assert.equal(suite.status, 1, suite.stdout);
});

test('a run with known skips passes and counts them; a failing test still fails', () => {
  const passed = run("test('one', { skip: 'not Linux' }, () => {}); test('two', () => {});");
  assert.equal(passed.status, 0, passed.stdout);
  assert.match(passed.stdout, /1 skipped:\n {2}1 {2}not Linux\n/);
  assert.equal(run("test('one', () => { throw new Error(); });").status, 1);
  assert.doesNotMatch(run("test('one', () => {});").stdout, /skipped|laws/);
});

test('where operations were asked for, the tests and laws that ran are counted, each once', () => {
  const source = `
    test('law one', async (t) => { await t.test('a', () => {}); await t.test('b', () => {}); });
    test('law two', async (t) => { await t.test('a', () => {}); await t.test('b', { skip: 'not Linux' }, () => {}); });`;
  const { stdout } = run(source, { LAWS_OF: 'general/a,general/b' });
  assert.match(stdout, /general\/a, general\/b: 0 own tests and 3 laws ran/);
});
