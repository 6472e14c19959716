// Characters as content draws them: what they say and where they stand.

import type { PlacedGlyph } from '../content/text-state.ts';
import type { CodeText } from '../fonts/glyph-fonts.ts';
import type { Box } from '../geometry/boxes.ts';
import type { Matrix, Point } from '../geometry/matrix.ts';
import { boxesTouch, type Quad, quadThrough } from './quads.ts';

export class Glyph implements CodeText {
  readonly text: string | undefined;
  readonly encoded: string | undefined;
  readonly isUnknown: boolean;
  /** In the order of drawing, counted through all forms of a page. */
  readonly index: number;
  /** The bytes of the code, one character each. */
  readonly raw: string;
  readonly origin: Point;
  /** Where the next character would stand. */
  readonly end: Point;
  /** Direction of the line, of length 1. */
  readonly along: Point;
  /** How tall the font is on the page. */
  readonly size: number;
  /** The marked content that replaces it by a text of its own. */
  readonly span: number | undefined;
  private readonly matrix: Matrix;
  private readonly reach: Box;
  private covered: Quad | undefined;

  constructor(
    { matrix, reach, adjustment }: PlacedGlyph,
    isVertical: boolean,
    { text, encoded, isUnknown = false }: CodeText,
    { index, raw, span }: { index: number; raw: string; span: number | undefined },
  ) {
    this.text = text;
    this.encoded = encoded;
    this.isUnknown = isUnknown;
    this.index = index;
    this.raw = raw;
    this.span = span;
    this.matrix = matrix;
    this.reach = reach;
    const [a, b, c, d, e, f] = matrix;
    const [x, y] = isVertical ? [-c, -d] : [a, b];
    const length = Math.hypot(x, y);
    const forward = (isVertical ? 1 : -1) * (adjustment / 1000);
    this.origin = { x: e, y: f };
    this.end = { x: e + x * forward, y: f + y * forward };
    this.along = length > 0 ? { x: x / length, y: y / length } : { x: 1, y: 0 };
    this.size = Math.hypot(c, d) || length;
  }

  /** Where it may reach: quickly told, and never too small. */
  get surroundings(): Box {
    const { origin, end, matrix, reach: own } = this;
    const furthest = Math.max(1, -own.left, -own.bottom, own.right, own.top);
    const reach = furthest * (Math.hypot(matrix[0], matrix[1]) + Math.hypot(matrix[2], matrix[3]));
    return {
      left: Math.min(origin.x, end.x) - reach,
      bottom: Math.min(origin.y, end.y) - reach,
      right: Math.max(origin.x, end.x) + reach,
      top: Math.max(origin.y, end.y) + reach,
    };
  }

  /** Whether it may reach into a box. */
  isNear(box: Box): boolean {
    return boxesTouch(this.surroundings, box);
  }

  /** What it covers; most are never asked. */
  get quad(): Quad {
    this.covered ??= quadThrough(this.matrix, this.reach);
    return this.covered;
  }
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
  /** Names of resources that are used, of tags, and in property lists. */
  names: Set<string>;
  /** Of inline images, as it stands. */
  data: Uint8Array[];
}
