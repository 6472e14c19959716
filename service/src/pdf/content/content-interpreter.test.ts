import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDocument } from '../../../testing/documents/widened-pages.ts';
import { onePage, streamOf } from '../../../testing/documents/written-pdf.ts';
import { Problem } from '../../contract/problems.ts';
import { FontMeasures } from '../fonts/glyph-widths.ts';
import { type Dict, PdfString, type Ref } from '../objects.ts';
import { type ContentInterpreter, OperationBudget, pageInterpreter } from './content-interpreter.ts';
import { ContentOutput } from './content-output.ts';
import type { ContentVisitor } from './content-visitor.ts';
import { INITIAL_STATE } from './graphics-state.ts';

const RESOURCES = `/Resources << /Font << /F 5 0 R >> /XObject << /Fm 6 0 R /Double 9 0 R >>
  /ExtGState << /GS << /LW 4 /BM [/Multiply /Normal] /OP true /Font [5 0 R 7] >> >>
  /ColorSpace << /Spot [/Separation /Red /DeviceRGB << >>] >> /Pattern << /Dots 7 0 R >>
  /Properties << /Layer << /Type /OCG /Name (L) >> >> >>`;
const MORE = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  streamOf(
    '/Inner gs 3 w q 0 0 1 RG',
    '/Subtype /Form /BBox [0 0 10 10] /Matrix [2 0 0 2 50 50] /Resources << >>',
  ),
  streamOf('0 0 5 5 re f', '/PatternType 1 /PaintType 1 /Matrix [1 0 0 1 7 7] /BBox [0 0 10 10]'),
  streamOf('', ''),
  // Draws itself by way of others, twice each: without end for whoever counts no operations.
  ...Array.from({ length: 40 }, (_, index) =>
    streamOf(
      '/Double Do /Double Do',
      `/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Double ${10 + index} 0 R >> >>`,
    ),
  ),
];

function interpreted(content: string, visitor: ContentVisitor, most?: number): ContentInterpreter {
  return withDocument(onePage({ page: RESOURCES, more: MORE, content }), (doc) => {
    const at = pageInterpreter(doc, doc.pages()[0] as Ref, INITIAL_STATE, new OperationBudget(most));
    at.run({ fonts: new FontMeasures(doc), ...visitor });
    return at;
  });
}

test('the graphics state is what the operators have made of it', () => {
  const { state } = interpreted(
    '2 0 0 3 10 20 cm 1 0 0 1 1 1 cm 5 w 1 Tr 3 Tc 4 Tw 50 Tz 12 TL 2 Ts /F 9 Tf 0.5 g /Spot CS 0.3 SCN',
    {},
  );
  assert.deepEqual(state.ctm, [2, 0, 0, 3, 12, 23]);
  assert.deepEqual([state.lineWidth, state.renderingMode, state.fontName], [5, 1, 'F']);
  const { font, ...text } = state.text;
  assert.deepEqual(text, {
    size: 9,
    characterSpacing: 3,
    wordSpacing: 4,
    stretch: 0.5,
    leading: 12,
    rise: 2,
  });
  assert.equal(font?.ascent, 0.718);
  assert.deepEqual(state.fill.components, [0.5]);
  assert.deepEqual(state.stroke.components, [0.3]);
  assert.ok(Array.isArray(state.stroke.space));
});

test('Q restores what q saved, and a graphics state sets several entries at once', () => {
  const { state, savedStates } = interpreted('q /GS gs Q q /GS gs q', {});
  assert.deepEqual([state.lineWidth, state.blendMode, state.text.size], [4, 'Multiply', 7]);
  assert.deepEqual(state.overprint, { fill: true, stroke: true, mode: 0 });
  assert.equal(savedStates, 2);
  assert.deepEqual(interpreted('q /GS gs Q', {}).state, INITIAL_STATE);
});

test('text is shown where lines and what was shown before have come to', () => {
  const places: unknown[] = [];
  interpreted('BT /F 10 Tf 20 TL 10 100 Td (a) Tj [(b) -500 (c)] TJ (d) \' 1 2 (e) " 5 5 TD (f) Tj ET', {
    showText(items, _, at) {
      for (const item of items)
        if (item instanceof PdfString)
          for (const { matrix } of at.cursor.show(item.bytes, at.state.text, at.state.ctm))
            places.push([item.bytes[0], Math.round(matrix[4] * 100) / 100, matrix[5]]);
        else at.cursor.adjust(item as number, at.state.text);
    },
  });
  assert.deepEqual(places, [
    [97, 10, 100],
    [98, 15.56, 100],
    [99, 26.12, 100],
    [100, 10, 80],
    [101, 10, 60],
    [102, 15, 65],
  ]);
});

