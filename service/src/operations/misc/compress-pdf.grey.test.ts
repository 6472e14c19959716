import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { raster } from '../../../testing/oracles/compression.ts';
import { missing, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdftotext', 'pdftoppm');

async function greyed(bytes: Uint8Array, params: Record<string, string> = {}): Promise<Buffer> {
  const ran = await runHere('misc/compress-pdf', {
    files: { fileInput: { name: 'given.pdf', bytes } },
    params: { grayscale: 'true', ...params },
  });
  assert.notEqual(ran.state === 'made' && ran.result.headers?.['X-Compression-Result'], 'unchanged');
  return made(ran);
}

const pixelsOf = (picture: Buffer): Buffer =>
  picture.subarray(/^P6\s+\d+\s+\d+\s+255\s/.exec(picture.toString('latin1', 0, 40))?.[0].length ?? 0);

/** How many pixels have a colour. */
function coloured(bytes: Uint8Array): number {
  const pixels = pixelsOf(raster(bytes));
  let count = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
    if (Math.max(r, g, b) - Math.min(r, g, b) > 2) count += 1;
  }
  return count;
}

/** The part of the page that is clearly brighter or darker than it was. */
function changed(before: Uint8Array, after: Uint8Array): number {
  const [old, made] = [pixelsOf(raster(before)), pixelsOf(raster(after))];
  let count = 0;
  for (let at = 0; at < old.length; at += 3) {
    const light = (from: Buffer): number =>
      0.299 * (from[at] ?? 0) + 0.587 * (from[at + 1] ?? 0) + 0.114 * (from[at + 2] ?? 0);
    if (Math.abs(light(old) - light(made)) > 24) count += 1;
  }
  return (3 * count) / old.length;
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const LAB = '[/Lab << /WhitePoint [0.9505 1 1.089] /Range [-100 100 -100 100] >>]';
const tint = (c1: string): string => `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [${c1}] >>`;
const SPOT = `[/Separation /Orange /DeviceCMYK ${tint('0 0.6 1 0')}]`;
const PALETTE = '[/Indexed /DeviceRGB 3 <ff000000ff000000ffffff00>]';
const FADE = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 0 0] /C1 [0 0 1] >>';
/** Three corners: flag, place and colour, eight bits each. */
const CORNERS = '000000ff0000' + '00ff0000ff00' + '0080ff0000ff';
const image = (entries: string, data: string): string =>
  streamOf(`${data}>`, `/Type /XObject /Subtype /Image /Filter /ASCIIHexDecode ${entries}`);

