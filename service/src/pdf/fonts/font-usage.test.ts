import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { fileInMemory } from '../../contract/files.ts';
import { createQpdf } from '../../engines/qpdf/qpdf.ts';
import { PageParcels } from '../page-tree/page-objects.ts';
import { FontUsage } from './font-usage.ts';

/** Fonts 10 (one byte a code) and 11 (two), a form 8 and a pattern 9 that show text of their own. */
const OBJECTS = (content: string, page = '', form = '', resources = '/Font << /A 10 0 R >>'): string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources 5 0 R ${page} >>`,
  streamOf(content),
  `<< /Font << /A 10 0 R /B 11 0 R >> /XObject << /X 8 0 R >> /Pattern << /P 9 0 R >>
      /ExtGState << /G << /Font [10 0 R 9] >> >> >>`,
  streamOf('x'.repeat(2000)),
  '<< /Type /FontDescriptor /FontName /N /FontFile2 6 0 R >>',
  streamOf(form, `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << ${resources} >>`),
  streamOf('/A 1 Tf (p) Tj', '/PatternType 1 /Resources << /Font << /A 10 0 R >> >>'),
  '<< /Type /Font /Subtype /TrueType /BaseFont /N /FontDescriptor 7 0 R /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /N /Encoding /Identity-H /DescendantFonts [12 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /N /FontDescriptor 7 0 R /CIDToGIDMap /Identity >>',
];

/** What is shown in the simple font as text, in the composite one as numbers; undefined where it is doubtful. */
function shown(objects: string[]): { A: string; B: number[] } | undefined {
  const bytes = pdfOf(objects);
  const { engine, closeAll } = createQpdf({
    passwords: [],
    newFile: () => {
      throw new Error('nothing is written here');
    },
  });
  try {
    const doc = engine.open(fileInMemory('a.pdf', bytes));
    const [page] = new PageParcels(doc).all;
    assert.ok(page);
    const found = new FontUsage(doc).ofPage(page);
    if (!found) return undefined;
    const codes = new Map([...found].map(([font, list]) => [font.ref.number, [...(list ?? [])]]));
    return { A: String.fromCharCode(...(codes.get(10) ?? [])), B: codes.get(11) ?? [] };
  } finally {
    closeAll();
  }
}

const CASES: [name: string, objects: string[], A: string, B?: number[]][] = [
  ['every operator that shows text', OBJECTS(`/A 9 Tf (a) Tj (b) ' 1 2 (c) " [(d) -3 <65>] TJ`), 'abcde'],
  ['escapes', OBJECTS('/A 9 Tf (\\101\\)(\\(x\\n)) Tj'), '\n()Ax'],
  ['codes of two bytes', OBJECTS('/B 9 Tf <00410102> Tj'), '', [0x41, 0x102]],
  ['the font before q comes back', OBJECTS('/A 9 Tf q /B 9 Tf <0001> Tj Q (z) Tj'), 'z', [1]],
  ['a font set by a graphics state', OBJECTS('/G gs (g) Tj'), 'g'],
  ['forms', OBJECTS('/X Do', '', '/A 1 Tf (f) Tj'), 'f'],
  ['patterns', OBJECTS('/Pattern cs /P scn 0 0 9 9 re f'), 'p'],
  ['fonts that a form finds in the resources of its page', OBJECTS('/X Do', '', '/A 1 Tf (f) Tj', ''), 'f'],
  [
    'appearances of annotations that the page holds itself',
    OBJECTS('', '/Annots [<< /Subtype /Stamp /AP << /D << /On 8 0 R >> >> >>]', '/A 1 Tf (s) Tj'),
    's',
  ],
  ['strings that are not shown', OBJECTS('/A 9 Tf /Span << /ActualText (no) >> BDC (y) Tj EMC'), 'y'],
];

for (const [name, objects, A, B = []] of CASES) {
  test(`codes: ${name}`, () => assert.deepEqual(shown(objects), { A, B }));
}

test('codes: appearances of annotations', () => {
  const objects = OBJECTS('', '/Annots [13 0 R]', '/A 1 Tf (s) Tj');
  objects.push('<< /Type /Annot /Subtype /Stamp /Rect [0 0 1 1] /AP << /N << /On 8 0 R >> >> >>');
  assert.deepEqual(shown(objects), { A: 's', B: [] });
});

const DOUBTFUL: [name: string, objects: string[]][] = [
  ['unknown operators', OBJECTS('/A 9 Tf (a) Tj what')],
  ['a string that does not end', OBJECTS('/A 9 Tf (a')],
  ['a form that goes on in the font around it', OBJECTS('/A 9 Tf /X Do', '', '(a) Tj')],
  ['a font that is nowhere', OBJECTS('/Z 9 Tf (a) Tj')],
];

for (const [name, objects] of DOUBTFUL) {
  test(`doubtful: ${name}`, () => assert.equal(shown(objects), undefined));
}
