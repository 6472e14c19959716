// Operations 1.7: what a caller receives, its name and its type.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, type Ran, runHere } from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { onePage } from '../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../testing/oracles/archives.ts';
import { LIMITS } from '../contract/limits.ts';

const TEXT = readFileSync(fixture('text-two-pages.pdf'));

const received = (ran: Ran): (string | undefined)[] =>
  ran.state === 'made' ? [ran.result.name, ran.result.mediaType] : [ran.state];

test('a result is named after its file, with the suffix of the operation', async () => {
  const cases: [sent: string, name: string][] = [
    ['a.pdf', 'a_rotated.pdf'],
    ['My report.v2.PDF', 'My report.v2_rotated.pdf'],
    ['../../etc/pass\u0000wd.pdf', 'passwd_rotated.pdf'],
    ['C:\\docs\\b.pdf', 'b_rotated.pdf'],
    ['', 'document_rotated.pdf'],
    ['noextension', 'noextension_rotated.pdf'],
  ];
  for (const [name, wanted] of cases) {
    const ran = await runHere('general/rotate-pdf', { files: { fileInput: { name, bytes: TEXT } } });
    assert.deepEqual(received(ran), [wanted, 'application/pdf'], name);
  }
});

test('an operation that makes archives makes one of a single file, too', async () => {
  const one = onePage({ content: '' });
  const ran = await runHere('general/split-pages', { files: { fileInput: { name: 'a.pdf', bytes: one } } });
  assert.deepEqual(received(ran), ['a_split.zip', 'application/octet-stream']);
  assert.deepEqual(
    (await zipEntries(made(ran))).map(({ name }) => name),
    ['a_1.pdf'],
  );
});

test('JSON has no name, and a file passed on keeps its own', async () => {
  const files = { fileInput: { name: 'Über.PDF', bytes: TEXT } };
  assert.deepEqual(received(await runHere('analysis/page-count', { files })), [
    undefined,
    'application/json',
  ]);
  const params = { comparator: 'Greater', pageCount: '1' };
  const passed = await runHere('filter/filter-page-count', { files, params });
  assert.deepEqual(received(passed), ['Über.PDF', 'application/pdf']);
  assert.deepEqual(made(passed), TEXT);
});

test('small results stay in memory, large ones are files', async () => {
  const large = onePage({ content: `% ${randomBytes(LIMITS.spoolBytes).toString('base64')}\n` });
  for (const [bytes, how] of [
    [TEXT, 'bytes'],
    [large, 'file'],
  ] as const) {
    const ran = await runHere('general/rotate-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
    assert.ok(ran.state === 'made' && how in ran.result.content, how);
    assert.equal(ran.result.size, ran.bytes.length);
  }
});