const PAGE = onePage({
  page:
    '/Annots [19 0 R 20 0 R << /Type /Annot /Subtype /Square /F 4 /Rect [500 20 560 60] /C [0 0.6 0] /IC [1 0.8 0] >>] ' +
    `/Resources << /Font << /F 5 0 R /Drawn 18 0 R >> /ColorSpace << /Lab ${LAB} /Spot ${SPOT} /Map ${PALETTE} /Under [/Pattern /DeviceRGB] >> ` +
    '/Shading << /Line 6 0 R /Round 7 0 R /Mesh 8 0 R >> /Pattern << /Own 9 0 R /Lent 10 0 R /Fade << /PatternType 2 /Shading 6 0 R >> >> ' +
    '/XObject << /Form 11 0 R /Keyed 12 0 R /Deep 13 0 R /Lab 14 0 R /Inks 15 0 R /Rgb 16 0 R /Spot 17 0 R >> >>',
  content: `${'% a page with every kind of colour\n'.repeat(200)}
    1 0 0 rg BT /F 30 Tf 40 740 Td (red words) Tj ET 0 0.2 0.9 0.1 k BT /F 30 Tf 240 740 Td (ink words) Tj ET
    0 0 1 RG 4 w 40 720 m 560 720 l S 0 0.8 0 0 K 40 710 m 560 710 l S
    /Lab cs 60 70 20 sc 40 640 60 60 re f /Spot cs 0.8 scn 110 640 60 60 re f /Map cs 2 sc 180 640 60 60 re f
    /DeviceRGB cs 0 1 0 sc 250 640 60 60 re f
    q 320 640 60 60 re W n /Line sh Q q 390 640 60 60 re W n /Round sh Q q 1 0 0 1 460 640 cm 0.25 0 0 0.25 0 0 cm /Mesh sh Q
    /Pattern cs /Own scn 40 560 60 60 re f /Under cs 0.9 0.1 0.4 /Lent scn 110 560 60 60 re f /Pattern cs /Fade scn 320 560 60 60 re f
    q 60 0 0 60 180 560 cm BI /W 2 /H 1 /CS /RGB /BPC 8 /F /AHx ID ff000000c8ff> EI Q
    q 60 0 0 60 250 560 cm BI /W 2 /H 2 /CS /Map /BPC 2 /F /AHx ID 10b0> EI Q
    /Form Do
    q 80 0 0 80 40 380 cm /Keyed Do Q q 80 0 0 80 130 380 cm /Deep Do Q q 80 0 0 80 220 380 cm /Lab Do Q
    q 80 0 0 80 310 380 cm /Inks Do Q q 80 0 0 80 400 380 cm /Rgb Do Q q 80 0 0 80 490 380 cm /Spot Do Q
    0.8 0 0.8 rg BT /Drawn 40 Tf 40 300 Td (A) Tj ET`,
  more: [
    HELVETICA,
    `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [320 0 380 0] /Function ${FADE} /Extend [true true] >>`,
    `<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [420 670 0 420 670 30] /Function ${FADE} /Background [0 1 1] >>`,
    streamOf(
      `${CORNERS}>`,
      '/ShadingType 4 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [0 255 0 255 0 1 0 1 0 1] /Filter /ASCIIHexDecode',
    ),
    streamOf(
      '0 0.6 0.3 rg 0 0 5 5 re f 1 0 0 rg 5 5 5 5 re f',
      '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
    ),
    streamOf(
      '0 0 5 5 re f',
      '/PatternType 1 /PaintType 2 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
    ),
    streamOf(
      '1 0.5 0 rg 40 470 100 60 re f 0 0 1 RG 150 470 100 60 re S',
      '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << >>',
    ),
    image(
      '/Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask [255 255 0 0 0 0]',
      'ff000000ff000000ffffff00',
    ),
    image('/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 4', 'f000c8'),
    image(`/Width 2 /Height 1 /ColorSpace ${LAB} /BitsPerComponent 8`, '80ff4080400f'),
    image('/Width 2 /Height 1 /ColorSpace /DeviceCMYK /BitsPerComponent 8', 'ff00000000ff8000'),
    image(
      '/Width 40 /Height 40 /ColorSpace /DeviceRGB /BitsPerComponent 8',
      'e01050'.repeat(800) + '10d0a0'.repeat(800),
    ),
    image(`/Width 4 /Height 1 /ColorSpace ${SPOT} /BitsPerComponent 8`, '4080c0ff'),
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar 65 /Widths [1000] /Encoding << /Differences [65 /A] >> /CharProcs << /A 21 0 R >> /Resources << >> >>',
    '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [300 280 400 330] /AP << /N 22 0 R >> >>',
    '<< /Type /Annot /Subtype /FreeText /F 4 /Rect [420 280 560 330] /DA (/F 20 Tf 1 0 0 rg) /Contents (note) /AP << /N 22 0 R >> >>',
    streamOf('1000 0 d0 0 0.7 0 rg 0 0 800 800 re f'),
    streamOf(
      '1 0 0 rg 0 0 50 50 re f 0 0 1 rg 50 0 50 50 re f',
      '/Type /XObject /Subtype /Form /BBox [0 0 100 50] /Resources << >>',
    ),
  ],
});

test('grayscale leaves no colour: text, lines, areas, gradients, patterns, images, annotations', {
  skip,
}, async () => {
  assert.ok(coloured(PAGE) > 10_000);
  for (const optimizeLevel of ['1', '3', '5', '9']) {
    const bytes = await greyed(PAGE, { optimizeLevel });
    qpdfCheck(bytes);
    assert.equal(coloured(bytes), 0, optimizeLevel);
    assert.ok(changed(PAGE, bytes) < 0.02, `${changed(PAGE, bytes)} at level ${optimizeLevel}`);
    assert.equal(pdftotext(bytes), pdftotext(PAGE));
  }
  assert.equal(coloured(await greyed(PAGE, { expectedOutputSize: '10KB' })), 0);
});

test('a document with everything becomes grey and stays what it is', { skip }, async () => {
  const source = readFileSync(fixture('everything.pdf'));
  const bytes = await greyed(source);
  assert.equal(coloured(bytes), 0);
  assert.equal(pdftotext(bytes), pdftotext(source));
});
