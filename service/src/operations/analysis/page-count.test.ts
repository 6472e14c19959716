import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf } from '../../../testing/documents/written-pdf.ts';

const PATH = 'analysis/page-count';
const run = (bytes: Uint8Array) => runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes } } });

test('page-count counts', async () => {
  assert.deepEqual(madeJson(await runHere(PATH, { files: { fileInput: fixture('text-two-pages.pdf') } })), {
    pageCount: 2,
  });
});

test('a page tree that runs in circles still ends', async () => {
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 900000000 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
  ]);
  const ran = await run(bytes);
  if (ran.state === 'failed') assert.equal(ran.problem.reason, 'invalid_pdf');
  else assert.deepEqual(madeJson(ran), { pageCount: 1 });
});

for (const [what, bytes] of [
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
  [
    'a document without pages',
    pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
  ],
] as const) {
  test(`${what} is no readable PDF`, async () => {
    const problem = failed(await run(bytes));
    assert.equal(problem.reason, 'invalid_pdf');
    assert.match(problem.detail, /a\.pdf/);
  });
}
