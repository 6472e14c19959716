import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { drawnPage, inkBox } from '../../../testing/oracles/page-images.ts';
import { objectsOf, plainBytes, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdftotext', 'pdftoppm', 'pdfimages');

const remove = (bytes: Uint8Array) =>
  runHere('general/remove-image-pdf', { files: { fileInput: { name: 'a.pdf', bytes } } });

const imageCount = (bytes: Buffer): number =>
  askProgram('pdfimages', ['-list', '{}'], bytes).split('\n').length - 3;

for (const file of ['everything.pdf', 'images-in-forms.pdf']) {
  test(`${file} loses its images and nothing else`, { skip }, async () => {
    const before = readFileSync(fixture(file));
    assert.ok(imageCount(before) > 0);
    const ran = await remove(before);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(madeName(ran), 'a_images_removed.pdf');
    assert.equal(imageCount(bytes), 0);
    assert.equal(objectsOf(bytes, '/Subtype', 'Image').length, 0);
    assert.equal(pdftotext(bytes), pdftotext(before));
    assert.deepEqual(surveyBytes(bytes), surveyBytes(before));
  });
}

const IMAGE = (data: string, more = '') =>
  streamOf(
    data.padEnd(16, 'x'),
    `/Subtype /Image /Width 4 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 8 ${more}`,
  );
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** Images in every place: on the page, inline, in a form, a pattern, an appearance, a mask, a thumbnail, a glyph. */
const EVERYWHERE = onePage({
  page: `/Thumb 6 0 R /Annots [14 0 R] /Resources << /Font << /F 5 0 R /T3 11 0 R >> /XObject << /Im 6 0 R /Fm 8 0 R >>
    /Pattern << /P 10 0 R >> /ExtGState << /Masked 16 0 R >> >>`,
  content: `q 99 0 0 99 0 0 cm /Im Do Q /Fm Do
    q 50 0 0 50 300 300 cm BI /W 1 /H 1 /CS /G /BPC 8 ID INLINEIMAGE EI Q
    q /Pattern cs /P scn 400 400 50 50 re f Q
    q /Masked gs 1 0 0 rg 500 600 50 50 re f Q
    BT /F 20 Tf 100 700 Td (BI and Do stay text) Tj ET BT /T3 20 Tf 100 500 Td (a) Tj ET
    0 0 1 rg 20 600 50 50 re f`,
  more: [
    FONT,
    IMAGE('PAGEIMAGE', '/SMask 7 0 R'),
    IMAGE('SOFTMASK'),
    streamOf(
      '/Deep Do 0 1 0 rg 200 20 50 50 re f',
      '/Subtype /Form /BBox [0 0 600 600] /Resources << /XObject << /Deep 9 0 R >> >>',
    ),
    IMAGE('FORMIMAGE'),
    streamOf(
      'q 9 0 0 9 0 0 cm /Im Do Q',
      '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /XObject << /Im 9 0 R >> >>',
    ),
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 12 0 R >> /Resources << /XObject << /G 13 0 R >> >> >>',
    streamOf('1 0 0 0 1 1 d1 /G Do'),
    streamOf(
      '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
      '/Subtype /Image /ImageMask true /Width 8 /Height 8 /BitsPerComponent 1',
    ),
    '<< /Type /Annot /Subtype /Stamp /Rect [300 50 350 100] /F 4 /AP << /N 15 0 R >> >>',
    streamOf(
      '9 0 0 9 0 0 cm /Im Do',
      '/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Im 9 0 R >> >>',
    ),
    '<< /Type /ExtGState /SMask << /S /Luminosity /G 17 0 R >> >>',
    streamOf(
      '600 0 0 600 0 0 cm /Im Do',
      '/Subtype /Form /Group << /S /Transparency /CS /DeviceGray >> /BBox [0 0 612 792] /Resources << /XObject << /Im 9 0 R >> >>',
    ),
  ],
});

test('images are gone from everywhere, what is drawn and written stays', { skip }, async () => {
  const bytes = made(await remove(EVERYWHERE));
  qpdfCheck(bytes);
  assert.equal(imageCount(bytes), 0);
  const raw = plainBytes(bytes);
  for (const word of ['PAGEIMAGE', 'SOFTMASK', 'INLINEIMAGE', 'FORMIMAGE', '/Thumb'])
    assert.ok(!raw.includes(word), word);
  assert.match(pdftotext(bytes), /BI and Do stay text/);
  const image = drawnPage(bytes);
  const colour = (x: number, y: number) => [...image.rgb.subarray(((791 - y) * 612 + x) * 3).subarray(0, 3)];
  assert.deepEqual(colour(40, 620), [0, 0, 255], 'vector graphics on the page');
  assert.deepEqual(colour(220, 40), [0, 255, 0], 'vector graphics in a form');
  assert.deepEqual(colour(520, 620), [255, 0, 0], 'what an image masked shows whole');
  assert.deepEqual(colour(110, 510), [0, 0, 0], 'letters that a font draws as images are text');
  for (const [x, y] of [
    [50, 50],
    [320, 320],
    [420, 420],
    [320, 70],
  ] as const)
    assert.deepEqual(colour(x, y), [255, 255, 255], `${x}, ${y}`);
});

test('a scan becomes a blank page', { skip }, async () => {
  const scan = onePage({
    content: '612 0 0 792 0 0 cm /Im Do',
    page: '/Resources << /XObject << /Im 5 0 R >> >>',
    more: [IMAGE('SCAN')],
  });
  assert.equal(inkBox(drawnPage(made(await remove(scan)))), undefined);
});

test('drawings that draw themselves come to an end', { skip }, async () => {
  const knot = onePage({
    content: '/A Do',
    page: '/Resources 5 0 R',
    more: [
      '<< /XObject << /A 6 0 R /B 7 0 R >> /Pattern << /P 6 0 R >> /ExtGState << /G << /SMask << /G 6 0 R >> >> >> /Font << /F 5 0 R >> >>',
      streamOf('/A Do /B Do', '/Subtype /Form /BBox [0 0 9 9] /Resources 5 0 R'),
      IMAGE('KNOT', '/SMask 7 0 R'),
    ],
  });
  assert.equal(objectsOf(made(await remove(knot)), '/Subtype', 'Image').length, 0);
});
