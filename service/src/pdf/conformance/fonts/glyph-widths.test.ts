// Widths of the dictionary against those of the font program: a difference of at most 1/1000 is none, and only glyphs
// that are shown count. Each case was labelled by veraPDF on documents made the same way.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../../testing/documents/collection.ts';
import { sample } from '../../../../testing/documents/pdfa-documents.ts';
import { streamOf } from '../../../../testing/documents/written-pdf.ts';
import { fileInMemory } from '../../../contract/files.ts';
import { createQpdf } from '../../../engines/qpdf/qpdf.ts';
import type { QpdfDocument } from '../../../engines/qpdf/qpdf-document.ts';
import { Dict, Ref } from '../../objects.ts';
import { checkConformance } from '../check.ts';
import { standardOf } from '../standards.ts';
import { Subject } from '../validation-context.ts';
import type { FontFacts } from './font-under-test.ts';

type Change = (doc: QpdfDocument, font: FontFacts) => void;

/** How many glyphs of one font are told to have a wrong width after a change. */
function wrongWidths(bytes: Uint8Array, subtype: string, change: Change = () => {}): number {
  const { engine, closeAll } = createQpdf({ passwords: [], newFile: () => assert.fail() });
  try {
    const doc = engine.open(fileInMemory('a.pdf', bytes));
    const subject = new Subject(doc, bytes, { isEncrypted: false });
    const font = subject.fonts.find(
      (each) => each.subtype === subtype && each.use.ref && each.visibleGlyphs().length > 2,
    );
    assert.ok(font?.use.ref, subtype);
    const place = `(object ${font.use.ref.number} `;
    change(doc, font);
    const { failures } = checkConformance(new Subject(doc, bytes, { isEncrypted: false }), standardOf('2b'));
    return failures.filter(({ ruleId, location }) => ruleId === '6.2.11.5-1' && location.includes(place))
      .length;
  } finally {
    closeAll();
  }
}

const dictOf = (doc: QpdfDocument, font: FontFacts): Dict => doc.edit(font.use.ref as Ref);

/** The last glyph shown: its code, its place in Widths, its width in the program. */
function lastShown(font: FontFacts): { code: number; width: number } {
  const shown = [...font.visibleGlyphs()].sort((a, b) => a.code - b.code).at(-1);
  assert.ok(shown?.programWidth !== undefined);
  return { code: shown.code, width: shown.programWidth };
}

function setWidth(doc: QpdfDocument, font: FontFacts, code: number, width: number): void {
  const dict = dictOf(doc, font);
  const first = doc.number(dict.get('FirstChar')) ?? 0;
  const widths = [...(doc.array(dict.get('Widths')) ?? [])];
  while (widths.length <= code - first) widths.push(0);
  widths[code - first] = width;
  dict.set('Widths', widths).set('LastChar', first + widths.length - 1);
}

const off =
  (difference: number): Change =>
  (doc, font) => {
    const { code, width } = lastShown(font);
    setWidth(doc, font, code, width + difference);
  };

/** Widths ends before the last glyph shown: MissingWidth speaks for it. */
const missing =
  (difference: number): Change =>
  (doc, font) => {
    const { code, width } = lastShown(font);
    const dict = dictOf(doc, font);
    const first = doc.number(dict.get('FirstChar')) ?? 0;
    const widths = (doc.array(dict.get('Widths')) ?? []).slice(0, code - first);
    dict.set('Widths', widths).set('LastChar', code - 1);
    const descriptor = dict.get('FontDescriptor');
    assert.ok(descriptor instanceof Ref);
    doc.edit(descriptor).set('MissingWidth', width + difference);
  };

