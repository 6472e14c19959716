// Text in the box of a field: one line, several, one cell per character, or the rows of a list.

import { formatNumber } from '../syntax/object-syntax.ts';
import type { TextLine, Typesetter } from './field-typesetting.ts';

export interface TextBox {
  width: number;
  height: number;
  /** Kept free on every side. */
  padding: number;
}

export interface TextStyle {
  /** 0: chosen to fit. */
  size: number;
  /** 0 left, 1 centred, 2 right. */
  quadding: number;
}

const LEAST_SIZE = 4;
/** Size of several lines where none is set; it shrinks until they fit. */
const USUAL_SIZE = 12;
/** Height of a line of most fonts, in sizes. */
const LINE = 1.16;

export function drawLine(set: Typesetter, text: string, box: TextBox, style: TextStyle): string {
  const size = style.size || fittedSize(set, text, box);
  const [line] = set.lines(text.replace(/\s*\n\s*/g, ' '), size);
  if (!line) return '';
  const y = (box.height - line.ascent - line.descent) / 2 + line.descent;
  return line.draw(indent(line.width, box, style.quadding), y);
}

/** As high as the box, as long as that is not too wide. */
function fittedSize(set: Typesetter, text: string, { width, height, padding }: TextBox): number {
  const byHeight = Math.max(LEAST_SIZE, (height - 2 * Math.min(padding, 1)) / LINE);
  const [line] = set.lines(text.replace(/\s*\n\s*/g, ' '), byHeight);
  const room = width - 2 * padding;
  if (!line || line.width <= room) return rounded(byHeight);
  return rounded(Math.max(LEAST_SIZE, (byHeight * room) / line.width));
}

const rounded = (size: number): number => Math.floor(size * 100) / 100;

/** A line wider than its box starts at the left, so that its beginning can be read. */
function indent(width: number, box: TextBox, quadding: number): number {
  const room = box.width - 2 * box.padding - width;
  if (room <= 0 || quadding === 0) return box.padding;
  return box.padding + (quadding === 1 ? room / 2 : room);
}

export function drawParagraphs(set: Typesetter, text: string, box: TextBox, style: TextStyle): string {
  const room = Math.max(1, box.width - 2 * box.padding);
  const lines = style.size ? set.lines(text, style.size, room) : fittedLines(set, text, box, room);
  const height = lineHeight(lines);
  const drawn: string[] = [];
  let top = box.height - box.padding;
  for (const line of lines) {
    if (top <= 0) break;
    drawn.push(line.draw(indent(line.width, box, style.quadding), top - line.ascent));
    top -= height;
  }
  return drawn.join('\n');
}

const lineHeight = (lines: readonly TextLine[]): number =>
  Math.max(0.1, ...lines.slice(0, 100).map(({ ascent, descent }) => ascent + descent));

/** Lines in the largest size, at most the usual one, in which all of them are seen. */
function fittedLines(set: Typesetter, text: string, box: TextBox, room: number): TextLine[] {
  const fits = (lines: readonly TextLine[]) =>
    lines.length * lineHeight(lines) <= box.height - 2 * box.padding;
  const usual = set.lines(text, USUAL_SIZE, room);
  if (fits(usual)) return usual;
  let best = set.lines(text, LEAST_SIZE, room);
  let [low, high] = [LEAST_SIZE, USUAL_SIZE];
  while (high - low > 0.25) {
    const middle = (low + high) / 2;
    const lines = set.lines(text, middle, room);
    if (fits(lines)) {
      low = middle;
      best = lines;
    } else high = middle;
  }
  return best;
}

/** "the text shall be divided into as many equally spaced positions as the value of MaxLen". */
export function drawComb(
  set: Typesetter,
  text: string,
  cells: number,
  box: TextBox,
  style: TextStyle,
): string {
  const characters = [...new Intl.Segmenter().segment(text.replaceAll('\n', ' '))].map(
    ({ segment }) => segment,
  );
  const cell = box.width / cells;
  const free = Math.max(0, cells - characters.length);
  const first = style.quadding === 1 ? Math.floor(free / 2) : style.quadding === 2 ? free : 0;
  const size = style.size || rounded(Math.max(LEAST_SIZE, Math.min(box.height / LINE, cell / 0.7)));
  return characters
    .slice(0, cells)
    .map((character, index) => {
      const [line] = character === ' ' ? [] : set.lines(character, size);
      if (!line) return '';
      const y = (box.height - line.ascent - line.descent) / 2 + line.descent;
      return line.draw((first + index) * cell + (cell - line.width) / 2, y);
    })
    .filter((drawn) => drawn !== '')
    .join('\n');
}

export interface Row {
  text: string;
  selected: boolean;
}

/** Light blue, as readers are used to. */
const SELECTION = '0.6 0.757 0.855 rg';

/** Rows of a list, those that are seen; `colour` sets the colour of text. */
export function drawRows(
  set: (text: string) => Typesetter,
  rows: readonly Row[],
  box: TextBox,
  style: TextStyle,
  colour: string,
): string {
  const size = style.size || USUAL_SIZE;
  const drawn: string[] = [];
  let top = box.height - box.padding;
  for (const { text, selected } of rows) {
    if (top <= 0) break;
    const [line] = set(text).lines(text.replaceAll('\n', ' '), size);
    const height = Math.max(size * LINE, line ? line.ascent + line.descent : 0);
    if (selected) {
      const sides = [box.padding / 2, top - height, box.width - box.padding, height]
        .map(formatNumber)
        .join(' ');
      drawn.push(`q ${SELECTION} ${sides} re f Q`);
    }
    if (line)
      drawn.push(`${colour} ${line.draw(indent(line.width, box, style.quadding), top - line.ascent)}`);
    top -= height;
  }
  return drawn.join('\n');
}

/** How many rows of a list are seen, at least. */
export const rowsSeen = (box: TextBox, size: number): number =>
  Math.max(1, Math.floor((box.height - 2 * box.padding) / ((size || USUAL_SIZE) * LINE)));
