// Small pages written out by hand.
import { runsText } from '../../src/layout/lines/runs.ts';
import type { TextStyle } from '../../src/layout/model.ts';
import type { PageItems, Rule } from '../../src/layout/page-items.ts';
import { findTables } from '../../src/layout/tables/find-tables.ts';
import type { Word } from '../../src/layout/words/word.ts';

const STYLE: TextStyle = {
  font: 'Test',
  size: 10,
  bold: false,
  italic: false,
  monospace: false,
  color: '#000000',
};
const BOLD: TextStyle = { ...STYLE, bold: true };
const MONOSPACE: TextStyle = { ...STYLE, monospace: true };

const LETTER_WIDTH = 5;
const SPACE = 2.5;

export interface Text {
  /** Where it begins, or ends. */
  x: number;
  /** Of its baseline. */
  y: number;
  text: string;
  right?: boolean;
  bold?: boolean;
  monospace?: boolean;
}

function wordsOf({ x, y, text, right, bold, monospace }: Text): Word[] {
  const parts = text.split(' ').filter((part) => part !== '');
  const width = parts.reduce((sum, part) => sum + part.length * LETTER_WIDTH, 0) + SPACE * (parts.length - 1);
  let at = right ? x - width : x;
  return parts.map((part, i) => {
    const box = { x: at, y: y - 7.5, width: part.length * LETTER_WIDTH, height: 10 };
    at += box.width + SPACE;
    return {
      text: part,
      box,
      baseline: y,
      style: bold ? BOLD : monospace ? MONOSPACE : STYLE,
      turn: 0,
      glued: false,
      spaced: i > 0,
      direction: 'ltr',
      vertical: false,
      markedContent: -1,
      hidden: false,
      order: 0,
    };
  });
}

export const level = (y: number, from: number, to: number): Rule => ({
  axis: 'horizontal',
  at: y,
  from,
  to,
  thickness: 0.5,
  color: '#000000',
});

export const upright = (x: number, from: number, to: number): Rule => ({
  axis: 'vertical',
  at: x,
  from,
  to,
  thickness: 0.5,
  color: '#000000',
});

export function smallPage(
  texts: readonly Text[],
  { rules = [], ...rest }: Partial<Omit<PageItems, 'words'>> = {},
): PageItems {
  return {
    width: 600,
    height: 800,
    rotation: 0,
    words: texts.flatMap(wordsOf),
    rules,
    fills: [],
    curves: [],
    images: [],
    links: [],
    truncated: false,
    ...rest,
  };
}

/** Rows of texts, each column beginning (or ending, where negative) at its place. */
export function rowsOfTexts(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  { top = 100, step = 14 }: { top?: number; step?: number } = {},
): Text[] {
  return rows.flatMap((row, r) =>
    row.flatMap((text, c) => {
      const x = columns[c] ?? 0;
      return text === '' ? [] : [{ x: Math.abs(x), y: top + r * step, text, right: x < 0 }];
    }),
  );
}

/** All lines of a grid with these edges. */
export const gridRules = (columns: readonly number[], rows: readonly number[]): Rule[] => [
  ...rows.map((y) => level(y, columns[0] ?? 0, columns.at(-1) ?? 0)),
  ...columns.map((x) => upright(x, rows[0] ?? 0, rows.at(-1) ?? 0)),
];

/** The page as it is when turned clockwise by so many degrees. */
export function turnPage(page: PageItems, degrees: 90 | 180 | 270): PageItems {
  if (degrees > 90) return turnPage(turnPage(page, 90), degrees === 180 ? 90 : 180);
  const { width, height } = page;
  const turned = ({ x, y, width: w, height: h }: Word['box']): Word['box'] => ({
    x: height - y - h,
    y: x,
    width: h,
    height: w,
  });
  return {
    ...page,
    width: height,
    height: width,
    words: page.words.map((word) => {
      const isLevel = word.turn % 180 === 0;
      return {
        ...word,
        box: turned(word.box),
        turn: word.turn + 90,
        baseline: isLevel ? height - word.baseline : word.baseline,
      };
    }),
    rules: page.rules.map((rule) =>
      rule.axis === 'horizontal'
        ? { ...rule, axis: 'vertical', at: height - rule.at }
        : { ...rule, axis: 'horizontal', from: height - rule.to, to: height - rule.from },
    ),
  };
}

/** The words of each cell of the tables that are found on a page, row by row. */
export const tables = (page: PageItems): string[][][] =>
  findTables(page, 1).map(({ table }) =>
    table.rows.map(({ cells }) => {
      const row = Array<string>(table.columnEdges.length - 1).fill('');
      for (const { column, blocks } of cells)
        row[column] = blocks
          .map((block) => (block.kind === 'paragraph' ? runsText(block.runs) : ''))
          .join(' ');
      return row;
    }),
  );
