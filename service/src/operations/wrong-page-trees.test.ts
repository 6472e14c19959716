// Page trees that tell another number of pages than they list, or list what is no page: operations 1.3, "slight damage is
// mended silently".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, made, madeJson, runHere } from '../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../testing/documents/written-pdf.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../testing/oracles/programs.ts';

const skip = missing('pdfinfo', 'pdftotext', 'qpdf');

const document = (kids: string, count: string): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] ${count} /MediaBox [0 0 200 100] /Resources << /Font << /F 7 0 R >> >> >>`,
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>',
    streamOf('BT /F 12 Tf 10 50 Td (one secret) Tj ET'),
    streamOf('BT /F 12 Tf 10 50 Td (two secret) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [3 0 R 4 0 R] /Count 7 >>',
  ]);

const TREES: [what: string, bytes: Buffer][] = [
  ['too low a count', document('3 0 R 4 0 R', '/Count 1')],
  ['a count of none', document('3 0 R 4 0 R', '/Count 0')],
  ['a count below none', document('3 0 R 4 0 R', '/Count -1')],
  ['too high a count', document('3 0 R 4 0 R', '/Count 9')],
  ['no count', document('3 0 R 4 0 R', '')],
  ['a wrong count further down', document('8 0 R', '/Count 2')],
  ['the catalog among the kids', document('3 0 R 1 0 R 4 0 R', '/Count 3')],
  ['kids that are no pages', document('3 0 R (x) 4 0 R null 99 0 R', '/Count 3')],
];

const OPERATIONS: [path: string, params: Record<string, string>, stays: RegExp][] = [
  ['general/rotate-pdf', { angle: '90' }, /one secret\s+two secret/],
  ['misc/add-page-numbers', {}, /one secret[\s\S]*two secret/],
  ['security/auto-redact', { listOfText: 'secret' }, /^one\s+two\s+$/],
  ['misc/flatten', { flattenOnlyForms: 'false', rasterize: 'true' }, /^\s*$/],
  ['general/crop', { autoCrop: 'true' }, /one secret\s+two secret/],
  // These have no business with pages.
  ['misc/update-metadata', { title: 'A' }, /one secret\s+two secret/],
  ['misc/decompress-pdf', {}, /one secret\s+two secret/],
  ['misc/linearize-pdf', {}, /one secret\s+two secret/],
];

for (const [what, bytes] of TREES) {
  test(`both pages are there: ${what}`, { skip }, async () => {
    const files = { fileInput: { name: 'a.pdf', bytes } };
    assert.deepEqual(madeJson(await runHere('analysis/page-count', { files })), { pageCount: 2 });
    for (const [path, params, stays] of OPERATIONS) {
      const result = made(await runHere(path, { files, params }));
      qpdfCheck(result);
      assert.equal(pdfinfo(result).Pages, '2', path);
      assert.match(pdftotext(result), stays, path);
    }
    for (const path of [
      'security/get-info-on-pdf',
      'misc/remove-blanks',
      'misc/auto-split-pdf',
      'misc/scanner-effect',
    ])
      made(await runHere(path, { files }));
  });
}

test('a tree that lists nothing but rubbish is refused', async () => {
  const bytes = document('(x) 7', '/Count 2');
  const ran = await runHere('general/rotate-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });
  assert.equal(failed(ran).reason, 'invalid_pdf');
});
