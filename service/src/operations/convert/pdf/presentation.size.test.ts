// Equal images are there once, and what looks like a photograph is a JPEG.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { pdfOf, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../../testing/oracles/archives.ts';

const SIDE = 300;

/** Pixels of a smooth picture with grain, by a fixed rule. */
function photograph(): string {
  let seed = 7;
  let pixels = '';
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const grain = Math.floor((seed / 2_147_483_648) * 12);
      pixels += String.fromCharCode(
        ((x * 200) / SIDE + grain) | 0,
        ((y * 200) / SIDE + grain) | 0,
        90 + grain,
      );
    }
  return pixels;
}

const image = (data: string, side: number): string =>
  streamOf(
    data,
    `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
  );

test('an image that every page shows is in the presentation once, a drawing as PNG, a photograph as JPEG', async () => {
  const pages = [0, 1, 2, 3].map(
    () =>
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 7 0 R /Resources << /Font << /F 8 0 R >> /XObject << /A 9 0 R /B 10 0 R >> >> >>',
  );
  const pdf = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R 6 0 R] /Count 4 >>',
    ...pages,
    streamOf(
      'BT /F 12 Tf 60 780 Td (Words on a page) Tj ET q 300 0 0 300 60 400 cm /A Do Q q 60 0 0 60 60 60 cm /B Do Q',
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    image(photograph(), SIDE),
    image('\u00ff\u0000\u0000'.repeat(15 * 30) + '\u0000\u0000\u00ff'.repeat(15 * 30), 30),
  ]);
  for (const [path, folder] of [
    ['convert/pdf/presentation', 'ppt'],
    ['convert/pdf/word', 'word'],
  ] as const) {
    const ran = await runHere(path, { files: { fileInput: { name: 'a.pdf', bytes: pdf } } });
    const entries = await zipEntries(made(ran));
    const media = entries.filter(({ name }) => name.startsWith(`${folder}/media/`));
    assert.deepEqual(media.map(({ name }) => name.replace(/.*\./, '')).toSorted(), ['jpeg', 'png']);
    const relations = entries
      .filter(({ name }) => name.endsWith('.rels'))
      .map(({ bytes }) => bytes.toString());
    const shown = relations.flatMap((xml) => xml.match(/media\/[^"]+/g) ?? []);
    assert.ok(shown.length >= 4, `${shown.length}`);
    for (const each of shown)
      assert.ok(
        media.some(({ name }) => name === `${folder}/${each}`),
        each,
      );
  }
});
