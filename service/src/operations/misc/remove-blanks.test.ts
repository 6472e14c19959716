import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, fixture, noCorpus } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { surveyBytes } from '../../../testing/oracles/pages.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext');
const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere('misc/remove-blanks', { files: { fileInput: { name: 'a.pdf', bytes } }, params });
const parts = async (bytes: Uint8Array, params: Record<string, string> = {}) => {
  const ran = await run(bytes, params);
  assert.equal(madeName(ran), 'a_processed.zip');
  const entries = await zipEntries(made(ran));
  for (const { bytes: part } of entries) qpdfCheck(part, { tolerant: true });
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.bytes]));
};

interface PageOf {
  content?: string;
  page?: string;
}
const document = (...pages: PageOf[]) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${5 + i * 2} 0 R`).join(' ')}] /MediaBox [0 0 200 100] /Resources << /Font << /F 3 0 R >> /XObject << /White 4 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    streamOf(
      '\xff',
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
    ),
    ...pages.flatMap(({ content = '', page = '' }, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${6 + i * 2} 0 R ${page} >>`,
      streamOf(content),
    ]),
  ]);

const text = (words: string, more = '') => `BT ${more} /F 12 Tf 10 50 Td (${words}) Tj ET`;
const NOTE = '/Rect [10 10 90 30] /F 4 /BS << /W 0 >>';
/** Text as small as on a page of the usual size. */
const FEW_PIXELS = { whitePercent: '90' };
const CASES: [what: string, page: PageOf, isBlank: boolean, params?: Record<string, string>][] = [
  ['nothing', {}, true],
  ['one small word', { content: text('.') }, false],
  ['spaces', { content: text('   ') }, true],
  ['text that is not drawn', { content: text('under a scan', '3 Tr') }, true],
  ['text beside the page', { content: 'BT /F 12 Tf 900 900 Td (gone) Tj ET' }, true],
  ['white text', { content: `1 g ${text('white')}` }, true],
  ['white text on black', { content: `0 0 200 100 re f 1 g ${text('white')}` }, false],
  ['text outside the crop box', { content: text('cut'), page: '/CropBox [100 80 200 100]' }, true],
  ['a white image', { content: 'q 200 0 0 100 0 0 cm /White Do Q' }, true],
  ['a black square', { content: '10 10 20 20 re f' }, false],
  ['a speck', { content: '10 10 3 3 re f' }, true],
  ['a speck, none allowed', { content: '10 10 3 3 re f' }, false, { whitePercent: '100' }],
  ['light grey', { content: '0.97 g 0 0 200 100 re f' }, true],
  ['light grey, white only', { content: '0.97 g 0 0 200 100 re f' }, false, { threshold: '0' }],
  ['dark grey, much allowed', { content: '0.3 g 0 0 200 100 re f' }, true, { threshold: '255' }],
  ['half black, half allowed', { content: '0 0 90 100 re f' }, true, { whitePercent: '50' }],
  [
    'an annotation alone',
    { page: '/Annots [<< /Type /Annot /Subtype /Square /Rect [10 10 90 90] /C [0 0 0] /IC [0 0 0] /F 4 >>]' },
    false,
  ],
  [
    'a typed note alone',
    { page: `/Annots [<< /Type /Annot /Subtype /FreeText ${NOTE} /Contents (4711) /DA (/Helv 6 Tf 0 g) >>]` },
    false,
    FEW_PIXELS,
  ],
  ['a typed note without text', { page: `/Annots [<< /Type /Annot /Subtype /FreeText ${NOTE} >>]` }, true],
  [
    'a note that is hidden',
    {
      page: `/Annots [<< /Type /Annot /Subtype /FreeText /Rect [10 10 90 30] /F 2 /Contents (4711) /DA (/Helv 6 Tf 0 g) >>]`,
    },
    true,
  ],
];
for (const [what, page, isBlank, params = {}] of CASES) {
  test(`${isBlank ? 'blank' : 'not blank'}: ${what}`, { skip }, async () => {
    assert.deepEqual(Object.keys(await parts(document(page), params)), [
      isBlank ? 'a_allBlankPages.pdf' : 'a_nonBlankPages.pdf',
    ]);
  });
}

