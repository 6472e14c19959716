import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { pdfOf } from '../../../testing/documents/written-pdf.ts';
import { askProgram } from '../../../testing/oracles/programs.ts';

type Sizes = { width: number; height: number }[];
const sizes = async (bytes: Uint8Array) =>
  madeJson(
    await runHere('analysis/page-dimensions', { files: { fileInput: { name: 'a.pdf', bytes } } }),
  ) as Sizes;

/** A page of these boxes, its parent having those. */
const boxed = (page: string, pages = '') =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R] /Count 1 ${pages} >>`,
    `<< /Type /Page /Parent 2 0 R ${page} >>`,
  ]);

const cases: [what: string, bytes: Buffer, width: number, height: number][] = [
  ['the media box', boxed('/MediaBox [0 0 612 792]'), 612, 792],
  ['the crop box', boxed('/MediaBox [0 0 612 792] /CropBox [10 20 110.5 220]'), 100.5, 200],
  ['a rotated page as it lies', boxed('/MediaBox [0 0 612 792] /Rotate 90'), 612, 792],
  ['corners in any order', boxed('/MediaBox [612 792 0 0]'), 612, 792],
  [
    'only what the media box holds of the crop box',
    boxed('/MediaBox [0 0 100 100] /CropBox [-50 50 200 200]'),
    100,
    50,
  ],
  [
    'the media box where the crop box lies outside',
    boxed('/MediaBox [0 0 100 100] /CropBox [200 200 300 300]'),
    100,
    100,
  ],
  ['inherited boxes', boxed('', '/MediaBox [0 0 300 400] /CropBox [0 0 30 40]'), 30, 40],
  ['Letter where there is no box', boxed(''), 612, 792],
  ['Letter where the box is rubbish', boxed('/MediaBox [0 0 (a) null]'), 612, 792],
  ['Letter where the box is empty', boxed('/MediaBox [0 0 0 0]'), 612, 792],
  ['differences without dust', boxed('/MediaBox [100.1 0 700.3 10]'), 600.2, 10],
];
for (const [what, bytes, width, height] of cases) {
  test(`page-dimensions gives ${what}`, async () =>
    assert.deepEqual(await sizes(bytes), [{ width, height }]));
}

test('sizes agree with pdfinfo over a collection', { skip: noCorpus() }, async () => {
  for (const path of corpus('pdf/mixed-sizes', 'pdf/rotated', 'pdf/form')) {
    const bytes = readFileSync(path);
    const found = await sizes(bytes);
    const told = [
      ...askProgram('pdfinfo', ['-l', '-1', '{}'], bytes).matchAll(/size:\s+([\d.]+) x ([\d.]+) pts/g),
    ];
    assert.equal(told.length, found.length, path);
    for (const [index, [, width, height]] of told.entries()) {
      assert.ok(Math.abs(Number(width) - (found[index]?.width ?? 0)) < 0.01, `${path} page ${index + 1}`);
      assert.ok(Math.abs(Number(height) - (found[index]?.height ?? 0)) < 0.01, `${path} page ${index + 1}`);
    }
  }
});
