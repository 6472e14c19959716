import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES } from '../../../testing/documents/odd-pages.ts';
import { withBoxes } from '../../../testing/documents/widened-pages.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, inkBox, piece } from '../../../testing/oracles/page-images.ts';
import { objectsOf, plainBytes, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm', 'pdfimages');

const crop = (params: Record<string, string>, bytes: Uint8Array = readFileSync(fixture('everything.pdf'))) =>
  runHere('general/crop', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

const rectangle = (x: number, y: number, width: number, height: number): Record<string, string> =>
  Object.fromEntries(Object.entries({ x, y, width, height }).map(([key, value]) => [key, String(value)]));

/** All the text there is, pages made large again, so that nothing hides beside them. */
const allText = (bytes: Buffer): string =>
  pdftotext(
    withBoxes(bytes, () => [-2000, -2000, 8000, 8000]),
    '-nopgbrk',
  );

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const RESOURCES = '/Resources << /Font << /F 5 0 R >> >>';
const text = (content: string) => onePage({ content, page: RESOURCES, more: [FONT] });

test('pages are cut to the rectangle, of the page as displayed, clipped to each page', { skip }, async () => {
  const ran = await crop(rectangle(10, 20, 100, 14_400), ODD_PAGES);
  // Page 4 is only 36 by 24.
  assert.equal(failed(await crop(rectangle(10, 24, 100, 100), ODD_PAGES)).reason, 'invalid_parameter');
  const bytes = made(ran);
  qpdfCheck(bytes);
  assert.equal(madeName(ran), 'a_cropped.pdf');
  const boxes = objectsOf(bytes, '/Type', 'Page').map((page) => [page['/MediaBox'], page['/CropBox']]);
  const expected = [
    [10, 20, 110, 792],
    [1000, -190, 1280, -90],
    [190, 50, 290, 330],
    [0, 10, 26, 14],
    [10, 20, 110, 7000],
  ];
  assert.deepEqual(boxes.sort(), expected.map((box) => [box, box]).sort());
});

const TEXTS: [string, string, string[], string[]][] = [
  [
    'words of one string',
    'BT /F 20 Tf 20 400 Td (LEFT MIDDLE RIGHTMOST) Tj ET',
    ['MIDDLE'],
    ['LEFT', 'MOST'],
  ],
  [
    'words moved by numbers',
    'BT /F 20 Tf 20 400 Td [(LEFT)-3000(MIDDLE)-9000(RIGHT)] TJ ET',
    ['MIDDLE'],
    ['LEFT', 'RIGHT'],
  ],
  [
    'lines with spacing, stretching and rise',
    'BT /F 10 Tf 15 TL 1 Tc 20 Tw 150 Tz 2 Ts 100 760 Td (ABOVE) Tj 0 -360 Td (INSIDE) Tj T* (AGAIN) \' 3 1 (LAST) " 0 -300 TD (BELOW) Tj ET',
    ['INSIDE', 'AGAIN', 'LAST'],
    ['ABOVE', 'BELOW'],
  ],
  [
    'turned and mirrored text',
    'BT /F 20 Tf 0 1 -1 0 200 200 Tm (UPBELOW) Tj 1 0 0 1 0 0 Tm ET q -1 0 0 1 300 0 cm BT /F 20 Tf 100 400 Td (BACKWARDS) Tj ET Q',
    // Read from left to right.
    ['KCAB'],
    ['UPB'],
  ],
  [
    'what no font shows',
    'BT 100 400 Td (UNSEEN) Tj ET BT /F 20 Tf 100 400 Td (SEEN) Tj ET',
    ['SEEN'],
    ['UNSEEN'],
  ],
  ['hidden text', 'BT 3 Tr /F 20 Tf 20 400 Td (GHOST) Tj 100 0 Td (SHADE) Tj ET', ['SHADE'], ['GHOST']],
  [
    'words that stand for others',
    '/Span << /ActualText (SECRETWORD) >> BDC BT /F 20 Tf 20 700 Td (x) Tj ET EMC /Span << /ActualText (OPENWORD) >> BDC BT /F 20 Tf 120 400 Td (y) Tj ET EMC',
    ['OPENWORD'],
    ['SECRETWORD'],
  ],
];

for (const [name, content, left, gone] of TEXTS) {
  test(`text outside is gone, text inside stays: ${name}`, { skip }, async () => {
    const before = text(content);
    // From 80 to 180 across, from 300 to 500 up.
    const bytes = made(await crop(rectangle(80, 300, 120, 200), before));
    qpdfCheck(bytes);
    const found = allText(bytes).replace(/\s+/g, '');
    const raw = plainBytes(bytes);
    for (const word of left) assert.ok(found.includes(word), `${word} is missing in ${found}`);
    for (const word of gone) {
      assert.ok(!found.includes(word), `${word} is still in ${found}`);
      assert.ok(!raw.includes(word) && !raw.toLowerCase().includes(Buffer.from(word).toString('hex')), word);
    }
    const same = piece(drawnPage(before), 80, 292, 120, 200);
    assert.ok(difference(same, drawnPage(bytes)) < 0.002);
  });
}

test('text in nested forms, shared between places, is cut for each place', { skip }, async () => {
  const document = onePage({
    content: 'q 1 0 0 1 0 400 cm /Fm Do Q q 1 0 0 1 0 0 cm /Fm Do Q q 1 0 0 1 9000 0 cm /Gone Do Q',
    page: '/Resources << /XObject << /Fm 6 0 R /Gone 8 0 R >> >>',
    more: [
      FONT,
      streamOf(
        'q 1 0 0 1 50 0 cm /In Do Q',
        '/Subtype /Form /BBox [0 0 600 300] /Resources << /XObject << /In 7 0 R >> >>',
      ),
      streamOf(
        'BT /F 20 Tf 0 20 Td (LOW) Tj 0 80 Td (HIGH) Tj ET',
        `/Subtype /Form /BBox [0 0 600 300] ${RESOURCES}`,
      ),
      streamOf('BT /F 20 Tf (NEVER) Tj ET', `/Subtype /Form /BBox [0 0 600 300] ${RESOURCES}`),
    ],
  });
  const bytes = made(await crop(rectangle(0, 80, 612, 360), document));
  // Of the upper drawing the lower line, of the lower drawing the upper line.
  assert.deepEqual(allText(bytes).split(/\s+/).filter(Boolean).sort(), ['HIGH', 'LOW']);
  assert.ok(!plainBytes(bytes).includes('NEVER'));
});

test('text in soft masks is cut to what the mask does inside', { skip }, async () => {
  const mask = (group: number) => `<< /SMask << /S /Luminosity /G ${group} 0 R >> >>`;
  const group = `/Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceGray >> ${RESOURCES}`;
  const document = onePage({
    content:
      '/A gs 0 0 1 rg 0 0 612 792 re f q 1 0 0 1 0 -300 cm /A gs 1 0 0 rg 0 0 612 792 re f Q /B gs 9 9 9 9 re f',
    page: `/Resources << /ExtGState << /A ${mask(6)} /B ${mask(7)} >> >>`,
    more: [
      FONT,
      streamOf('1 g BT /F 40 Tf 100 400 Td (INSIDE) Tj 0 300 Td (UPPER) Tj 0 -600 Td (LOWER) Tj ET', group),
      streamOf('1 g BT /F 40 Tf 100 100 Td (NEVER) Tj ET', group),
    ],
  });
  const bytes = made(await crop(rectangle(80, 350, 400, 100), document));
  qpdfCheck(bytes);
  const raw = plainBytes(bytes);
  for (const word of ['LOWER', 'NEVER']) assert.ok(!raw.includes(word), word);
  const same = piece(drawnPage(document), 80, 342, 400, 100);
  assert.ok(difference(same, drawnPage(bytes)) < 0.002);
});

/** A grey image of 4 by 4 pixels, bright to dark; `(SECRET)` in the last row. */
const IMAGE = streamOf(
  'abcdefghijklSECR',
  '/Subtype /Image /Width 4 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 8',
);

test('images outside leave the file, those on the edge lose what is outside', { skip }, async () => {
  const document = onePage({
    content:
      'q 100 0 0 100 100 100 cm /Im Do Q q 40 0 0 40 500 500 cm /Out Do Q q 20 0 0 20 500 20 cm BI /W 1 /H 1 /CS /G /BPC 8 ID xxINLINExx EI Q',
    page: '/Resources << /XObject << /Im 5 0 R /Out 6 0 R >> >>',
    more: [
      IMAGE,
      streamOf('OUTSIDE!', '/Subtype /Image /Width 8 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'),
    ],
  });
  const bytes = made(await crop(rectangle(0, 130, 160, 300), document));
  const raw = plainBytes(bytes);
  assert.ok(!raw.includes('OUTSIDE!') && !raw.includes('INLINE'));
  const images = askProgram('pdfimages', ['-list', '{}'], bytes).split('\n').slice(2, -1);
  // Rows up to the one that holds y = 130, columns up to the one that holds x = 160.
  assert.deepEqual(
    images.map((line) => line.trim().split(/\s+/).slice(3, 5)),
    [['3', '3']],
  );
  assert.ok(!raw.includes('SECR') && raw.includes('abc'));
  const same = piece(drawnPage(document), 0, 792 - 430, 160, 300);
  assert.ok(difference(same, drawnPage(bytes)) < 0.02);
});

test('drawings outside go, those on the edge stay, clips stay', { skip }, async () => {
  const content = [
    '0 0 10 10 re W n',
    'q 500 500 20.125 20 re f Q',
    '1 0 0 RG 40 w 0 95 m 300 95 l S',
    '/P cs 20 20 30.25 30 re f',
    '5 w 100 100 m 150 150 l 400 400 500 500 600 600 c s',
  ].join('\n');
  const bytes = made(await crop(rectangle(100, 100, 200, 200), onePage({ content })));
  const raw = plainBytes(bytes);
  assert.ok(!raw.includes('20.125') && !raw.includes('30.25'));
  for (const kept of ['0 0 10 10 re W n', '0 95 m', '400 400 500']) assert.ok(raw.includes(kept), kept);
});

const FORM = onePage({
  catalog: `/AcroForm << /Fields [5 0 R 6 0 R] >> /StructTreeRoot 9 0 R /MarkInfo << /Marked true >>`,
  page: `/Annots [5 0 R 6 0 R 7 0 R 8 0 R] /StructParents 0 /Thumb 13 0 R /PieceInfo << /X << /Private (PRIVATE) >> >> /Resources << /Font << /F 12 0 R >> >>`,
  content:
    '/P << /MCID 0 >> BDC BT /F 20 Tf 50 700 Td (GONE) Tj ET EMC /P << /MCID 1 >> BDC BT /F 20 Tf 50 100 Td (HERE) Tj ET EMC',
  more: [
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (out) /V (OUTVALUE) /Rect [50 600 100 620] /StructParent 1 >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (in) /V (INVALUE) /Rect [50 50 100 70] >>',
    '<< /Type /Annot /Subtype /Text /Contents (NOTE) /Rect [500 500 520 520] /Popup 8 0 R >>',
    '<< /Type /Annot /Subtype /Popup /Parent 7 0 R /Rect [0 0 100 100] >>',
    '<< /Type /StructTreeRoot /K 10 0 R /ParentTree << /Nums [0 [11 0 R 10 0 R] 1 11 0 R] >> >>',
    '<< /Type /StructElem /S /Document /P 9 0 R /Pg 3 0 R /Alt (WHOLEALT) /K [11 0 R 1] >>',
    '<< /Type /StructElem /S /P /P 10 0 R /Pg 3 0 R /Alt (GONEALT) /K [0 << /Type /OBJR /Obj 5 0 R >>] >>',
    FONT,
    streamOf('THUMBNAI', '/Width 8 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'),
  ],
});

test('annotations, fields, tags, thumbnails and private data outside go', { skip }, async () => {
  const bytes = made(await crop(rectangle(0, 0, 300, 300), FORM));
  qpdfCheck(bytes);
  const raw = plainBytes(bytes);
  for (const word of ['OUTVALUE', 'NOTE', 'GONEALT', 'WHOLEALT', 'THUMBNAI', 'PRIVATE', '(GONE)'])
    assert.ok(!raw.includes(word), word);
  const survey = surveyBytes(bytes);
  assert.deepEqual(survey.fields, [{ name: 'in', value: 'INVALUE', widgets: 1 }]);
  assert.deepEqual(survey.annotations, { Widget: 1 });
  assert.equal(survey.structureElements, 2);
  assert.match(pdftotext(bytes), /HERE/);
});

test('removeDataOutsideCrop=false only sets the boxes', { skip }, async () => {
  const bytes = made(await crop({ ...rectangle(0, 0, 300, 300), removeDataOutsideCrop: 'false' }, FORM));
  assert.match(pdfinfo(bytes)['Page size'] ?? '', /^300 x 300/);
  assert.match(plainBytes(bytes), /\(GONE\)/);
  assert.deepEqual(surveyBytes(bytes), surveyBytes(FORM));
});

test('autoCrop trims white margins page by page and leaves blank pages', { skip }, async () => {
  const before = readFileSync(fixture('everything.pdf'));
  const bytes = made(await crop({ autoCrop: 'true', x: '9999' }, before));
  qpdfCheck(bytes);
  assert.equal(pdfinfo(bytes).Pages, pdfinfo(before).Pages);
  for (const page of [1, 2, 3]) {
    const ink = inkBox(drawnPage(before, page)) ?? [0, 0, 0, 0];
    const drawn = drawnPage(bytes, page);
    const [width, height] = [ink[2] - ink[0], ink[3] - ink[1]];
    assert.ok(drawn.width >= width && drawn.width < width + 8, `page ${page}: ${drawn.width} of ${width}`);
    assert.ok(
      drawn.height >= height && drawn.height < height + 8,
      `page ${page}: ${drawn.height} of ${height}`,
    );
  }
  assert.equal(
    pdfinfo(bytes, '-f', '4', '-l', '4')['Page    4 size'],
    pdfinfo(before, '-f', '4', '-l', '4')['Page    4 size'],
  );
  assert.equal(allText(bytes).replace(/\s+/g, ''), pdftotext(before, '-nopgbrk').replace(/\s+/g, ''));
});

test('a page whose content makes no sense still gives a result', { skip }, async () => {
  for (const content of [
    'q q Q Q Q Q ] >> ) } BT (unclosed',
    '<< /a [ << /b [ 1 2 (x) Tj',
    'BI /W 9 ID no end',
    `${'['.repeat(5000)} TJ ${'q '.repeat(5000)}`,
    '/Fm Do /Fm Do 1 0 0 0 0 0 cm 1e999 --5 w 1.2.3 0 m 4- l S',
  ]) {
    const self = streamOf(
      '/Fm Do q 2 0 0 2 0 0 cm /Fm Do Q',
      '/Subtype /Form /BBox [0 0 9999 9999] /Resources << /XObject << /Fm 5 0 R >> >>',
    );
    const document = onePage({ content, page: '/Resources << /XObject << /Fm 5 0 R >> >>', more: [self] });
    const bytes = made(await crop(rectangle(10, 10, 50, 50), document));
    assert.match(pdfinfo(bytes)['Page size'] ?? '', /^50 x 50/);
  }
});

const REFUSED: [Record<string, string>, string][] = [
  [{}, 'x, y, width, height'],
  [{ x: '1', y: '1', width: '10' }, 'height'],
  [rectangle(-14_401, 0, 10, 10), 'x'],
  [rectangle(0, 14_401, 10, 10), 'y'],
  [rectangle(0, 0, 0, 10), 'width'],
  [rectangle(0, 0, 10, 14_401), 'height'],
  [rectangle(700, 0, 10, 10), 'page 1'],
  [{ ...rectangle(0, 0, 10, 10), removeDataOutsideCrop: 'x' }, 'removeDataOutsideCrop'],
  [{ autoCrop: 'x' }, 'autoCrop'],
];

for (const [params, word] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${word}`, async () => {
    const problem = failed(await crop(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(word), problem.detail);
  });
}
