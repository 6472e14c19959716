import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Word } from '../words/word.ts';
import { lineText } from './line-text.ts';
import { readingOrder } from './reading-order.ts';
import { readLines } from './text-lines.ts';

const STYLE = { font: 'Serif', size: 10, bold: false, italic: false, monospace: false, color: '#000000' };
let order = 0;

/** Words of a line at this place, five points a letter. */
function line(x: number, baseline: number, text: string, size = 10): Word[] {
  return text.split(' ').map((part, i, parts) => {
    const before = parts.slice(0, i).join(' ').length + (i > 0 ? 1 : 0);
    const unit = size / 2;
    return {
      text: part,
      box: { x: x + before * unit, y: baseline - size * 0.75, width: part.length * unit, height: size },
      baseline,
      style: { ...STYLE, size },
      turn: 0,
      glued: false,
      spaced: true,
      direction: 'ltr',
      vertical: false,
      markedContent: -1,
      hidden: false,
      order: order++,
    };
  });
}

const read = (words: Word[]): string[] =>
  readingOrder(readLines(words)).flatMap(({ rows }) => rows.map((row) => row.map(lineText).join(' | ')));

const many = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} line ${i} of running text here`);

test('columns are read one after the other, below a title across both', () => {
  const [left, right] = [many('left', 6), many('right', 6)];
  const words = [
    ...line(60, 40, 'A title that goes across both columns of the page', 14),
    // As some programs write it: row by row.
    ...left.flatMap((text, i) => [...line(50, 80 + i * 12, text), ...line(300, 84 + i * 12, right[i] ?? '')]),
    ...line(50, 200, 'A line that runs across the whole page again, below the two columns above'),
  ];
  assert.deepEqual(read(words), [
    'A title that goes across both columns of the page',
    ...left,
    ...right,
    'A line that runs across the whole page again, below the two columns above',
  ]);
});

test('three columns are read from left to right', () => {
  const columns = ['one', 'two', 'three'].map((name) => many(name, 5));
  const words = columns.flatMap((texts, k) =>
    texts.flatMap((text, i) => line(40 + k * 180, 80 + i * 12, text)),
  );
  assert.deepEqual(read(words), columns.flat());
});

test('a table is read row by row', () => {
  const rows = [
    ['Carbon dioxide', '100 000', '-'],
    ['Methane', '10', '5'],
    ['Nitrous oxide', '200', '-'],
    ['Halons', '1', '1'],
  ];
  const words = rows.flatMap((cells, i) => cells.flatMap((cell, k) => line(50 + k * 150, 80 + i * 14, cell)));
  assert.deepEqual(
    read(words),
    rows.map((cells) => cells.join(' | ')),
  );
});

test('a line stretched to fill its column stays one line', () => {
  const stretched = ['long', 'words', 'such', 'as', 'these'].flatMap((word, i) =>
    line(50 + i * 42, 80, word),
  );
  for (const word of stretched) word.box.x = Math.round(word.box.x);
  let x = 50;
  for (const word of stretched) {
    word.box.x = x;
    x += word.box.width + 18;
  }
  assert.deepEqual(read(stretched), ['long words such as these']);
});

test('raised and lowered signs belong to their line', () => {
  const [formula] = line(50, 80, 'CO');
  const [two] = line(60, 83, '2', 6);
  const words = [formula, { ...two, glued: true }, ...line(68, 80, 'and water')] as Word[];
  assert.deepEqual(read(words), ['CO2 and water']);
});

test('columns are told beside the labels of a figure, under lines that came near each other', () => {
  const left = Array.from({ length: 24 }, (_, i) => `left line ${i} of running text that fills it`);
  const right = Array.from({ length: 10 }, (_, i) => `right line ${i} of running text that fills`);
  const labels = Array.from({ length: 14 }, (_, i) => `label${i}`);
  const words = [
    ...left.flatMap((text, i) => line(50, 80 + i * 12, text)),
    ...labels.flatMap((text, i) => line(i % 2 ? 330 : 420, 82 + i * 12, text)),
    ...right.flatMap((text, i) => line(300, 250 + i * 12, text)),
  ];
  // As wide apart as the words beside it: taken for one line with what stands in the other column.
  const bridge = [
    ...line(50, 404, 'left line that'),
    ...line(140, 404, 'ends so near to its'),
    ...line(256, 404, 'own edge'),
  ];
  const beside = [...line(300, 404, 'a'), ...line(309, 404, 'b c d e f g h i j k')];
  const got = read([...words, ...bridge, ...beside]);
  const place = (text: string): number => got.findIndex((row) => row.includes(text));
  assert.ok(place('left line 23') < place('label0'));
  assert.ok(place('label13') < place('right line 0'));
  assert.ok(got.every((row) => !(row.includes('left') && /right|label/.test(row))));
});

test('a line alone at the top of the second column is read there', () => {
  const [left, right] = [many('left', 8), many('right', 7)];
  const words = [
    ...line(50, 64, 'The first heading', 15),
    ...left.flatMap((text, i) => line(50, 84 + i * 12, text)),
    ...line(300, 46, 'the last item'),
    ...line(300, 78, 'The second heading', 15),
    ...right.flatMap((text, i) => line(300, 98 + i * 12, text)),
  ];
  assert.deepEqual(read(words), [
    'The first heading',
    ...left,
    'the last item',
    'The second heading',
    ...right,
  ]);
});
