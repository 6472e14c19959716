import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { SETTINGS } from '../service/src/config.ts';
import { generate, TARGETS } from './generate.ts';
import { operationPaths } from './generate-operations.ts';

const root = await mkdtemp(join(tmpdir(), 'bindery-generate-'));
after(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const OPERATIONS = 'service/src/operations';
const named = TARGETS.filter(({ path }) => path.startsWith(`${OPERATIONS}/`));

test('operations are found by their place', async () => {
  for (const file of ['general/rotate-pdf', 'convert/pdf/word', 'convert/img/pdf', 'analysis/page-count']) {
    await put(`${OPERATIONS}/${file}.ts`, `export default { summary: '${file}' };\n`);
  }
  for (const other of [
    'define.ts',
    'general/rotate-pdf.test.ts',
    'general/_turning.ts',
    'general/notes.md',
    '_x/y.ts',
  ]) {
    await put(`${OPERATIONS}/${other}`, 'export const nothing = 0;\n');
  }
  const expected = ['analysis/page-count', 'convert/img/pdf', 'convert/pdf/word', 'general/rotate-pdf'];
  assert.deepEqual(await operationPaths(root), expected);
});

test('index and loaders give each operation under its path', async () => {
  assert.equal((await generate(root, named, 'write')).length, 2);
  const { OPERATIONS: index } = await import(join(root, OPERATIONS, 'index.generated.ts'));
  const { LOADERS: loaders } = await import(join(root, OPERATIONS, 'loaders.generated.ts'));
  const expected = ['analysis/page-count', 'convert/img/pdf', 'convert/pdf/word', 'general/rotate-pdf'];
  assert.deepEqual(Object.keys(index), expected);
  assert.deepEqual(Object.keys(loaders), expected);
  assert.equal(index['convert/pdf/word'].summary, 'convert/pdf/word');
  assert.equal((await loaders['general/rotate-pdf']()).default.summary, 'general/rotate-pdf');
});

test('checking names what is stale and writes nothing; writing mends it', async () => {
  await put(`${OPERATIONS}/misc/repair.ts`, 'export default {};\n');
  const before = await readFile(join(root, OPERATIONS, 'index.generated.ts'), 'utf8');
  const stale = named.map(({ path }) => path);
  assert.deepEqual(await generate(root, named, 'check'), stale);
  assert.equal(await readFile(join(root, OPERATIONS, 'index.generated.ts'), 'utf8'), before);
  assert.deepEqual(await generate(root, named, 'write'), stale);
  assert.deepEqual(await generate(root, named, 'check'), []);
});

test('the settings page has a row for each setting', async () => {
  const page = (await TARGETS.find(({ path }) => path.endsWith('settings.md'))?.make(root)) ?? '';
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  assert.deepEqual(
    rows.map((row) => row.match(/`(\w+)`/)?.[1]),
    Object.keys(SETTINGS),
  );
  for (const row of rows) assert.equal(row.match(/(?<!\\)\|/g)?.length, 4, row);
});
