import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage } from '../../testing/documents/written-pdf.ts';
import { createLog } from '../contract/log.ts';
import { createPdfium } from '../engines/pdfium/pdfium.ts';
import { fileOf } from './conformance-repair.ts';
import { lostText, readingOf } from './kept-text.ts';

const log = createLog('silent');

const page = (content: string): ReturnType<typeof fileOf> =>
  fileOf({
    bytes: onePage({
      content: `BT /F 20 Tf 72 700 Td ${content} ET`,
      page: '/Resources << /Font << /F 5 0 R >> >>',
      more: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    }),
  });

test('other letters are a loss; other blanks and more letters are not', async () => {
  const pdfium = await createPdfium({ passwords: [], log });
  const before = readingOf(pdfium, page('(Introduction) Tj'));
  assert.deepEqual(before, ['Introduction']);
  for (const same of ['(Intro duction) Tj', '(Intro) Tj 0 -30 Td (duction) Tj', '(Introduction, signed) Tj'])
    assert.deepEqual(lostText(before, readingOf(pdfium, page(same))), []);
  for (const other of ['(,QWURGXFWLRQ) Tj', '(Introductio) Tj', ''])
    assert.deepEqual(lostText(before, readingOf(pdfium, page(other))), [1]);
  pdfium.close();
});

test('a result nobody can read has lost everything; what nobody could read is not held against it', async () => {
  const pdfium = await createPdfium({ passwords: [], log });
  const unreadable = readingOf(pdfium, fileOf({ bytes: Buffer.from('no document') }));
  assert.equal(unreadable, undefined);
  assert.equal(lostText(['words'], unreadable).length, 1);
  assert.deepEqual(lostText(unreadable, ['words']), []);
});
