import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fixture, inMemory, onePagePdf, quiet, stream } from '../../../../testing/documents/small-pdf.ts';
import type { DrawnPage } from '../../../contract/page-items.ts';
import { loadLibrary } from '../library.ts';
import { openDocument } from '../open.ts';
import { createPdfium } from '../pdfium.ts';
import { askChars, CHAR, CHAR_WORDS, copyChars } from './pdfium-memory.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

function readFirstPage(content: string, options: Parameters<typeof onePagePdf>[1] = {}): DrawnPage {
  using document = pdfium.open(inMemory('x.pdf', onePagePdf(content, options)));
  return document.readPage(0);
}

const textOf = ({ glyphs }: DrawnPage): string => String.fromCodePoint(...glyphs.codes);

test('records read from memory are what the calls say of each character', async () => {
  const library = await loadLibrary();
  const { native } = library;
  for (const name of ['text-two-pages.pdf', 'reading.pdf', 'embedded-fonts.pdf']) {
    const opened = openDocument(library, fixture(name), []);
    const page = native.FPDF_LoadPage(opened.handle, 0);
    const text = native.FPDFText_LoadPage(page);
    const count = native.FPDFText_CountChars(text);
    const copied = copyChars(library, text, count);
    assert.ok(copied && count > 10, `${name}: the memory is laid out as expected`);
    const asked = askChars(library, text, count);
    for (let i = 0; i < count; i += 1) {
      for (const field of [
        CHAR.originX,
        CHAR.originY,
        CHAR.left,
        CHAR.top,
        CHAR.a,
        CHAR.d,
        CHAR.looseRight,
      ] as const)
        assert.equal(
          copied.f[i * CHAR_WORDS + field],
          asked.f[i * CHAR_WORDS + field],
          `${name} ${i} ${field}`,
        );
      for (const field of [CHAR.unicode, CHAR.object] as const)
        assert.equal(
          copied.u[i * CHAR_WORDS + field],
          asked.u[i * CHAR_WORDS + field],
          `${name} ${i} ${field}`,
        );
    }
    native.FPDFText_ClosePage(text);
    native.FPDF_ClosePage(page);
    native.FPDF_CloseDocument(opened.handle);
    opened.source.close();
  }
});

test('glyphs stand where the page shows them, whatever its crop box and rotation', () => {
  const content = 'BT /F 12 Tf 30 40 Td (ab) Tj ET';
  const [plain, cropped, turned, over] = ['', '/CropBox [10 20 200 100]', '/Rotate 90', '/Rotate 180'].map(
    (page) => readFirstPage(content, { page }),
  ) as [DrawnPage, DrawnPage, DrawnPage, DrawnPage];
  const at = ({ glyphs }: DrawnPage): number[] => [...glyphs.origins.subarray(0, 2), glyphs.turns[0] ?? -1];
  assert.deepEqual(at(plain), [30, 60, 0]);
  assert.deepEqual(at(cropped), [20, 60, 0]);
  assert.deepEqual([turned.width, turned.height, ...at(turned)], [100, 200, 40, 30, 90]);
  assert.deepEqual(at(over), [170, 40, 180]);
  assert.ok(Math.abs((turned.glyphs.advances[0] ?? 0) - (plain.glyphs.advances[0] ?? 0)) < 0.01);
});

test('lines are told however they were drawn: stroked, as thin areas, as sides of a rectangle', () => {
  const { rules, fills, curves } = readFirstPage(
    '10 20 m 110 20 l S 1 0 0 rg 10 30 100 0.5 re f 0 0 1 rg 20 50 80 30 re f 120 10 40 60 re S 5 5 m 60 90 l S',
  );
  const told = rules.map(
    ({ axis, at, from, to }) => `${axis[0]} ${[at, from, to].map(Math.round).join(' ')}`,
  );
  assert.deepEqual(told.slice(0, 2), ['h 80 10 110', 'h 70 10 110']);
  assert.deepEqual(told.slice(2).sort(), ['h 30 120 160', 'h 90 120 160', 'v 120 30 90', 'v 160 30 90']);
  assert.equal(rules[1]?.color, '#ff0000');
  assert.deepEqual(fills, [{ box: { x: 20, y: 20, width: 80, height: 30 }, color: '#0000ff' }]);
  assert.equal(curves.length, 1, 'the slanted line');
});

