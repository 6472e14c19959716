import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  jbig2LargerThanSaid,
  largeCcitt,
  largeFlateImage,
  largeJbig2,
  largeJpeg,
  largeJpx,
  patternsInPatterns,
  tinyTiles,
} from '../../../testing/documents/costly-documents.ts';
import { fixture, inMemory, quiet } from '../../../testing/documents/small-pdf.ts';
import { onePage, pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { Problem } from '../../contract/problems.ts';
import { createPdfium, isPoisoned } from './pdfium.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });

function draw(bytes: Uint8Array, page = 0): void {
  using document = pdfium.open(inMemory('a.pdf', bytes));
  document.render(page, { dpi: 20, maxPixels: 1_000_000 });
}

const refuses = (bytes: Uint8Array, detail: RegExp, page = 0): void =>
  assert.throws(
    () => draw(bytes, page),
    (error) => {
      assert.ok(error instanceof Problem, String(error));
      assert.equal(error.reason, 'document_too_costly');
      assert.match(error.detail, detail);
      return true;
    },
  );

test('images larger than can be decoded are refused by what they declare, and the engine goes on', () => {
  for (const [make, size] of [
    [largeJbig2, '65535 by 65535'],
    [largeCcitt, '65000 by 65000'],
    [largeFlateImage, '60000 by 60000'],
    [largeJpeg, '65500 by 65500'],
    [largeJpx, '60000 by 60000'],
  ] as const)
    refuses(make(), new RegExp(`a\\.pdf shows an image of ${size} pixels`));
  draw(jbig2LargerThanSaid());
  assert.equal(isPoisoned(), false);
});

test('a large image forbids only the pages that show it', () => {
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents ${content} 0 R /Resources << /XObject << /I 7 0 R /F 8 0 R >> >> >>`;
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    streamOf('0 0 5 5 re f'),
    streamOf('/F Do'),
    streamOf(
      'x',
      '/Type /XObject /Subtype /Image /Width 40000 /Height 40000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
    ),
    streamOf(
      '/I Do',
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /I 7 0 R >> >>',
    ),
  ]);
  draw(bytes, 0);
  refuses(bytes, /40000 by 40000/, 1);
});

test('patterns that would be painted millions of times are refused by their step', () => {
  refuses(tinyTiles(), /tiling pattern with a step of 0\.0001 by 0\.0001 points/);
  refuses(patternsInPatterns(), /step of 2 by 2 points/);
});

test('fine patterns of the usual kind are drawn', () => {
  const pattern = (cell: number, step: string, matrix: string) =>
    onePage({
      page: '/Resources << /Pattern << /P 5 0 R >> >>',
      content: '/Pattern cs /P scn 0 0 612 792 re f',
      more: [
        streamOf(
          '0 0 1 1 re f',
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${cell} ${cell}] ${step} ${matrix} /Resources << >>`,
        ),
      ],
    });
  draw(pattern(2, '/XStep 2 /YStep 2', ''));
  draw(pattern(2, '/XStep 2 /YStep -2', '/Matrix [.24 0 0 .24 0 0]'));
  draw(pattern(0.04, '/XStep .02 /YStep .02', '/Matrix [100 0 0 100 0 0]'));
  using document = pdfium.open(fixture('everything.pdf'));
  document.render(0, { dpi: 20, maxPixels: 1_000_000 });
});
