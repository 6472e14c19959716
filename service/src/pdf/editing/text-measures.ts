// How far a string reaches on the page, and where it begins.

import type { GraphicsState } from '../content/graphics-state.ts';
import type { PlacedGlyph } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import { boxThrough } from '../geometry/matrix.ts';
import { elementColour } from './element-colours.ts';
import type { TextElement } from './text-element.ts';

export type Measures = Omit<TextElement, 'text' | 'codes' | 'isGuessed' | 'zOrder'>;

export function elementOf(
  doc: PdfDocument,
  placed: readonly PlacedGlyph[],
  state: GraphicsState,
): Measures | undefined {
  const { text } = state;
  const [first] = placed;
  const last = placed.at(-1);
  if (!first || !last || !text.font) return undefined;
  const [a, b, c, d, x, y] = first.matrix;
  const across = text.size * text.stretch || 1;
  const up = text.size || 1;
  const seenSize = Math.hypot(c, d);
  const end = endOf(last);
  const { vertical } = text.font;
  const box = boxThrough(first.matrix, first.reach);
  const height = vertical
    ? Math.hypot(end[0] - x, end[1] - y)
    : seenSize * (first.reach.top - first.reach.bottom);
  return {
    fontName: state.fontName,
    font: state.font,
    state: text,
    matrix: [a / across, b / across, c / up, d / up, x, y],
    width: vertical ? box.right - box.left : Math.hypot(end[0] - x, end[1] - y),
    height,
    seenSize,
    spaceWidth: spaceWidth(state),
    fill: elementColour(doc, state.fill),
    stroke: elementColour(doc, state.stroke),
    mode: state.renderingMode,
  };
}

/** Where the line has come to behind a glyph. */
function endOf({ matrix: [a, b, c, d, x, y], reach }: PlacedGlyph): [number, number] {
  const isDown = reach.bottom < -0.5 && reach.left < 0;
  return isDown ? [x + c * reach.bottom, y + d * reach.bottom] : [x + a * reach.right, y + b * reach.right];
}

const SPACE = Uint8Array.of(32);

function spaceWidth({ text, font }: GraphicsState): number | undefined {
  const [space] = font === undefined ? [] : (text.font?.glyphs(SPACE) ?? []);
  return space?.isSpace && space.advance > 0 ? space.advance * text.size : undefined;
}
