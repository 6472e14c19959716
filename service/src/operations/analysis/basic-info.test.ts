import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { madeJson, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { pdfinfo } from '../../../testing/oracles/programs.ts';

const info = async (bytes: Uint8Array) =>
  madeJson(await runHere('analysis/basic-info', { files: { fileInput: { name: 'a.pdf', bytes } } }));

test('basic-info tells pages, version and size', async () => {
  const bytes = readFileSync(fixture('text-two-pages.pdf'));
  const { Pages, 'PDF version': version } = pdfinfo(bytes);
  assert.deepEqual(await info(bytes), {
    pageCount: Number(Pages),
    pdfVersion: Number(version),
    fileSize: bytes.length,
  });
});

const versions: [header: string, catalog: string, expected: number][] = [
  ['1.4', '', 1.4],
  ['1.4', '/Version /1.7', 1.7],
  ['1.7', '/Version /1.3', 1.3],
  ['2.0', '', 2],
  ['1.5', '/Version /rubbish', 1.5],
  ['1.5', '/Version (1.7)', 1.5],
];
for (const [version, catalog, expected] of versions) {
  test(`header ${version} with ${catalog || 'no version'} in the catalog is ${expected}`, async () => {
    const told = (await info(onePage({ version, catalog }))) as { pdfVersion: number };
    assert.equal(told.pdfVersion, expected);
  });
}

test('page counts agree with pdfinfo over a collection', { skip: noCorpus() }, async () => {
  for (const path of corpus('pdf/outline', 'pdf/rotated', 'pdf/text', 'pdf/multipage-text')) {
    const bytes = readFileSync(path);
    const told = (await info(bytes)) as { pageCount: number };
    assert.equal(told.pageCount, Number(pdfinfo(bytes).Pages), path);
  }
});
