import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { readNameTree } from '../structure/name-tree.ts';
import { attach, attachmentsOf, removeAttachments, renameAttachments, sizeOf } from './attachments.ts';

const spec = (name: string, data: number, more = '') =>
  `<< /Type /Filespec /F (${name}) /EF << /F ${data} 0 R >> ${more} >>`;
/** One file of the document (5, data 6), one pinned to the page (7, data 8). */
const BOTH = onePage({
  catalog: '/Names << /EmbeddedFiles << /Names [(own.txt) 5 0 R] >> >> /PageMode /UseAttachments',
  page: '/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /Contents (a note) /FS 7 0 R >>]',
  more: [
    spec('own.txt', 6, '/Desc (described)'),
    streamOf('own', '/Type /EmbeddedFile /Params << /Size 3 >>'),
    spec('pinned.csv', 8),
    streamOf('a;b', '/Type /EmbeddedFile'),
  ],
});
const named = (doc: PdfDocument) => attachmentsOf(doc).map(({ filename, of }) => `${of}: ${filename}`);

test('files of the document and of pages are found, each once, with what is said of them', () => {
  withDocument(BOTH, (doc) => {
    assert.deepEqual(named(doc), ['document: own.txt', 'page: pinned.csv']);
    const [own, pinned] = attachmentsOf(doc);
    assert.deepEqual([own?.description, own?.contentType], ['described', 'text/plain']);
    assert.deepEqual([pinned?.description, pinned?.contentType], ['a note', 'text/csv']);
    assert.ok(own && pinned);
    assert.deepEqual([sizeOf(doc, own), sizeOf(doc, pinned)], [3, 3]);
  });
});

test('a specification that embeds nothing is no attachment', () => {
  const bytes = onePage({
    catalog: '/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (elsewhere.txt) >>] >> >>',
  });
  assert.deepEqual(withDocument(bytes, named), []);
});

test('a file of the same name is replaced, and the pinned one of that name is not', () => {
  withDocument(BOTH, (doc) => {
    const add = (filename: string, text: string) =>
      attach(doc, [{ filename, data: doc.addStream(Dict.of({}), Buffer.from(text)) }]);
    add('own.txt', 'newer');
    add('pinned.csv', 'c');
    assert.deepEqual(named(doc).sort(), ['document: own.txt', 'document: pinned.csv', 'page: pinned.csv']);
    const own = attachmentsOf(doc).find(({ filename }) => filename === 'own.txt');
    assert.equal(own && sizeOf(doc, own), 5);
  });
});

test('what is removed is nowhere any more, and the last one takes the list of files with it', () => {
  withDocument(BOTH, (doc, save) => {
    removeAttachments(doc, attachmentsOf(doc));
    assert.deepEqual(named(doc), []);
    assert.equal(doc.catalog.get('Names'), undefined);
    assert.equal(doc.catalog.get('PageMode'), undefined);
    assert.doesNotMatch(save().toString('latin1'), /own\.txt|pinned\.csv|a note/);
  });
});

test('a new name stands in every place, and the folder of a portfolio stays before the key', () => {
  const portfolio = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Collection << /D (<3>a.txt) >> /Names << /EmbeddedFiles << /Names [(<3>a.txt) 4 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    spec('a.txt', 5, '/Unix (a.txt)'),
    streamOf('a', '/Type /EmbeddedFile'),
  ]);
  withDocument(portfolio, (doc, save) => {
    renameAttachments(doc, attachmentsOf(doc), 'b.txt');
    assert.deepEqual(named(doc), ['document: b.txt']);
    withDocument(save(), (saved) => {
      const files = saved.dict(saved.catalog.get('Names'))?.get('EmbeddedFiles');
      assert.deepEqual(
        readNameTree(saved, files).map(({ key }) => key),
        ['<3>b.txt'],
      );
      assert.equal(saved.text(saved.dict(saved.catalog.get('Collection'))?.get('D')), '<3>b.txt');
    });
    assert.doesNotMatch(save().toString('latin1'), /a\.txt/);
  });
});
