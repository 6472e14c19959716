import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made } from '../../../../testing/calls/run-here.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { differingPart, toArchive, validArchive } from '../../../../testing/oracles/pdfa-likeness.ts';
import { missing, pdftotext } from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdftotext');

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const layer = (title: string): string => `<< /Type /OCG /Name (${title}) >>`;
const form = (content: string, extra = ''): string =>
  streamOf(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources << /Font << /F 5 0 R >> /Properties << /On 6 0 R /Off 7 0 R >> >> ${extra}`,
  );
const say = (words: string, y: number): string => `BT /F 20 Tf 60 ${y} Td (${words}) Tj ET\n`;

/** Shown and hidden in every way content can be. Everything that is shown says SEEN, all else UNSEEN. */
const layered = (config: string): Buffer =>
  onePage({
    catalog: `/OCProperties << /OCGs [6 0 R 7 0 R] /D << ${config} >> >>`,
    page:
      '/Annots [14 0 R 15 0 R] /Resources << /Font << /F 5 0 R >> /XObject << /Plain 8 0 R /Hidden 9 0 R /Nested 10 0 R >> ' +
      '/Properties << /On 6 0 R /Off 7 0 R /Any 11 0 R /All 12 0 R /Not 13 0 R >> >>',
    content:
      `/OC /On BDC ${say('SEENA', 700)} EMC /OC /Off BDC ${say('UNSEENA', 670)} 60 600 100 40 re f EMC\n` +
      `/OC /On BDC /OC /Off BDC /Span << >> BDC ${say('UNSEENB', 640)} EMC EMC ${say('SEENB', 610)} EMC\n` +
      `/Plain Do /Hidden Do /Nested Do /OC /Off BDC q 1 0 0 1 0 -100 cm /Plain Do Q EMC\n` +
      `/OC /Any BDC ${say('SEENC', 480)} EMC /OC /All BDC ${say('UNSEENC', 450)} EMC /OC /Not BDC ${say('UNSEEND', 420)} EMC\n` +
      // What is not shown moves text on, and clips and colours all the same.
      `BT /F 20 Tf 60 390 Td /OC /Off BDC (UNSEENE) Tj EMC (SEENE) Tj ET\n` +
      `/OC /Off BDC 1 0 0 rg 300 300 60 60 re W f EMC 280 280 200 200 re f\n`,
    more: [
      HELVETICA,
      layer('on'),
      layer('off'),
      form(say('SEENF', 580)),
      form(say('UNSEENF', 560), '/OC 7 0 R'),
      form(`/OC /Off BDC ${say('UNSEENG', 540)} EMC ${say('SEENG', 520)}`),
      '<< /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AnyOn >>',
      '<< /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AllOn >>',
      '<< /Type /OCMD /VE [/And 6 0 R [/Not [/Or 6 0 R 7 0 R]]] >>',
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [300 600 500 650] /OC 7 0 R /AP << /N 16 0 R >> >>',
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [300 500 500 550] /OC 6 0 R /AP << /N 17 0 R >> >>',
      form(say('UNSEENH', 20), ''),
      form(say('SEENH', 20), ''),
    ],
  });

const CONFIGS: readonly [what: string, config: string][] = [
  ['layers that are off', '/OFF [7 0 R]'],
  ['layers that are off unless they are on', '/BaseState /OFF /ON [6 0 R]'],
];

test('part 1 shows what the document showed, and nothing of layers that are off', { skip }, async (t) => {
  for (const [what, config] of CONFIGS)
    await t.test(what, async () => {
      const source = layered(config);
      const bytes = await validArchive(await toArchive(source, { outputFormat: 'pdfa-1' }), '1b');
      assert.ok(differingPart(source, bytes, { dpi: 72 }) < 0.003);
      // Part 2 knows layers: poppler draws the same letters there, and decides itself what is shown.
      const layers = made(await toArchive(source, { outputFormat: 'pdfa-2b' }));
      assert.equal(differingPart(layers, bytes, { dpi: 72 }), 0);
      const words = pdftotext(bytes, '-raw').match(/\w*SEEN\w/g) ?? [];
      assert.deepEqual(words.sort(), ['SEENA', 'SEENB', 'SEENC', 'SEENE', 'SEENF', 'SEENG', 'SEENH']);
    });
});
