import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inMemory, onePagePdf, quiet, stream } from '../../../../testing/documents/small-pdf.ts';
import type { OmittedItems } from '../../../contract/page-items.ts';
import { createPdfium } from '../pdfium.ts';

const pdfium = await createPdfium({ passwords: [], log: quiet });
after(() => pdfium.close());

const TEXT = 'BT /F 40 Tf 10 60 Td (mmm) Tj ET';
const image = (x: number): string => `q 30 0 0 30 ${x} 10 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI Q`;

test('a page is drawn without its text and some images, in forms too, and is whole again afterwards', () => {
  const form = stream(`${TEXT} ${image(150)}`, '/Type /XObject /Subtype /Form /BBox [0 0 200 100]');
  const bytes = onePagePdf(`${image(10)} ${image(60)} /X Do 100 10 20 20 re f`, {
    resources: '/XObject << /X 6 0 R >>',
    further: [form.replace('/BBox', '/Resources << /Font << /F 5 0 R >> >> /BBox')],
  });
  using document = pdfium.open(inMemory('x.pdf', bytes));
  /** Which of these are dark: the text, three images, the box. */
  const dark = (omitted?: OmittedItems): boolean[] => {
    const { rgba, width } = document.renderArea(0, { x: 0, y: 0, width: 200, height: 100 }, 1, omitted);
    const isDark = (left: number, top: number, right: number, bottom: number): boolean => {
      for (let y = top; y < bottom; y += 1)
        for (let x = left; x < right; x += 1) if ((rgba[(y * width + x) * 4] ?? 255) < 100) return true;
      return false;
    };
    const images = [10, 60, 150].map((x) => isDark(x + 5, 65, x + 25, 85));
    return [isDark(10, 5, 140, 45), ...images, isDark(102, 72, 118, 88)];
  };
  assert.deepEqual(dark(), [true, true, true, true, true]);
  assert.deepEqual(dark({ text: true, images: [] }), [false, true, true, true, true]);
  assert.deepEqual(dark({ text: false, images: [1, 2] }), [true, true, false, false, true]);
  assert.deepEqual(dark(), [true, true, true, true, true]);
});