test('a line that is one pixel drawn long is a line, not an image', () => {
  const { rules, images } = readFirstPage(
    '1 0 0 rg q 100 0 0 0.5 10 20 cm /M Do Q q 0.5 0 0 40 10 20 cm /M Do Q q 30 0 0 30 60 50 cm /M Do Q',
    {
      resources: '/XObject << /M 6 0 R >>',
      further: [
        stream('\0', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ImageMask true /BitsPerComponent 1'),
      ],
    },
  );
  assert.deepEqual(
    rules.map(({ axis, at, from, to, color }) => [axis[0], Math.round(at), from, to, color]),
    [
      ['h', 80, 10, 110, '#ff0000'],
      ['v', 10, 40, 80, '#ff0000'],
    ],
  );
  assert.deepEqual(
    images.map(({ id }) => id),
    [2],
  );
});

test('an area is as large as its clips leave it', () => {
  const { fills, rules } = readFirstPage(
    'q 10 20 50 15 re W n 0 0 1 rg 0 0 200 100 re f Q q 10 50 90 1 re W n 0 0 200 100 re f Q q 300 0 5 5 re W n 0 0 200 100 re f Q',
  );
  assert.deepEqual(fills, [{ box: { x: 10, y: 65, width: 50, height: 15 }, color: '#0000ff' }]);
  assert.deepEqual(
    rules.map(({ at, from, to }) => [at, from, to]),
    [[49.5, 10, 100]],
  );
});

test('images, links and hidden text are told with their places', () => {
  const { images, links, glyphs } = readFirstPage(
    'q 50 0 0 20 10 60 cm /I Do Q BT 3 Tr /F 10 Tf 15 65 Td (h) Tj ET',
    {
      resources: '/XObject << /I 6 0 R >>',
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [10 10 60 30] /A << /S /URI /URI (https://example.org/) >> >>]',
      further: [
        stream(
          '\0\0\0',
          '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
        ),
      ],
    },
  );
  assert.deepEqual(
    images.map(({ box, upright, pixelWidth }) => [box, upright, pixelWidth]),
    [[{ x: 10, y: 20, width: 50, height: 20 }, true, 1]],
  );
  assert.deepEqual(links, [
    { box: { x: 10, y: 70, width: 50, height: 20 }, target: { url: 'https://example.org/' } },
  ]);
  assert.equal(glyphs.looks[0]?.paint, 'none');
});

test('each glyph knows its marked content, though all are drawn in one state', () => {
  const { glyphs } = readFirstPage(
    'BT /F 12 Tf 10 40 Td /P << /MCID 3 >> BDC (a) Tj EMC /P << /MCID 4 >> BDC (b) Tj EMC (c) Tj ET',
  );
  const contents = Array.from(glyphs.lookOf, (look) => glyphs.looks[look]?.markedContent);
  assert.deepEqual(contents, [3, 4, -1]);
});

test('values of fields are read like any other text', () => {
  using document = pdfium.open(fixture('form-fields.pdf'));
  const before = document.pageText(0);
  const read = textOf(document.readPage(0));
  assert.ok(read.replace(/\s/g, '').length > before.replace(/\s/g, '').length, read);
});

test('a part of a page is drawn as it is seen', () => {
  using document = pdfium.open(inMemory('x.pdf', onePagePdf('1 0 0 rg 50 50 50 50 re f')));
  const { width, height, rgba } = document.renderArea(0, { x: 50, y: 0, width: 60, height: 50 }, 2);
  assert.deepEqual([width, height], [120, 100]);
  const pixel = (x: number, y: number): number[] => [
    ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
  ];
  assert.deepEqual(
    [pixel(10, 10), pixel(110, 10)],
    [
      [255, 0, 0],
      [255, 255, 255],
    ],
  );
});