test('a form begins in the state around it, with its own matrix, box and resources, and leaves none behind', () => {
  const seen: unknown[] = [];
  const { state } = interpreted('10 0 0 10 0 0 cm 1 0 0 rg /Fm Do', {
    setColour: (target, _, at) => seen.push([at.depth, target, at.state.fill.components]),
    nameResource: (category, name, value) => seen.push([category, name.value, value === undefined]),
    end: (at) => seen.push([at.depth, at.state.ctm, at.state.clip]),
  });
  assert.deepEqual(seen, [
    [0, 'fill', [1, 0, 0]],
    ['XObject', 'Fm', false],
    ['ExtGState', 'Inner', true],
    [1, 'stroke', [1, 0, 0]],
    [1, [20, 0, 0, 20, 500, 500], { left: 500, bottom: 500, right: 700, top: 700 }],
    [0, [10, 0, 0, 10, 0, 0], INITIAL_STATE.clip],
  ]);
  assert.deepEqual([state.lineWidth, state.stroke], [1, INITIAL_STATE.stroke]);
});

test('every resource that an operation names is told, whether or not anyone looks at what it draws', () => {
  const seen: string[] = [];
  interpreted('/F 9 Tf /GS gs /Spot cs 1 scn /Dots SCN /Fade sh /Double Do', {
    nameResource: (category, { value }) => seen.push(`${category} ${value}`),
    drawForm: () => undefined,
  });
  assert.deepEqual(seen, [
    'Font F',
    'ExtGState GS',
    'ColorSpace Spot',
    'Pattern Dots',
    'Shading Fade',
    'XObject Double',
  ]);
});

test('a pattern stands where its stream began', () => {
  const seen: unknown[] = [];
  interpreted('10 0 0 10 0 0 cm /Pattern cs /Dots scn', {
    setColour(target, _, at) {
      seen.push(at.pattern(at.state[target].pattern?.value)?.state.ctm);
    },
  });
  assert.deepEqual(seen, [undefined, [1, 0, 0, 1, 7, 7]]);
});

test('a path is told with its place, its bounds and what interrupts it', () => {
  const content = '2 0 0 2 0 0 cm 1 1 m 3 4 l W f 0 0 5 5 re 1 g S n';
  const seen: unknown[] = [];
  interpreted(content, {
    paths: 'bounds',
    paintPath(painting, { operator }, { path }) {
      const text = content.slice(path.start, path.start + 5);
      seen.push([operator, painting.fills, painting.strokes, text, path.isWhole, path.clipping, path.bounds]);
    },
  });
  assert.deepEqual(seen, [
    ['f', true, false, '1 1 m', true, 'W', { left: 2, bottom: 2, right: 6, top: 8 }],
    ['S', false, true, '0 0 5', false, '', { left: 0, bottom: 0, right: 10, top: 10 }],
    ['n', false, false, '', true, '', undefined],
  ]);
});

test('marked content ends as often as it began', () => {
  const seen: string[] = [];
  interpreted('EMC /OC /Layer BDC /P BMC EMC EMC EMC /Span <</ActualText (x)>> BDC', {
    beginMarkedContent: (properties, { operator }) =>
      seen.push(`${operator} ${properties === undefined ? '' : [...(properties as Dict).keys()]}`),
    endMarkedContent: (operation) => seen.push(operation ? 'EMC' : 'end'),
  });
  assert.deepEqual(seen, ['BDC Type,Name', 'BMC ', 'EMC', 'EMC', 'BDC ActualText', 'end']);
});

test('forms that draw forms twice, again and again, are refused when they have drawn enough', () => {
  assert.throws(
    () => interpreted('/Double Do', {}, 100_000),
    (error) => error instanceof Problem && error.reason === 'invalid_pdf',
  );
});

test('what is replaced stands in the place of an operation, all else as it was', () => {
  const content = Buffer.from('q 1 0 0 rg(a)Tj Q % end');
  const output = new ContentOutput(content);
  interpreted(content.toString(), { setColour: (_, operation) => output.replace(operation, '0 g ') });
  assert.equal(output.finish().toString(), 'q 0 g (a)Tj Q % end');
  assert.equal(new ContentOutput(content).isChanged, false);
});
