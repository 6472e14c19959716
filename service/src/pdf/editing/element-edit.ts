// A string of a page, changed: glyphs that go, glyphs that move along the line, text that is new, another place.

import { inverse, type Matrix, matrixText, product, translation } from '../geometry/matrix.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import type { AddedResources } from './added-resources.ts';
import { LineWriter } from './line-writer.ts';
import type { Position, ShownText } from './shown-text.ts';
import type { WrittenText } from './written-text.ts';

export interface InsertedText {
  /** The glyph that it stands before, by its place in the string; behind all of them: their number. */
  before: number;
  /** Thousandths of the size from the beginning of the string. */
  at: number;
  text: WrittenText;
  /** Set narrower by this factor. */
  narrowing: number;
}

export interface ElementEdit {
  isGone(glyph: number): boolean;
  /** By how much a glyph moves along the line, in thousandths of the size. */
  shift(glyph: number): number;
  /** By which factor a glyph is set narrower; absent: by none. */
  narrowing?(glyph: number): number;
  inserted: readonly InsertedText[];
  /** The place of the string's first glyph: text space to the page. */
  matrix?: Matrix;
  /** What the string said and says now; absent where that is the same. */
  said?: { before: string; after: string };
}

/** The operators of the edited string. The text state, and where the next string stands, are as they were. */
export function editedString(
  shown: ShownText,
  edit: ElementEdit,
  resources: AddedResources,
  place: LinePlace,
): string {
  const line = new LineWriter(place.state, resources);
  const waiting = [...edit.inserted];
  const insert = (until: number): void => {
    for (let next = waiting[0]; next && next.before <= until; next = waiting[0]) {
      const { at, text, narrowing } = next;
      line.narrow(narrowing);
      line.moveTo(at);
      text.put(line);
      waiting.shift();
    }
  };
  shown.glyphs.forEach(({ code, start, end }, index) => {
    insert(index);
    if (edit.isGone(index)) return;
    line.narrow(edit.narrowing?.(index) ?? 1);
    line.moveTo(start + edit.shift(index));
    line.show(code, end - start);
  });
  insert(shown.glyphs.length);
  if (!edit.matrix) return line.finish(shown.end);
  return movedString(line, shown.end, edit.matrix, place);
}

/** Where a string stands, as it was before it was shown. */
export interface LinePlace {
  state: Position['state'];
  line: Matrix;
  /** How far the line had come, in text space. */
  come: number;
}

/** Whether text can be put anywhere on a page from here. */
export const isMovable = ({ state }: Pick<LinePlace, 'state'>): boolean =>
  inverse(state.ctm) !== undefined && state.text.size * state.text.stretch !== 0;

function movedString(line: LineWriter, end: number, matrix: Matrix, place: LinePlace): string {
  const { text, ctm } = place.state;
  const back = inverse(ctm);
  if (!back) return line.finish(end);
  const there = product(product(translation(0, -text.rise), matrix), back);
  const shown = line.finish(end);
  const unit = text.size * (text.font?.vertical ? 1 : text.stretch);
  const number = -((place.come * 1000) / unit + end);
  const restored = `${matrixText(place.line)} Tm${number === 0 ? '' : ` [${formatNumber(number)}] TJ`}`;
  return `${matrixText(there)} Tm ${shown} ${restored}`;
}
