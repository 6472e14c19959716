// A page's characters as a renderer tells them, and which of ours they are.
import type { Point } from '../geometry/matrix.ts';
import type { Glyph } from './glyph-list.ts';
import { indexOf } from './quad-index.ts';
import { boundsOf, centreOf, contains, type Quad, quadOf } from './quads.ts';
import type { Terms } from './terms.ts';

/** In reading order; left, bottom, right, top of each in `boxes`, all zero for what was not drawn. */
export interface SeenChars {
  count: number;
  codes: Uint32Array;
  boxes: Float32Array;
}

/** One place of a term, by the characters' numbers. */
export interface SeenHit {
  characters: number[];
  term: number;
}

const HYPHENS = new Set([0x2d, 0x2010, 0x2011, 0xad]);

export function findSeen(seen: SeenChars, terms: Terms): SeenHit[] {
  const parts: string[] = [];
  const characterAt: number[] = [];
  for (let index = 0; index < seen.count; index += 1) {
    const character = String.fromCodePoint(validCode(seen.codes[index] ?? 0));
    parts.push(character);
    for (let unit = 0; unit < character.length; unit += 1) characterAt.push(index);
    // A hyphen at a line end comes without the line end.
    if (HYPHENS.has(seen.codes[index] ?? 0) && isOnOtherLine(seen, index, index + 1)) {
      parts.push('\n');
      characterAt.push(-1);
    }
  }
  return terms.find(parts.join('')).map(({ start, end, term }) => ({
    characters: [...new Set(characterAt.slice(start, end).filter((index) => index >= 0))],
    term,
  }));
}

const validCode = (code: number): number =>
  code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code === 0 ? 0xfffd : code;

function isOnOtherLine({ boxes, count }: SeenChars, a: number, b: number): boolean {
  if (b >= count) return false;
  return (
    (boxes[b * 4 + 3] ?? 0) <= (boxes[a * 4 + 1] ?? 0) || (boxes[b * 4 + 1] ?? 0) >= (boxes[a * 4 + 3] ?? 0)
  );
}

function boxOfSeen({ boxes }: SeenChars, index: number): Quad | undefined {
  const [left = 0, bottom = 0, right = 0, top = 0] = boxes.subarray(index * 4, index * 4 + 4);
  if (left === 0 && right === 0 && bottom === 0 && top === 0) return undefined;
  return quadOf({
    left: Math.min(left, right),
    right: Math.max(left, right),
    bottom: Math.min(bottom, top),
    top: Math.max(bottom, top),
  });
}

/** Ours for a renderer's characters; those we do not have come as their boxes. */
export function glyphsFor(
  seen: SeenChars,
  characters: readonly number[],
  glyphs: readonly Glyph[],
): { glyphs: Set<number>; unknown: Quad[] } {
  const found = new Set<number>();
  const unknown: Quad[] = [];
  for (const index of characters) {
    const box = boxOfSeen(seen, index);
    const character = String.fromCodePoint(validCode(seen.codes[index] ?? 0));
    if (!box || /\s/.test(character)) continue;
    const ours = glyphAt(glyphs, centreOf(box), character);
    if (ours) found.add(ours.index);
    else unknown.push(box);
  }
  return { glyphs: found, unknown };
}

/** Among those around the point the one that says the same, else the one whose middle is nearest. */
function glyphAt(glyphs: readonly Glyph[], point: Point, character: string): Glyph | undefined {
  let best: Glyph | undefined;
  let least = Infinity;
  for (const glyph of glyphs) {
    if (!glyph.isNear({ left: point.x, right: point.x, bottom: point.y, top: point.y })) continue;
    if (!contains(glyph.quad, point)) continue;
    const middle = centreOf(glyph.quad);
    const isSame = glyph.text?.includes(character) ?? false;
    const distance = Math.hypot(middle.x - point.x, middle.y - point.y) - (isSame ? glyph.size : 0);
    if (distance < least) [best, least] = [glyph, distance];
  }
  return best;
}

/** How many drawn characters have their middle under a box. */
export function seenUnder(seen: SeenChars, quads: readonly Quad[]): number {
  const boxes = indexOf(quads);
  let under = 0;
  for (let index = 0; index < seen.count; index += 1) {
    const box = boxOfSeen(seen, index);
    if (!box || /[\s\ufffd]/.test(String.fromCodePoint(validCode(seen.codes[index] ?? 0)))) continue;
    const middle = centreOf(box);
    if (boxes.near(boundsOf([middle])).some((quad) => contains(quad, middle))) under += 1;
  }
  return under;
}