test('a page that shows the value of a field alone is not blank', { skip }, async () => {
  const widget = (more: string) =>
    `<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [10 10 90 30] /F 4 /DA (/F 6 Tf 0 g) ${more} >>`;
  const look = streamOf(
    'BT /F 6 Tf 2 5 Td (4711) Tj ET',
    '/Type /XObject /Subtype /Form /BBox [0 0 80 20] /Resources << /Font << /F 4 0 R >> >>',
  );
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 8 0 R 10 0 R] /DR << /Font << /F 4 0 R >> >> >> >>',
    '<< /Type /Pages /Count 3 /Kids [5 0 R 7 0 R 9 0 R] /MediaBox [0 0 200 100] >>',
    look,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...['/T (a) /V (4711) /AP << /N 3 0 R >>', '/T (b) /V (4711)', '/T (c)'].flatMap((more, i) => [
      `<< /Type /Page /Parent 2 0 R /Annots [${6 + 2 * i} 0 R] >>`,
      widget(more),
    ]),
  ]);
  const entries = await parts(bytes, FEW_PIXELS);
  assert.deepEqual(
    Object.entries(entries).map(([name, part]) => [name, pdfinfo(part).Pages]),
    [
      ['a_nonBlankPages.pdf', '2'],
      ['a_blankPages.pdf', '1'],
    ],
  );
});

test('pages are told apart and keep their order', { skip }, async () => {
  const entries = await parts(
    document({ content: text('one') }, {}, { content: text('three') }, {}, {}, { content: text('six') }),
  );
  assert.deepEqual(Object.keys(entries), ['a_nonBlankPages.pdf', 'a_blankPages.pdf']);
  const [kept = Buffer.alloc(0), blank = Buffer.alloc(0)] = Object.values(entries);
  assert.deepEqual(pdftotext(kept).split(/\s+/).filter(Boolean), ['one', 'three', 'six']);
  assert.equal(pdfinfo(blank).Pages, '3');
});

test('what belongs to the pages stays with them', { skip }, async () => {
  const bytes = readFileSync(fixture('everything.pdf'));
  const entries = await parts(bytes);
  const before = surveyBytes(bytes);
  const kept = surveyBytes(entries['a_nonBlankPages.pdf'] ?? Buffer.alloc(0));
  const blank = surveyBytes(entries['a_blankPages.pdf'] ?? Buffer.alloc(0));
  assert.equal(kept.pages + blank.pages, before.pages);
  assert.deepEqual(kept.fields, before.fields);
  assert.deepEqual(kept.attachments, before.attachments);
  assert.deepEqual(blank.attachments, []);
});

test('each field refuses what is out of its bounds', async () => {
  for (const [field, ...bad] of [
    ['threshold', '-1', '256', '1.5', 'x'],
    ['whitePercent', '0', '100.1', 'x'],
  ] as const) {
    for (const value of bad) {
      const problem = failed(await run(document({}), { [field]: value }));
      assert.equal(problem.reason, 'invalid_parameter');
      assert.match(problem.detail, new RegExp(field));
    }
  }
});

test('documents of a collection lose no page', { skip: noCorpus() || skip }, async () => {
  for (const path of corpus('pdf/blank', 'pdf/scanned', 'pdf/rotated', 'pdf/malformed')) {
    const bytes = readFileSync(path);
    const ran = await run(bytes);
    if (ran.state === 'failed' && ran.problem.reason === 'invalid_pdf') {
      assert.throws(() => surveyBytes(bytes), /not a readable PDF/, path);
      continue;
    }
    const entries = Object.values(await parts(bytes));
    const pages = entries.map((part) => Number(pdfinfo(part).Pages)).reduce((sum, n) => sum + n, 0);
    assert.equal(pages, surveyBytes(bytes).pages, path);
  }
});
