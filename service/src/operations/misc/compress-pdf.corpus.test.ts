import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { apart, raster } from '../../../testing/oracles/compression.ts';
import { surveyOf } from '../../../testing/oracles/document-survey.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';

const FOLDERS = [
  'annots',
  'cjk',
  'form',
  'images',
  'layers',
  'linearized',
  'links',
  'outline',
  'rtl',
  'scanned',
  'tagged',
];
const LARGEST_BYTES = 400_000;
/** Every so many documents of the folders are tried. */
const EVERY = 2;

const given = corpus(...FOLDERS.map((folder) => `pdf/${folder}`)).filter(
  (path, index) => index % EVERY === 0 && statSync(path).size <= LARGEST_BYTES,
);

test('real documents become no larger, say and hold the same, and look alike', {
  skip: noCorpus() || missing('qpdf', 'pdftotext', 'pdftoppm'),
}, async () => {
  assert.ok(given.length >= 15, 'some documents are tried');
  for (const path of given) {
    const before = readFileSync(path);
    const ran = await runHere('misc/compress-pdf', { files: { fileInput: path } });
    const bytes = made(ran);
    assert.ok(bytes.length <= before.length, path);
    if (bytes.equals(before)) continue;
    qpdfCheck(bytes, { tolerant: true });
    assert.equal(pdftotext(bytes), pdftotext(before), path);
    assert.deepEqual(survey(bytes), survey(before), path);
    const { mean } = apart(raster(bytes), raster(before));
    assert.ok(mean < 2, `${path}: ${mean}`);
  }
});

function survey(bytes: Uint8Array) {
  const qpdf = createQpdf({ passwords: [], newFile: () => assert.fail('nothing is saved') });
  try {
    return surveyOf(qpdf.engine.open(fileInMemory('given.pdf', bytes)));
  } finally {
    qpdf.closeAll();
  }
}
