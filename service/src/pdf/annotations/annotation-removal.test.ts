import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import type { PdfDocument } from '../document.ts';
import { isName } from '../objects.ts';
import { removeAnnotations } from './annotation-removal.ts';
import { countAnnotations } from './annotations-count.ts';

const annotation = (subtype: string, more = '') =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 9 9] ${more} >>`;
/** A note (5) with its window (6) and an answer (7), a link (8), a field (9). */
const PAGE = onePage({
  catalog: '/AcroForm << /Fields [9 0 R] >>',
  page: '/Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R]',
  more: [
    annotation('Text', '/Popup 6 0 R'),
    annotation('Popup', '/Parent 5 0 R'),
    annotation('Text', '/IRT 5 0 R'),
    annotation('Link'),
    annotation('Widget', '/FT /Tx /T (name)'),
  ],
});
const kinds = (doc: PdfDocument) => Object.fromEntries(countAnnotations(doc).bySubtype);

test('annotations are counted by their kind, those that name none in the total only', () => {
  withDocument(PAGE, (doc) => assert.deepEqual(kinds(doc), { Text: 2, Popup: 1, Link: 1, Widget: 1 }));
  const odd = onePage({ page: '/Annots [<< /Rect [0 0 1 1] >> 99 0 R null]' });
  withDocument(odd, (doc) => assert.deepEqual(countAnnotations(doc), { total: 1, bySubtype: new Map() }));
});

test('the window and the answers of a note go with it', () => {
  withDocument(PAGE, (doc) => {
    const gone = removeAnnotations(doc, (dict) => isName(dict.get('Subtype'), 'Text') && !dict.has('IRT'));
    assert.deepEqual(kinds(doc), { Link: 1, Widget: 1 });
    assert.equal(gone.size, 3);
  });
});

test('a field whose only widget goes leaves the form, and nothing is touched where nothing goes', () => {
  withDocument(PAGE, (doc) => {
    removeAnnotations(doc, () => false);
    assert.equal(countAnnotations(doc).total, 5);
    removeAnnotations(doc, (dict) => isName(dict.get('Subtype'), 'Widget'));
    assert.deepEqual(doc.array(doc.dict(doc.catalog.get('AcroForm'))?.get('Fields')) ?? [], []);
  });
});
