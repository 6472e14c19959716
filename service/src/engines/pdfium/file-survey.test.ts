// What the bytes of a file tell, against what qpdf and PDFium find in it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { fixture, fixtureBytes, inMemory, onePagePdf, quiet } from '../../../testing/documents/small-pdf.ts';
import { surveyFile } from './file-survey.ts';
import { loadLibrary } from './library.ts';
import { openDocument } from './open.ts';
import { hasTextAnnotation } from './page-items/text-annotations.ts';
import { createPdfium } from './pdfium.ts';

const CORPUS = corpusFolder('pdf').pathname;
const library = await loadLibrary();

test('pages and written annotations are seen, in groups of objects too', () => {
  assert.deepEqual(surveyFile(fixtureBytes('text-two-pages.pdf')), {
    pages: 2,
    hasWritten: false,
    mayHide: false,
  });
  assert.equal(surveyFile(fixtureBytes('form-fields.pdf'))?.hasWritten, true);
  assert.equal(
    surveyFile(fixtureBytes('everything-locked.pdf')),
    undefined,
    'nothing is seen in locked files',
  );
});

test('a file whose page tree hides a page is no sound one, and the other engine is asked', async () => {
  const pdfium = await createPdfium({ passwords: [], log: quiet });
  const sound = onePagePdf('BT /F 12 Tf 20 40 Td (a) Tj ET');
  const hiding = onePagePdf('BT /F 12 Tf 20 40 Td (a) Tj ET', {
    further: ['<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>'],
  });
  const held = { pageCount: 1, wasRebuilt: false, save: () => ({ bytes: sound }) };
  let asked = 0;
  const ask = () => {
    asked += 1;
    return held;
  };
  pdfium.openLike(inMemory('sound.pdf', sound), ask).close();
  assert.equal(asked, 0);
  pdfium.openLike(inMemory('hiding.pdf', hiding), ask).close();
  assert.equal(asked, 1);
  pdfium.openLike(inMemory('damaged.pdf', sound.subarray(0, -40)), ask).close();
  assert.equal(asked, 2);
});

test('no page and no written annotation of others is overlooked', {
  skip: noCorpus(),
}, () => {
  const names = (readdirSync(CORPUS, { recursive: true }) as string[]).filter(
    (name) => name.endsWith('.pdf') && statSync(CORPUS + name).size < 4e6,
  );
  const surveys = names.map((name) => [CORPUS + name, surveyFile(readFileSync(CORPUS + name))] as const);
  const told = surveys.filter(([, survey]) => survey);
  assert.ok(told.length > names.length * 0.8, `${told.length} of ${names.length}`);
  for (const [path, survey] of told) {
    const [pages, written] = found(path);
    assert.ok((survey?.pages ?? 0) >= pages, path);
    assert.ok(survey?.hasWritten || !written, path);
  }
});

/** By PDFium: how many pages, and whether one has a written annotation. */
function found(path: string): [number, boolean] {
  const { native } = library;
  try {
    const opened = openDocument(library, { ...fixture(''), content: { path } }, []);
    const pages = native.FPDF_GetPageCount(opened.handle);
    let written = false;
    for (let index = 0; index < pages && !written; index += 1) {
      const page = native.FPDF_LoadPage(opened.handle, index);
      written = page !== 0 && hasTextAnnotation(library, page);
      native.FPDF_ClosePage(page);
    }
    native.FPDF_CloseDocument(opened.handle);
    opened.source.close();
    return [pages, written];
  } catch {
    return [0, false];
  }
}
