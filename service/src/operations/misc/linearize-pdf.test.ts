import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const PATH = 'misc/linearize-pdf';
const skip = missing('qpdf', 'pdftotext', 'pdfinfo');
const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere(PATH, { files: { fileInput: { name: 'a.pdf', bytes } }, params });

const checkLinear = (bytes: Uint8Array) =>
  assert.match(askProgram('qpdf', ['--check-linearization', '{}'], bytes), /no linearization errors/);

test('the result is linearized and says the same', { skip }, async () => {
  const bytes = readFileSync(fixture('text-two-pages.pdf'));
  const ran = await run(bytes);
  assert.equal(madeName(ran), 'a_linearized.pdf');
  checkLinear(made(ran));
  qpdfCheck(made(ran));
  assert.equal(pdftotext(made(ran)), pdftotext(bytes));
});

test('normalize writes one instruction a line', { skip }, async () => {
  const bytes = onePage({ content: 'q\r1 0 0 1 5 5 cm\rQ' });
  const content = (result: Uint8Array) =>
    askProgram('qpdf', ['--qdf', '--normalize-content=n', '{}', '-'], result);
  assert.match(content(made(await run(bytes, { normalize: 'yes' }))), /q\n1 0 0 1 5 5 cm\nQ/);
  assert.match(content(made(await run(bytes))), /q\r1 0 0 1 5 5 cm\rQ/);
});

test('objects that hang on one another by the thousands are written', { skip }, async () => {
  const chain = Array.from({ length: 8000 }, (_, at) => (at < 7999 ? `[${at + 6} 0 R]` : '[]'));
  checkLinear(made(await run(onePage({ catalog: '/AF 5 0 R', more: chain }))));
});

test('a flat outline of very many bookmarks is written', { skip }, async () => {
  const count = 100_000;
  const bookmarks = Array.from({ length: count }, (_, at) => {
    const next = at < count - 1 ? `/Next ${at + 7} 0 R` : '';
    return `<</Title(${at})/Parent 5 0 R${at > 0 ? `/Prev ${at + 5} 0 R` : ''}${next}>>`;
  });
  const outline = `<</First 6 0 R/Last ${count + 5} 0 R/Count ${count}>>`;
  const result = made(await run(onePage({ catalog: '/Outlines 5 0 R', more: [outline, ...bookmarks] })));
  // qpdf's own check ends as its writing did.
  assert.equal(pdfinfo(result).Optimized, 'yes');
  assert.match(askProgram('qpdf', ['--show-object=trailer', '{}'], result), /\/Root/);
  assert.match(Buffer.from(result).toString('latin1'), new RegExp(`/Title ?\\(${count - 1}\\)`));
});

test('what may be too deep for qpdf is refused before it ends the process', { skip }, async () => {
  const bytes = Buffer.from(onePage())
    .toString('latin1')
    .replace(/\/Size \d+/, '/Size 1000001');
  const problem = failed(await run(Buffer.from(bytes, 'latin1'), { normalize: 'yes' }));
  assert.equal(problem.reason, 'document_too_costly');
  assert.match(problem.detail, /1000001 objects; no more than 500000/);
});

test('normalize must be true or false', async () => {
  const problem = failed(await run(onePage(), { normalize: '2' }));
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /^normalize/);
});

test('a collection comes out linearized', { skip: noCorpus() || skip }, async () => {
  for (const path of corpus('pdf/linearized', 'pdf/form', 'pdf/outline'))
    checkLinear(made(await run(readFileSync(path))));
});
