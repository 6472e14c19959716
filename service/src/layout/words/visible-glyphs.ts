// Which glyphs a reader sees, each once: shadows and fat letters made by drawing twice, and recognised text under
// text that is drawn anyway, are left out.
import type { Glyphs } from '../../contract/page-items.ts';

/** Indices into the page's glyphs, in their order. */
export interface VisibleGlyphs {
  glyphs: Glyphs;
  indices: Uint32Array;
}

/** A page is looked up in squares of so many points. */
const SQUARE = 4;
/** The same letter within this part of its size is the same letter drawn again. */
export const SAME_PLACE = 0.15;

/** Letters drawn twice one after the other are left out here, words drawn twice when they are words. */
export function findVisibleGlyphs(
  glyphs: Glyphs,
  page: { width: number; height: number },
  among?: Uint32Array,
): VisibleGlyphs {
  const { codes, origins, sizes } = glyphs;
  const { width, height } = page;
  const count = among?.length ?? glyphs.count;
  const indices = new Uint32Array(count);
  let kept = 0;
  let last = -1;
  let lastCode = -1;
  for (let k = 0; k < count; k += 1) {
    const i = among ? (among[k] as number) : k;
    const x = origins[i * 2] as number;
    const y = origins[i * 2 + 1] as number;
    const size = sizes[i] as number;
    if (!(size > 0 && x > -size && x < width && y > 0 && y < height + size)) continue;
    const code = codes[i] as number;
    if (code === lastCode && isSameLetter(glyphs, i, last)) continue;
    indices[kept] = i;
    kept += 1;
    last = i;
    lastCode = code;
  }
  return { glyphs, indices: withoutDoubles(glyphs, indices.subarray(0, kept)) };
}

/** Of two that are the same letter. */
function isSameLetter(glyphs: Glyphs, i: number, other: number): boolean {
  const dx = Math.abs((glyphs.origins[i * 2] as number) - (glyphs.origins[other * 2] as number));
  const dy = Math.abs((glyphs.origins[i * 2 + 1] as number) - (glyphs.origins[other * 2 + 1] as number));
  const near = (glyphs.sizes[i] as number) * SAME_PLACE;
  // A ligature taken apart ("ff") is twice the same letter in exactly one place, one after the other.
  if (i === other + 1 && dx === 0 && dy === 0) return false;
  return dx < near && dy < near;
}

/** Hidden glyphs over visible ones say the same again. */
function withoutDoubles(glyphs: Glyphs, indices: Uint32Array): Uint32Array {
  const { ink, sizes, looks, lookOf, codes } = glyphs;
  if (looks.every(({ paint }) => paint !== 'none')) return indices;
  const isHidden = (i: number): boolean => looks[lookOf[i] as number]?.paint === 'none';
  if (indices.every(isHidden)) return indices;
  const covered = new Set<number>();
  const key = (x: number, y: number): number => Math.floor(y / SQUARE) * 65_536 + Math.floor(x / SQUARE);
  for (const i of indices) {
    if (isHidden(i) || isSpace(codes[i] as number)) continue;
    const [left, right] = [ink[i * 4] as number, ink[i * 4 + 2] as number];
    const middle = ((ink[i * 4 + 1] as number) + (ink[i * 4 + 3] as number)) / 2;
    const reach = (sizes[i] as number) / 3;
    for (let y = middle - reach; y <= middle + reach; y += SQUARE)
      for (let x = left; x < right + SQUARE; x += SQUARE) covered.add(key(x, y));
  }
  return indices.filter((i) => {
    if (!isHidden(i)) return true;
    const x = ((ink[i * 4] as number) + (ink[i * 4 + 2] as number)) / 2;
    const y = ((ink[i * 4 + 1] as number) + (ink[i * 4 + 3] as number)) / 2;
    return !covered.has(key(x, y));
  });
}

export const isSpace = (code: number): boolean =>
  code <= 0x20
    ? code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
    : code >= 0xa0 &&
      (code === 0xa0 ||
        (code >= 0x2000 && code <= 0x200b) ||
        code === 0x202f ||
        code === 0x205f ||
        code === 0x3000);
