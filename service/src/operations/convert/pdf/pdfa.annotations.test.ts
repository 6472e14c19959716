import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { differingPart, toArchive, validArchive } from '../../../../testing/oracles/pdfa-likeness.ts';
import { missing, pdfinfo, pdftotext } from '../../../../testing/oracles/programs.ts';

const skip = missing('gs', 'pdftoppm', 'pdftotext');

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
const look = (content: string): string =>
  streamOf(
    content,
    '/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /Font << /F 5 0 R >> >>',
  );

/** Kinds that part 1 does not know, each with a look. */
const KINDS = ['Polygon', 'PolyLine', 'Caret', 'Watermark', 'Screen'];

const DRAWN = onePage({
  page: `/Resources << /Font << /F 5 0 R >> >> /Annots [${KINDS.map((_, index) => `${6 + index} 0 R`).join(' ')}]`,
  content: 'BT /F 20 Tf 60 740 Td (words) Tj ET',
  more: [
    HELVETICA,
    ...KINDS.map((kind, index) => {
      const [x, y] = [60 + (index % 3) * 150, 400 + Math.floor(index / 3) * 150];
      const points = kind.startsWith('Poly') ? `/Vertices [${x} ${y} ${x + 90} ${y} ${x} ${y + 90}]` : '';
      return `<< /Type /Annot /Subtype /${kind} /F 4 /Rect [${x} ${y} ${x + 100} ${y + 100}] ${points} /AP << /N ${6 + KINDS.length + index} 0 R >> >>`;
    }),
    ...KINDS.map((kind) => look(`0 0 0 rg 0 0 100 40 re f BT /F 16 Tf 0 60 Td (${kind}) Tj ET`)),
  ],
});

test('annotations of kinds a part does not know stay to be seen', { skip }, async (t) => {
  for (const [format, id] of [
    ['pdfa-1', '1b'],
    ['pdfa-2b', '2b'],
    ['pdfa-3b', '3b'],
  ] as const)
    await t.test(id, async () => {
      const bytes = await validArchive(await toArchive(DRAWN, { outputFormat: format }), id);
      assert.ok(differingPart(DRAWN, bytes) < 0.003, `${differingPart(DRAWN, bytes)}`);
      for (const kind of KINDS) assert.match(pdftotext(bytes), new RegExp(kind));
      assert.equal(pdfinfo(bytes).Pages, '1');
    });
});

test('words are seen through a marker that becomes part of the page', { skip }, async () => {
  const source = onePage({
    page: '/Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R]',
    content: 'BT /F 60 Tf 60 600 Td (WORDS) Tj ET',
    more: [
      HELVETICA,
      '<< /Type /Annot /Subtype /Highlight /F 4 /C [1 1 0] /Rect [50 590 350 660] /QuadPoints [50 660 350 660 50 590 350 590] /AP << /N 7 0 R >> >>',
      look('1 1 0 rg 0 0 100 100 re f'),
    ],
  });
  const ran = await toArchive(source, { outputFormat: 'pdfx' });
  assert.equal(ran.state, 'made');
  const bytes = ran.state === 'made' ? ran.bytes : Buffer.alloc(0);
  // Poppler draws the marker itself, with rounder ends.
  assert.ok(differingPart(source, bytes) < 0.01, `${differingPart(source, bytes)}`);
});