for (const [file, subtype] of [
  ['type1-fonts.pdf', 'Type1'],
  ['type1c-fonts.pdf', 'Type1'],
] as const)
  test(`widths of ${file}`, () => {
    const bytes = readFileSync(fixture(file));
    const wrong = (change: Change): number => wrongWidths(bytes, subtype, change);
    for (const difference of [0, 1, -1, 0.4]) assert.equal(wrong(off(difference)), 0, String(difference));
    for (const difference of [1.01, 2, -2, 500]) assert.equal(wrong(off(difference)), 1, String(difference));
    assert.equal(wrong(missing(0)), 0, 'MissingWidth is right');
    assert.equal(wrong(missing(50)), 1, 'MissingWidth is wrong');
    assert.equal(
      wrong((doc, font) => setWidth(doc, font, 255, 4000)),
      0,
      'a code nobody shows',
    );
    // Within FirstChar and LastChar nothing stands in for a width that is not there.
    const gone: Change = (doc, font) => {
      missing(0)(doc, font);
      dictOf(doc, font).set('LastChar', lastShown(font).code);
    };
    assert.equal(wrong(gone), 1, 'Widths is too short');
    const without: Change = (doc, font) => dictOf(doc, font).delete('Widths');
    assert.ok(wrong(without) > 2, 'no Widths');
  });

test('widths of composite fonts', () => {
  const bytes = readFileSync(fixture('embedded-fonts.pdf'));
  const wrong = (entries: (widths: [cid: number, width: number][]) => Dict): number =>
    wrongWidths(bytes, 'Type0', (doc, font) => {
      const widths = font
        .visibleGlyphs()
        .map(({ cid, programWidth }): [number, number] => [cid ?? 0, programWidth ?? 0]);
      const ref = doc.array(font.font.get('DescendantFonts'))?.[0];
      assert.ok(ref instanceof Ref);
      const descendant = doc.edit(ref);
      descendant.delete('W');
      descendant.delete('DW');
      for (const [key, value] of entries(widths)) descendant.set(key, value);
    });
  const listed = (widths: [number, number][]): (number | number[])[] =>
    widths.flatMap(([cid, width]) => [cid, [width]]);
  const w = (widths: [number, number][]): Dict => new Dict().set('W', listed(widths));
  assert.equal(wrong(w), 0);
  assert.equal(
    wrong(([first, ...rest]) => w([[first?.[0] ?? 0, (first?.[1] ?? 0) + 1], ...rest])),
    0,
  );
  assert.equal(
    wrong(([first, ...rest]) => w([[first?.[0] ?? 0, (first?.[1] ?? 0) + 2], ...rest])),
    1,
  );
  assert.equal(
    wrong((widths) =>
      new Dict().set(
        'W',
        widths.flatMap(([cid, width]) => [cid, cid, width]),
      ),
    ),
    0,
    'ranges',
  );
  assert.equal(
    wrong(([first, ...rest]) => w(rest).set('DW', first?.[1] ?? 0)),
    0,
    'DW speaks for what W leaves out',
  );
  assert.equal(
    wrong(([, ...rest]) => w(rest)),
    1,
    'without DW it is 1000',
  );
});

test('widths of Type 3 glyphs are those of d0 and d1', () => {
  const drawn = (width: number, drawing: string, mode = 0): number =>
    wrongWidths(
      sample({
        content: `BT /F 20 Tf ${mode} Tr 20 700 Td (ABC) Tj ET`,
        page: '/Resources << /Font << /F 6 0 R >> >>',
        more: [
          '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 ' +
            `/LastChar 67 /Widths [${width} 600 600] /CharProcs << /A 7 0 R /B 8 0 R /C 8 0 R >> /Resources << >> ` +
            '/Encoding << /Type /Encoding /Differences [65 /A /B /C] >> >>',
          streamOf(drawing),
          streamOf('600 0 0 0 500 500 d1 0 0 500 500 re f'),
        ],
      }),
      'Type3',
    );
  const D1 = '600 0 0 0 500 500 d1 0 0 500 500 re f';
  assert.equal(drawn(600, D1), 0);
  assert.equal(drawn(601, D1), 0);
  assert.equal(drawn(602, D1), 1);
  assert.equal(drawn(700, '600 0 d0 0 0 500 500 re f'), 1);
  assert.equal(drawn(600, '0 0 500 500 re f'), 1, 'it does not say');
});
