import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { generate, TARGETS } from './generate.ts';
import { newOperation, refusal } from './new-operation.ts';

const ROOT = resolve(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'bindery-new-'));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const part of ['service', 'fixtures', 'tsconfig.json', 'package.json']) {
  cpSync(join(ROOT, part), join(copy, part), { recursive: true });
}
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

const run = (...args: string[]) => {
  // Inside a test Node tells its children so; a test run of its own must not think it is one of them.
  const { NODE_TEST_CONTEXT: _inside, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' });
};

for (const path of ['general/staple', 'convert/pdf/stapled-pdf']) {
  test(`a new ${path} passes its type check, its test and the style check as it stands`, async () => {
    const written = await newOperation(copy, path);
    await generate(
      copy,
      TARGETS.filter((target) => target.path.includes('/operations/')),
      'write',
    );

    writeFileSync(
      join(copy, 'tsconfig.new.json'),
      JSON.stringify({ extends: './tsconfig.json', include: written }),
    );
    const types = run('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.new.json');
    const ours = types.stdout.split('\n').filter((line) => written.some((file) => line.startsWith(file)));
    assert.deepEqual(ours, []);

    const tested = run('--test', '--test-reporter=spec', written[1] ?? '');
    assert.equal(tested.status, 0, tested.stdout);
    assert.match(tested.stdout, /pass 2/);

    cpSync(join(ROOT, 'biome.json'), join(copy, 'biome.json'));
    const style = run('node_modules/@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', ...written);
    assert.equal(style.status, 0, style.stderr);

    assert.match(refusal(copy, path) ?? '', /exists already/);
  });
}

test('paths that are no operation paths are refused', () => {
  for (const path of [
    'rotate',
    'General/rotate',
    'general/',
    'general/rotate.ts',
    '../x/y',
    'a/b/c/d',
    'general/_x',
    'a/-b',
  ]) {
    assert.match(refusal(copy, path) ?? '', /is no operation path/, path);
  }
  assert.equal(refusal(copy, 'misc/something-new'), undefined);
});

test('what the guide for contributors says to type can be typed', () => {
  const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const path = /^npm run new (\S+)/m.exec(guide)?.[1] ?? '';
  assert.notEqual(path, '');
  assert.equal(refusal(ROOT, path), undefined);
});
