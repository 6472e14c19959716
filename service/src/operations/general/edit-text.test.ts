import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, type Ran, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { olderElement } from '../../../testing/documents/tagged-documents.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, piece } from '../../../testing/oracles/page-images.ts';
import {
  askProgramBytes,
  missing,
  pdftotext,
  qpdfCheck,
  qpdfObjects,
} from '../../../testing/oracles/programs.ts';

const skip = missing('pdftotext', 'pdftoppm', 'qpdf');
const edit = (bytes: Uint8Array | string, params: Record<string, string>): Promise<Ran> =>
  runHere('general/edit-text', {
    files: { fileInput: typeof bytes === 'string' ? fixture(bytes) : { name: 'document.pdf', bytes } },
    params,
  });

const headersOf = (ran: Ran): Record<string, string> =>
  ran.state === 'made' ? (ran.result.headers ?? {}) : {};
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Pages 300 wide that draw with Helvetica as /F; `more` are objects from 4 on, the pages' content first. */
const pages = (contents: readonly string[], { resources = '', more = [] as string[] } = {}): Buffer => {
  const first = 4 + more.length;
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] /MediaBox [0 0 300 200] /Resources << /Font << /F 3 0 R >> ${resources} >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...more,
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * at + 1} 0 R >>`,
      streamOf(content),
    ]),
  ]);
};

test('text is replaced in its own font, or in one that looks alike; what follows moves along', {
  skip,
}, async () => {
  const before = pdftotext(readFileSync(fixture('reading.pdf')));
  for (const [find, replace] of [
    ['the', 'that'],
    ['the', 'TH\u00c9'],
  ] as const) {
    const ran = await edit('reading.pdf', { find, replace, wholeWordSearch: 'true' });
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(plain(pdftotext(bytes)), plain(before.replace(/\bthe\b/g, replace)));
    const count = before.match(/\bthe\b/g)?.length;
    assert.deepEqual(headersOf(ran)['X-Replacements'], String(count));
    assert.deepEqual(headersOf(ran)['X-Not-Replaced'], '0');
  }
});

test('strings in pieces, spaced, stretched, raised and turned are found; all else is drawn as before', {
  skip,
}, async () => {
  const document = pages([
    `BT /F 12 Tf 20 160 Td [(A w) -20 (or) 30 (d he) 10 (re)] TJ ET
     BT /F 12 Tf 2 Tc 3 Tw 120 Tz 20 130 Td (spaced word here) Tj 0 -20 Td (below) Tj ET
     BT /F 12 Tf 14 TL 0 1 -1 0 250 40 Tm (turned word) Tj T* (next) Tj ET
     BT /F 12 Tf 20 60 Td (wo) Tj (rd in two) Tj 5 Ts (raised) ' ET
     0 0 1 rg 20 10 30 20 re f`,
  ]);
  const bytes = made(await edit(document, { find: 'word', replace: 'term' }));
  qpdfCheck(bytes);
  assert.equal(plain(pdftotext(bytes)), plain(pdftotext(document).replaceAll('word', 'term')));
  const same = (x: number, y: number, w: number, h: number): number =>
    difference(piece(drawnPage(document), x, y, w, h), piece(drawnPage(bytes), x, y, w, h));
  assert.equal(same(0, 80, 110, 30), 0, 'the line below the spaced one');
  assert.equal(same(254, 20, 40, 170), 0, 'the line beside the turned one');
  assert.equal(same(10, 165, 60, 30), 0, 'the rectangle');
});

test('a form that other pages draw changes on the pages asked for only', { skip }, async () => {
  const form = streamOf(
    'BT /F 12 Tf 20 100 Td (Shared word) Tj ET',
    '/Type /XObject /Subtype /Form /BBox [0 0 300 200]',
  );
  const document = pages(['/X Do', 'q /X Do Q BT /F 9 Tf 20 20 Td (own word) Tj ET'], {
    resources: '/XObject << /X 4 0 R >>',
    more: [form],
  });
  const bytes = made(await edit(document, { find: 'word', replace: 'term', pageNumbers: '2' }));
  qpdfCheck(bytes);
  assert.equal(plain(pdftotext(bytes, '-l', '1')), 'Shared word');
  assert.equal(plain(pdftotext(bytes, '-f', '2')), 'Shared term own term');
  const both = made(await edit(document, { find: 'word', replace: 'term' }));
  assert.equal(plain(pdftotext(both)), 'Shared term Shared term own term');
  assert.ok(!JSON.stringify(qpdfObjects(both)).includes('Shared word'));
});

test('several pairs at once, whatever the case, over line ends', { skip }, async () => {
  const document = pages(['BT /F 12 Tf 14 TL 20 160 Td (One two) Tj T* (three One) Tj T* (ONE) Tj ET']);
  const edits = JSON.stringify([
    { find: 'one', replace: 'two' },
    { find: 'two three', replace: 'four five' },
  ]);
  const ran = await edit(document, { edits, matchCase: 'false' });
  assert.equal(plain(pdftotext(made(ran))), 'two four five two two');
  assert.equal(headersOf(ran)['X-Replacements'], '4');
});

test('text from right to left is replaced where it stands', { skip }, async () => {
  const ran = await edit('right-to-left.pdf', {
    find: '\u05e9\u05dc\u05d5\u05dd',
    replace: '\u05e2\u05d5\u05dc\u05dd',
  });
  const before = pdftotext(readFileSync(fixture('right-to-left.pdf')));
  assert.equal(headersOf(ran)['X-Replacements'], String(before.split('\u05e9\u05dc\u05d5\u05dd').length - 1));
  assert.equal(
    plain(pdftotext(made(ran))),
    plain(before.replaceAll('\u05e9\u05dc\u05d5\u05dd', '\u05e2\u05d5\u05dc\u05dd')),
  );
});

test('the next cell stays where it is; where there is no room nothing is done, and told', {
  skip,
}, async () => {
  const document = pages(['BT /F 12 Tf 20 160 Td (Cell) Tj 60 0 Td (Next) Tj -60 -40 Td (Cell alone) Tj ET']);
  const near = made(await edit(document, { find: 'Cell', replace: 'Cellar' }));
  const next = (bytes: Uint8Array): number =>
    difference(piece(drawnPage(document), 78, 20, 60, 30), piece(drawnPage(bytes), 78, 20, 60, 30));
  assert.equal(next(near), 0);
  const ran = await edit(document, { find: 'Cell', replace: 'A cell of many words' });
  assert.equal(headersOf(ran)['X-Replacements'], '1');
  assert.equal(headersOf(ran)['X-Not-Replaced'], '1');
  assert.match(plain(pdftotext(made(ran))), /^Cell Next A cell of many words alone$/);
  const none = failed(await edit(document, { find: 'Cell', replace: 'many words '.repeat(8) }));
  assert.equal(none.reason, 'text_not_replaced');
});

test('texts of tags that stand for changed content say what it says now, or go', { skip }, async () => {
  const spans = [
    ['(Old words)', 'Old word'],
    ['(Something)', 'Old word'],
    ['(Kept)', 'Other'],
  ].map(
    ([spoken, shown], at) =>
      `/Span << /MCID ${at + 1} /ActualText ${spoken} >> BDC BT /F 12 Tf 20 ${50 - 15 * at} Td (${shown}) Tj ET EMC`,
  );
  const document = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /StructParents 0 /Resources << /Font << /F 5 0 R >> >> >>',
    streamOf(`/P << /MCID 0 >> BDC BT /F 12 Tf 20 100 Td (Old word) Tj ET EMC ${spans.join(' ')}`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /StructTreeRoot /K [7 0 R 8 0 R] /ParentTree << /Nums [0 [7 0 R 8 0 R 8 0 R 8 0 R]] >> >>',
    olderElement('P', 6, '0', '/Pg 3 0 R /ActualText (The Old word itself) /T (Title)'),
    olderElement('P', 6, '[1 2 3]', '/Pg 3 0 R /Alt (Unlike)'),
  ]);
  const bytes = made(await edit(document, { find: 'Old', replace: 'New' }));
  qpdfCheck(bytes);
  const objects = JSON.stringify(qpdfObjects(bytes));
  assert.ok(objects.includes('The New word itself') && objects.includes('Unlike'));
  assert.ok(!objects.includes('Old'), 'no old text in any object');
  const content = askProgramBytes('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes).toString(
    'latin1',
  );
  assert.match(
    content,
    /\/ActualText <feff[^>]*>|\/ActualText \(New words\)|\/ActualText <4e657720776f726473>/i,
  );
  assert.doesNotMatch(content, /Something/);
  assert.match(content, /\/ActualText \(Kept\)/);
  assert.equal(plain(pdftotext(bytes)), 'New word New words New word Kept');
});

test('bad calls are refused by name', async () => {
  const calls: [Record<string, string>, string][] = [
    [{}, 'invalid_parameter'],
    [{ find: ' ' }, 'invalid_parameter'],
    [{ find: 'a', edits: '[{"find":"a","replace":"b"}]' }, 'invalid_parameter'],
    [{ find: 'a\nb' }, 'invalid_parameter'],
    [{ edits: '[]' }, 'invalid_parameter'],
    [{ edits: '[{"find":"","replace":"b"}]' }, 'invalid_parameter'],
    [{ find: 'not to be found anywhere' }, 'nothing_found'],
    [{ find: 'page', pageNumbers: '99' }, 'page_out_of_range'],
  ];
  for (const [params, reason] of calls)
    assert.equal(failed(await edit('everything.pdf', params)).reason, reason, JSON.stringify(params));
});

test('texts of annotations and form fields stay, and are counted', { skip }, async () => {
  const document = (shown: string): Buffer =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>',
      '<< /Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 300 200] /Resources << /Font << /F 3 0 R >> >> >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Annots [6 0 R 7 0 R 8 0 R] >>',
      streamOf(`BT /F 12 Tf 20 100 Td (${shown}) Tj ET`),
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Smith) /Rect [20 20 120 40] /P 4 0 R >>',
      '<< /Type /Annot /Subtype /FreeText /Contents (by Smith) /DA (/F 12 Tf) /Rect [20 50 120 70] >>',
      '<< /Type /Annot /Subtype /Text /Contents (nothing) /Rect [20 50 120 70] >>',
    ]);
  const edited = await edit(document('Smith here'), { find: 'Smith', replace: 'Jones' });
  assert.equal(headersOf(edited)['X-Left-In-Annotations'], '2');
  const objects = qpdfObjects(made(edited));
  assert.match(JSON.stringify(objects), /Ada Smith.*by Smith/);
  const none = await edit(document('Nobody here'), { find: 'Smith', replace: 'Jones' });
  assert.match(none.state === 'failed' ? none.problem.detail : '', /stands in 2 annotations or form fields/);
  const other = await edit(document('Nobody here'), { find: 'Nobody', replace: 'Jones' });
  assert.equal(headersOf(other)['X-Left-In-Annotations'], '0');
});

test('glyphs that are called by the numbers of their codes are found', { skip }, async () => {
  const drawn = (code: number): string => `/${code} 5 0 R`;
  const codes = [...'Old Nwe'].map((letter) => letter.charCodeAt(0)).sort((a, b) => a - b);
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 200] /Resources << /Font << /F 6 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    streamOf('BT /F 12 Tf 20 100 Td (Old) Tj ET'),
    streamOf('500 0 0 0 500 500 d1 0 0 450 500 re f'),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 500] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 119
      /Widths [${Array(88).fill(500).join(' ')}] /Encoding << /Differences [${codes.map((code) => `${code} /${code}`).join(' ')}] >>
      /CharProcs << ${codes.map(drawn).join(' ')} >> >>`,
  ]);
  assert.match(pdftotext(bytes), /Old/);
  const edited = await edit(bytes, { find: 'Old', replace: 'New' });
  assert.match(pdftotext(made(edited)), /New/);
  assert.equal(headersOf(edited)['X-Unknown-Letters'], undefined);
});
