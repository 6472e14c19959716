import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEMS } from '../service/src/contract/problems.ts';
import { OPERATIONS } from '../service/src/operations/index.generated.ts';
import { operationsReference, problemsReference } from './generate-reference.ts';

const columns = (row: string): number => row.match(/(?<!\\)\|/g)?.length ?? 0;

test('the page of operations has a section for each, with a row for each file and field', async () => {
  const page = await operationsReference();
  for (const [path, op] of Object.entries(OPERATIONS)) {
    const start = page.indexOf(`\n### ${path}\n`);
    assert.ok(start > 0, path);
    const section = page.slice(start, page.indexOf('\n### ', start + 1) >>> 0);
    assert.ok(section.includes(`\`POST /api/v1/${path}\``) && section.includes(op.summary), path);
    for (const name of [...Object.keys(op.inputs), ...Object.keys(op.params)]) {
      const row = section.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      assert.equal(columns(row ?? ''), 6, `${path} ${name}: ${row}`);
    }
    assert.match(section, /\nResult: `[a-z]+\/[a-z-]+`/, path);
    assert.match(section, /\nRefusals: `/, path);
  }
});

test('the page of problems has a row for each reason', async () => {
  const rows = (await problemsReference()).split('\n').filter((line) => line.startsWith('| <a'));
  assert.deepEqual(
    rows.map((row) => row.match(/`(\w+)`/)?.[1]),
    Object.keys(PROBLEMS),
  );
  for (const row of rows) assert.equal(columns(row), 6, row);
});
