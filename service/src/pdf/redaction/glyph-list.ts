// Characters as content draws them: what they say and where they stand.
import { type Point, transformed } from '../matrix.ts';
import type { PlacedGlyph } from '../text-state.ts';
import type { CodeText } from './glyph-fonts.ts';
import { type Quad, quadThrough } from './quads.ts';

export interface Glyph extends CodeText {
  /** In the order of drawing, counted through all forms of a page. */
  index: number;
  /** The bytes of the code, one character each. */
  raw: string;
  quad: Quad;
  origin: Point;
  /** Where the next character would stand. */
  end: Point;
  /** Direction of the line, of length 1. */
  along: Point;
  /** How tall the font is on the page. */
  size: number;
  /** The marked content that replaces it by a text of its own. */
  span: number | undefined;
}

/** Marked content with a text that stands for what it draws. */
export interface Span {
  id: number;
  text: string;
}

/** All of a page or of a stream, in the order of drawing: a glyph's index is its place. */
export interface Listed {
  glyphs: Glyph[];
  spans: Span[];
  /** Texts that marked content carries besides. */
  texts: string[];
  /** Names of resources that are used. */
  names: Set<string>;
}

export function glyphOf(
  placed: PlacedGlyph,
  vertical: boolean,
  read: CodeText,
  more: Pick<Glyph, 'index' | 'raw' | 'span'>,
): Glyph {
  const { matrix, reach, adjustment } = placed;
  const origin = transformed(matrix, 0, 0);
  const em = transformed(matrix, vertical ? 0 : 1, vertical ? -1 : 0);
  const length = Math.hypot(em.x - origin.x, em.y - origin.y);
  const forward = -adjustment / 1000;
  return {
    ...read,
    ...more,
    quad: quadThrough(matrix, reach),
    origin,
    end: transformed(matrix, vertical ? 0 : forward, vertical ? forward : 0),
    along: length > 0 ? { x: (em.x - origin.x) / length, y: (em.y - origin.y) / length } : { x: 1, y: 0 },
    size: Math.hypot(matrix[2], matrix[3]) || length,
    span: more.span,
  };
}
