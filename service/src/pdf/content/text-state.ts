// Where text stands while content is read (ISO 32000-1, 9.3 and 9.4).

import type { MeasuredFont } from '../fonts/glyph-widths.ts';
import type { Box } from '../geometry/boxes.ts';
import { boxThrough, IDENTITY, type Matrix, product, translation } from '../geometry/matrix.ts';

/** What q saves of the text state. */
export interface TextState<F extends MeasuredFont = MeasuredFont> {
  font: F | undefined;
  size: number;
  characterSpacing: number;
  wordSpacing: number;
  /** Horizontal scaling, 1 is none. */
  stretch: number;
  leading: number;
  rise: number;
}

export const INITIAL_TEXT: TextState = {
  font: undefined,
  size: 0,
  characterSpacing: 0,
  wordSpacing: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
};

/** A glyph as it stands on the page. */
export interface PlacedGlyph {
  /** Bytes of its code. */
  length: number;
  box: Box;
  /** From sizes of the font, the glyph's origin at 0 0, to the page. */
  matrix: Matrix;
  /** How far the glyph reaches, in sizes of the font. */
  reach: Box;
  /** What a number in TJ would be that moves on as the glyph does. */
  adjustment: number;
}

/** The line and the place in it, from BT to ET. */
export class TextCursor {
  private line: Matrix = IDENTITY;
  private place: Matrix = IDENTITY;

  /** Where the line began, and how far it has come: along it, in text space. */
  get lineMatrix(): Matrix {
    return this.line;
  }

  come({ font }: TextState): number {
    const [a, b, c, d, e, f] = this.line;
    const [x, y] = font?.vertical ? [c, d] : [a, b];
    const length = x * x + y * y;
    return length === 0 ? 0 : ((this.place[4] - e) * x + (this.place[5] - f) * y) / length;
  }

  begin(): void {
    this.set(IDENTITY);
  }

  set(matrix: Matrix): void {
    this.line = matrix;
    this.place = matrix;
  }

  newLine(x: number, y: number): void {
    this.set(product(translation(x, y), this.line));
  }

  /** A number in TJ: thousandths of the size, against the direction of the line. */
  adjust(number: number, { font, size, stretch }: TextState): void {
    const by = (-number / 1000) * size;
    this.moveOn(font?.vertical ? 0 : by * stretch, font?.vertical ? by : 0);
  }

  private moveOn(x: number, y: number): void {
    this.place = product(translation(x, y), this.place);
  }

  /** Shows a string and tells where its glyphs stand. */
  show(bytes: Uint8Array, state: TextState, ctm: Matrix): PlacedGlyph[] {
    const { font, size, stretch, rise, characterSpacing, wordSpacing } = state;
    if (!font) return [];
    // A glyph differs from the one before only by how far the line has come: one product serves all.
    const [a, b, c, d, e, f] = product(this.place, ctm);
    const [across, up] = [size * stretch, size];
    const [alongX, alongY] = font.vertical ? [c, d] : [a, b];
    let come = 0;
    const placed = font.glyphs(bytes).map(({ length, advance, isSpace }) => {
      const x = e + c * rise + alongX * come;
      const y = f + d * rise + alongY * come;
      const matrix: Matrix = [a * across, b * across, c * up, d * up, x, y];
      const reach = reachOf(font, advance);
      const spacing = characterSpacing + (isSpace ? wordSpacing : 0);
      const by = advance * size + spacing;
      come += font.vertical ? by : by * stretch;
      const adjustment = size === 0 ? 0 : -(advance + spacing / size) * 1000;
      return { length, box: boxThrough(matrix, reach), matrix, reach, adjustment };
    });
    this.moveOn(font.vertical ? 0 : come, font.vertical ? come : 0);
    return placed;
  }
}

function reachOf(font: MeasuredFont, advance: number): Box {
  if (font.vertical) return { left: -0.5, bottom: Math.min(0, advance), right: 0.5, top: 0 };
  // Accents and the like move nothing on, and still show.
  const width = Math.abs(advance) < 0.01 ? 0.5 : advance;
  return {
    left: Math.min(0, width),
    bottom: font.descent,
    right: Math.max(0, width),
    top: font.ascent,
  };
}
