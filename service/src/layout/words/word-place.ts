// Where a word stands: from the height of capital letters to the depth of descenders, as wide as it was set.
import type { Glyphs } from '../../contract/page-items.ts';
import type { Box } from '../model.ts';

/** Above and below the baseline, as parts of the size. */
const ASCENT = 0.75;
const DESCENT = 0.25;

export interface WordPlace {
  box: Box;
  baseline: number;
}

/** `turn` in degrees, or downwards with upright characters. */
export function placeWord(
  glyphs: Glyphs,
  piece: Uint32Array,
  turn: number | 'down',
  size: number,
): WordPlace {
  return turn === 'down' ? placeDown(glyphs, piece, size) : placeTurned(glyphs, piece, turn, size);
}

/** On one line, between these places. */
export function boxLevel(left: number, right: number, baseline: number, size: number): Box {
  const top = baseline - size * ASCENT;
  return { x: left, y: top, width: right - left, height: baseline + size * DESCENT - top };
}

/** The first `count` of these glyphs, as most writing stands. */
export function boxUpright(glyphs: Glyphs, piece: Uint32Array, count: number, size: number): Box {
  const { origins, advances } = glyphs;
  let left = Infinity;
  let right = -Infinity;
  let highest = Infinity;
  let lowest = -Infinity;
  for (let k = 0; k < count; k += 1) {
    const i = piece[k] as number;
    const x = origins[i * 2] as number;
    const y = origins[i * 2 + 1] as number;
    const advance = advances[i] as number;
    const end = x + (advance > 0 ? advance : inkAlong(glyphs, i));
    if (x < left) left = x;
    if (end > right) right = end;
    if (y < highest) highest = y;
    if (y > lowest) lowest = y;
  }
  const top = highest - size * ASCENT;
  return { x: left, y: top, width: right - left, height: lowest + size * DESCENT - top };
}

function placeTurned(glyphs: Glyphs, piece: Uint32Array, turn: number, size: number): WordPlace {
  const { origins, advances } = glyphs;
  const radians = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const cover = (x: number, y: number): void => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  for (const i of piece) {
    const [x, y] = [origins[i * 2] as number, origins[i * 2 + 1] as number];
    const advance = (advances[i] as number) > 0 ? (advances[i] as number) : inkAlong(glyphs, i);
    const [endX, endY] = [x + advance * cos, y + advance * sin];
    // Up, seen from the writing, is (sin, -cos).
    cover(x + size * ASCENT * sin, y - size * ASCENT * cos);
    cover(endX - size * DESCENT * sin, endY + size * DESCENT * cos);
  }
  const first = piece[0] as number;
  return {
    box: { x: left, y: top, width: right - left, height: bottom - top },
    baseline: Math.abs(sin) < 0.7 ? (origins[first * 2 + 1] as number) : (origins[first * 2] as number),
  };
}

/** Written downwards: as wide as the size, around the middle of the ink. */
function placeDown({ ink }: Glyphs, piece: Uint32Array, size: number): WordPlace {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const i of piece) {
    left = Math.min(left, ink[i * 4] as number);
    top = Math.min(top, ink[i * 4 + 1] as number);
    right = Math.max(right, ink[i * 4 + 2] as number);
    bottom = Math.max(bottom, ink[i * 4 + 3] as number);
  }
  const middle = (left + right) / 2;
  return {
    box: { x: middle - size / 2, y: top, width: size, height: bottom - top },
    // Turned, a line stands on its left edge.
    baseline: middle - size / 4,
  };
}

/** How far the ink reaches from the origin in the direction of writing. */
export function inkAlong({ ink, origins, turns }: Glyphs, i: number): number {
  const radians = ((turns[i] as number) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const x = (cos >= 0 ? (ink[i * 4 + 2] as number) : (ink[i * 4] as number)) - (origins[i * 2] as number);
  const y =
    (sin >= 0 ? (ink[i * 4 + 3] as number) : (ink[i * 4 + 1] as number)) - (origins[i * 2 + 1] as number);
  return Math.abs(cos) > Math.abs(sin) ? x * cos : y * sin;
}

/** How far a glyph takes the pen; by its ink where the font does not say. */
export function widthOf(glyphs: Glyphs, i: number): number {
  const advance = glyphs.advances[i] as number;
  return advance > 0 ? advance : inkAlong(glyphs, i);
}
