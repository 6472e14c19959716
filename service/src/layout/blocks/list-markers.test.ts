// Items of lists that are read from the right begin there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxAroundLines } from '../lines/rows.ts';
import { buildLine, type TextLine } from '../lines/text-lines.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import { drawnBullets } from './drawn-bullets.ts';
import { markerOf } from './list-markers.ts';
import { breakParagraphs } from './paragraph-breaks.ts';

const STYLE = { font: 'Serif', size: 10, bold: false, italic: false, monospace: false, color: '#000000' };
let order = 0;

/** A word that ends at this place. */
const word = (right: number, baseline: number, text: string, direction: Word['direction'] = 'rtl'): Word => ({
  text,
  box: { x: right - text.length * 5, y: baseline - 7.5, width: text.length * 5, height: 10 },
  baseline,
  style: STYLE,
  turn: 0,
  glued: false,
  spaced: true,
  direction,
  vertical: false,
  markedContent: -1,
  hidden: false,
  order: order++,
});

const line = (...words: Word[]): TextLine => buildLine(words.toSorted((a, b) => a.box.x - b.box.x));

test('bullets and numbers at the right of a line mark an item', () => {
  const bullet = markerOf(line(word(500, 80, '•', 'ltr'), word(485, 80, 'ראשון'), word(455, 80, 'פריט')));
  assert.equal(bullet?.ordered, false);
  assert.deepEqual([bullet?.left, bullet?.textLeft], [-500, -485]);
  const number = markerOf(line(word(500, 80, '.2', 'ltr'), word(480, 80, 'הפריט'), word(450, 80, 'השני')));
  assert.deepEqual([number?.text, number?.number], ['2.', 2]);
  assert.equal(
    markerOf(line(word(500, 80, 'ראשון'), word(470, 80, '•', 'ltr'), word(460, 80, 'פריט'))),
    undefined,
  );
});

test('lines of such an item stand under its text', () => {
  const item = (y: number): TextLine[] => [
    line(word(500, y, '•', 'ltr'), ...[485, 430, 375, 320, 265].map((x) => word(x, y, 'ארוכהארוך'))),
    line(word(485, y + 12, 'סוף.')),
  ];
  const rows = [...item(80), ...item(104), line(word(500, 128, 'פסקהאחרת'), word(450, 128, 'אחריה'))];
  const drafts = breakParagraphs({ box: boxAroundLines(rows), rows: rows.map((row) => [row]), columns: 1 });
  assert.deepEqual(
    drafts.map((draft) => [draft.marker?.text, draft.rows.length]),
    [
      ['•', 2],
      ['•', 2],
      [undefined, 1],
    ],
  );
});

test('dots that are drawn at the right of a line are bullets', () => {
  const words = [word(485, 80, 'ראשון'), word(450, 80, 'פריט')];
  const curves = [{ x: 492, y: 75, width: 4, height: 4 }];
  const found = drawnBullets({ words, curves, fills: [] } as unknown as PageItems);
  assert.deepEqual(
    found.map(({ text, box }) => [text, box.x]),
    [['•', 492]],
  );
  const latin = words.map((each): Word => ({ ...each, direction: 'ltr' }));
  assert.deepEqual(drawnBullets({ words: latin, curves, fills: [] } as unknown as PageItems), []);
});
