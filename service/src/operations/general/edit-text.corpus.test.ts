// Text replaced and edited text written back on documents of many makers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeJson, type Ran, runHere } from '../../../testing/calls/run-here.ts';
import { corpusFolder, noCorpus } from '../../../testing/documents/collection.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = noCorpus() || missing('pdftotext', 'qpdf');

/** A word of each, and what is put in its place: by LaTeX, Word, Chromium, InDesign, Quartz, Ghostscript and others. */
const WORDS: readonly [path: string, page: number, find: string, replace: string][] = [
  ['pdf/annots/pdfminer-six__issue-1082-annotations.pdf', 1, 'Dummy', 'winter'],
  ['pdf/attachments/pdfbox__testPDF_multiFormatEmbFiles.pdf', 1, 'Embedded', 'orchard'],
  ['pdf/attachments/pypdf__example.pdf', 1, 'Paris', 'bridge'],
  [
    'pdf/cjk/pypdf__issue-914-xmp-data.pdf',
    1,
    '\u6563\u79f0\u534e\u8054\u7c89\u6761',
    '\u4f0a\u5229\u7545\u8f7b\u98ce\u5473\u53d1\u9175\u4e73',
  ],
  ['pdf/form/pdf-lib__modify_document.pdf', 1, 'phone', 'Harbour'],
  ['pdf/form/pypdf__FormTestFromOo.pdf', 1, 'Multi', 'winter'],
  ['pdf/images/pdf-js__issue1350.pdf', 1, 'challenge', 'Quartz'],
  ['pdf/images/pdfcpu__adobe_errata.pdf', 7, 'prefix', 'orchard'],
  ['pdf/js/pdfminer-six__f1040nr.pdf', 1, 'which', 'copper'],
  ['pdf/links/pdf-js__issue2956.pdf', 1, 'TCPDF', 'Harbour'],
  ['pdf/mixed-sizes/pdf-js__sizes.pdf', 3, 'Landscape', 'lantern'],
  ['pdf/multipage-text/pdf-js__tracemonkey_with_editable_annotations.pdf', 12, 'trees', 'winter'],
  ['pdf/multipage-text/pdfcpu__RA_CI.pdf', 8, 'necessary', 'Quartz'],
  ['pdf/multipage-text/pypdf__outline-without-title.pdf', 2, 'place', 'orchard'],
  ['pdf/outline/pdf-js__doc_2_3_pages.pdf', 2, 'Document', 'bridge'],
  ['pdf/outline/pdfcpu__BuildingWebappsWithGo.pdf', 11, 'instance', 'velvet'],
  ['pdf/outline/pdfplumber__issue-982-example.pdf', 2, 'neuron', 'copper'],
  ['pdf/rotated/pdfbox__rot90.pdf', 1, 'rotation', 'lantern'],
  [
    'pdf/rtl/pdf-js__issue11656.pdf',
    1,
    '\u05d4\u05d7\u05d5\u05d8\u05d9\u05dd',
    '\u05e4\u05e2\u05d5\u05dc\u05d5\u05ea',
  ],
  ['pdf/rtl/pdfbox__BidiSample.pdf', 1, 'april', 'Quartz'],
  ['pdf/tagged/pdfbox__sampleForSpec.pdf', 1, 'Underline', 'copper'],
  ['pdf/text/pdf-js__bug1868759.pdf', 1, 'intelligence', 'Sunday'],
  ['pdf/text/pdfcpu__T6.pdf', 10, 'black', 'meadow'],
  ['pdf/text/pypdf__GeoBase_NHNC1_Data_Model_UML_EN.pdf', 16, 'Rocks', 'Harbour'],
  ['pdf/xfa/pdf-js__annotation-button-widget.pdf', 1, 'buton', 'lantern'],
  ['tables/camelot/camelot__twotables_2.pdf', 1, 'DISTRIBUTION', 'Quartz'],
  ['tables/icdar2013/eu-006.pdf', 2, 'important', 'orchard'],
  ['tables/icdar2013/eu-018.pdf', 1, 'Austria', 'bridge'],
  ['tables/icdar2013/us-004.pdf', 2, 'Street', 'velvet'],
  ['tables/icdar2013/us-032.pdf', 1, 'Table', 'Sunday'],
];

const path = (name: string): string => new URL(name, corpusFolder('.')).pathname;
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
const pageText = (bytes: Uint8Array, page: number): string =>
  plain(pdftotext(bytes, '-f', String(page), '-l', String(page)));
const word = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_])${text}(?![\\p{L}\\p{N}\\p{M}_])`, 'gu');
const headersOf = (ran: Ran): Record<string, string> =>
  ran.state === 'made' ? (ran.result.headers ?? {}) : {};

test('words of real documents are replaced as another reader sees it', { skip }, async () => {
  for (const [name, page, find, replace] of WORDS) {
    const bytes = readFileSync(path(name));
    const ran = await runHere('general/edit-text', {
      files: { fileInput: path(name) },
      params: { find, replace, wholeWordSearch: 'true', pageNumbers: String(page) },
    });
    const result = made(ran);
    qpdfCheck(result, { tolerant: true });
    const before = pageText(bytes, page);
    assert.ok(word(find).test(before), `${name}: ${find} is there`);
    assert.equal(headersOf(ran)['X-Not-Replaced'], '0', name);
    assert.equal(pageText(result, page), plain(before.replace(word(find), replace)), `${name}: ${find}`);
  }
});

test('what an editor gets and gives back unchanged is the same file', { skip }, async () => {
  for (const [name] of WORDS) {
    const files = { fileInput: path(name) };
    const json = madeJson(
      await runHere('convert/pdf/text-editor', { files, params: { lightweight: 'true' } }),
    );
    const editorJson = { name: 'edited.json', bytes: Buffer.from(JSON.stringify(json)) };
    const ran = await runHere('convert/text-editor/pdf', { files: { ...files, editorJson } });
    assert.ok(made(ran).equals(readFileSync(path(name))), name);
  }
});
