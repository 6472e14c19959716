// Pages of every awkward kind to draw on, and images of results that somebody has looked at.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { fixture } from '../documents/collection.ts';
import { pdfOf, streamOf } from '../documents/written-pdf.ts';
import { runProgram } from './small-shell.ts';

/** A frame, an arrow upwards, a word, a grey area and a small image. */
const content = (left: number, bottom: number, width: number, height: number, word: string): string =>
  [
    `q 1 0 0 1 ${left} ${bottom} cm`,
    `1 w 0.2 0.4 0.8 RG 8 8 ${width - 16} ${height - 16} re S`,
    `0.75 g 30 30 60 40 re f 0 g`,
    `BT /F1 16 Tf 30 ${height - 50} Td (${word}) Tj ET`,
    `2 w 0 G ${width - 40} 60 m ${width - 40} 110 l ${width - 48} 98 m ${width - 40} 110 l ${width - 32} 98 l S`,
    `q 60 0 0 40 110 30 cm /Im Do Q`,
    'Q',
  ].join('\n');

const RESOURCES = '/Resources << /Font << /F1 8 0 R >> /XObject << /Im 9 0 R >> >>';

/**
 * Four pages that show 300 by 400 points: plain, turned, with odd boxes and a unit of its own, and one whose content
 * leaves the graphics state scaled, with a saved state open.
 */
export const AWKWARD_PAGES = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R 6 0 R] /Count 4 ${RESOURCES} >>`,
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 7 0 R >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Rotate 90 /Contents 10 0 R >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [450 350 -50 -30] /CropBox [20 40 420 340] /Rotate 270 /UserUnit 1.5 /Contents 11 0 R >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents [12 0 R 13 0 R] >>',
  streamOf(content(0, 0, 300, 400, 'Plain')),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  streamOf(
    '\xff\x00\x00\x00\xc0\x00\x00\x00\xff\xff\xff\x00',
    '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8',
  ),
  streamOf(`q 0 1 -1 0 400 0 cm ${content(0, 0, 300, 400, 'Turned')} Q`),
  streamOf(`q 0 -1 1 0 20 340 cm ${content(0, 0, 300, 400, 'Odd boxes')} Q`),
  streamOf(`0.5 0 0 0.5 20 20 cm q 2 0 0 2 -40 -40 cm`),
  streamOf(content(0, 0, 300, 400, 'Open states')),
]);

/** Enough to see every option; small enough to be kept. */
const DPI = 36;
const GOLDEN = fixture('golden');
/** Fonts and renderers differ a little from machine to machine. */
const TOLERATED = { shareOff: 0.004, off: 80, mean: 1.2 };

/** All pages beside each other. */
export async function contactSheet(pdf: Uint8Array, dpi = DPI): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-look-'));
  try {
    writeFileSync(join(dir, 'in.pdf'), pdf);
    const ran = runProgram('pdftoppm', [
      '-r',
      String(dpi),
      '-png',
      '-cropbox',
      join(dir, 'in.pdf'),
      join(dir, 'page'),
    ]);
    assert.equal(ran.status, 0, String(ran.stderr));
    const files = readdirSync(dir)
      .filter((name) => name.endsWith('.png'))
      .sort();
    const pages = await Promise.all(
      files.map((name) =>
        sharp(join(dir, name)).flatten({ background: '#fff' }).toBuffer({ resolveWithObject: true }),
      ),
    );
    const height = Math.max(...pages.map(({ info }) => info.height));
    let left = 0;
    const placed = pages.map(({ data, info }) => {
      const at = left;
      left += info.width + 2;
      return { input: data, left: at, top: 0 };
    });
    return await sharp({ create: { width: left, height, channels: 3, background: '#808080' } })
      .composite(placed)
      .png({ compressionLevel: 9, palette: true, quality: 90 })
      .toBuffer();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The result looks as it did when somebody looked. `REDRAW=1` draws the images anew: look at them, then commit. */
export async function assertLooksLike(name: string, pdf: Uint8Array): Promise<void> {
  const path = join(GOLDEN, `${name}.png`);
  const drawn = await contactSheet(pdf);
  if (process.env.REDRAW) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, drawn);
    return;
  }
  assert.ok(existsSync(path), `no picture ${name}: run the test with REDRAW=1 and look at it`);
  const [expected, actual] = await Promise.all([raw(path), raw(drawn)]);
  assert.deepEqual(
    [actual.info.width, actual.info.height],
    [expected.info.width, expected.info.height],
    name,
  );
  let far = 0;
  let sum = 0;
  expected.data.forEach((value, index) => {
    const off = Math.abs(value - (actual.data[index] ?? 0));
    sum += off;
    if (off > TOLERATED.off) far += 1;
  });
  const share = far / expected.data.length;
  const mean = sum / expected.data.length;
  assert.ok(
    share <= TOLERATED.shareOff && mean <= TOLERATED.mean,
    `${name} looks different: ${(share * 100).toFixed(2)} % of it is off, ${mean.toFixed(2)} on average`,
  );
}

const raw = (image: string | Buffer) =>
  sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
