import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { fixture, inMemory, onePagePdf, quiet } from '../../../testing/documents/small-pdf.ts';
import type { Raster, Size } from '../../contract/raster.ts';
import { createPdfium } from './pdfium.ts';
import { withinPixels } from './render.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

const maxPixels = 50_000_000;

/** What poppler draws at this size: three bytes a pixel. */
function poppler(path: string, page: number, { width, height }: Size): Uint8Array {
  const scale = ['-scale-to-x', `${width}`, '-scale-to-y', `${height}`];
  const args = [...scale, '-f', `${page}`, '-l', `${page}`, '-cropbox', path];
  const { status, stdout } = spawnSync('pdftoppm', args, { maxBuffer: 2 ** 30 });
  assert.equal(status, 0);
  const head = `P6\n${width} ${height}\n255\n`;
  assert.equal(stdout.subarray(0, head.length).toString('latin1'), head);
  return stdout.subarray(head.length);
}

/** Means over blocks of 8 by 8: engines smooth the edges of letters differently, but put the same ink there. */
function blocks(pixels: Uint8Array, channels: number, { width, height }: Size): Float64Array {
  const columns = Math.ceil(width / 8);
  const sums = new Float64Array(columns * Math.ceil(height / 8) * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const block = ((y >> 3) * columns + (x >> 3)) * 3;
      for (let c = 0; c < 3; c += 1) {
        sums[block + c] = (sums[block + c] ?? 0) + (255 - (pixels[(y * width + x) * channels + c] ?? 0)) / 64;
      }
    }
  }
  return sums;
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean darkness, 0 to 255. */
const ink = ({ rgba }: Raster): number => rgba.reduce((sum, value) => sum + 255 - value, 0) / rgba.length;

for (const [name, page] of [
  ['text-two-pages.pdf', 2],
  ['images-in-forms.pdf', 3],
  ['form-fields.pdf', 1],
  ['annotated-pages.pdf', 1],
] as const) {
  test(`page ${page} of ${name} looks as poppler draws it`, (t) => {
    using document = pdfium.open(fixture(name));
    const image = document.render(page - 1, { dpi: 72, maxPixels, annotations: true });
    assert.equal(image.rgba.length, image.width * image.height * 4);
    const ours = blocks(image.rgba, 4, image);
    const theirs = blocks(poppler(fixture(name).content.path, page, image), 3, image);
    const different = mean(ours.map((value, i) => Math.abs(value - (theirs[i] ?? 0))));
    t.diagnostic(`${different.toFixed(2)} of ${mean(theirs).toFixed(2)}`);
    // A page drawn in the wrong place differs by twice its ink, an empty one by all of it.
    assert.ok(different < mean(theirs) / 3);
  });
}

test('bytes are red, green, blue and opaque, rows from the top', () => {
  using document = pdfium.open(
    inMemory('x.pdf', onePagePdf('1 0 0 rg 0 50 100 50 re f 0 0 1 rg 100 0 100 50 re f')),
  );
  const { width, height, rgba } = document.render(0, { scale: 1, maxPixels });
  const at = (x: number, y: number): number[] => [
    ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
  ];
  assert.deepEqual([width, height], [200, 100]);
  assert.deepEqual(
    [at(5, 5), at(195, 95), at(195, 5)],
    [
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [255, 255, 255, 255],
    ],
  );
});

test('a rotated page is drawn as displayed', () => {
  using document = pdfium.open(
    inMemory('x.pdf', onePagePdf('1 0 0 rg 0 0 100 100 re f', { page: '/Rotate 90' })),
  );
  const { width, height, rgba } = document.render(0, { dpi: 72, maxPixels });
  assert.deepEqual(document.pageSize(0), { width: 100, height: 200 });
  assert.deepEqual([width, height], [100, 200]);
  assert.deepEqual([...rgba.subarray(0, 3)], [255, 0, 0]);
});

test('annotations and field values are drawn only when asked for', () => {
  using annotated = pdfium.open(fixture('annotated-pages.pdf'));
  using filled = pdfium.open(fixture('form-fields.pdf'));
  const without = annotated.render(0, { dpi: 72, maxPixels });
  assert.ok(ink(annotated.render(0, { dpi: 72, maxPixels, annotations: true })) > ink(without));
  assert.equal(ink(filled.render(0, { dpi: 72, maxPixels, annotations: true, forms: false })), 0);
  assert.ok(ink(filled.render(0, { dpi: 72, maxPixels })) > 0);
});

test('a page of too many pixels is drawn smaller, in proportion', () => {
  using document = pdfium.open(fixture('text-two-pages.pdf'));
  const wanted = document.pixelSize(0, { dpi: 600 });
  const { width, height } = document.render(0, { dpi: 600, maxPixels: 1_000_000 });
  assert.ok(wanted.width * wanted.height > 30_000_000);
  assert.ok(width * height <= 1_000_000 && width * height > 990_000);
  assert.ok(Math.abs(width / height - wanted.width / wanted.height) < 0.002);
});

test('no shape of a page leads past the limit of pixels', () => {
  for (const [width, height] of [
    [1, 10_000_000],
    [10_000_000, 1],
    [3, 500_000],
    [14_400, 14_400],
  ] as const) {
    const within = withinPixels({ width, height }, 1_000_000);
    assert.ok(within.width * within.height <= 1_000_000 && within.width >= 1 && within.height >= 1);
  }
  for (const box of ['0 0 9e30 9e30', '0 0 0 0', '5 5 5 5', '0 0 1e9 0.001', 'a b c d']) {
    const text = Buffer.from(onePagePdf('')).toString('latin1').replace('0 0 200 100', box);
    using document = pdfium.open(inMemory('x.pdf', Buffer.from(text, 'latin1')));
    const { width, height } = document.render(0, { dpi: 600, maxPixels: 1_000_000 });
    assert.ok(width * height <= 1_000_000 && width >= 1 && height >= 1, box);
  }
});
