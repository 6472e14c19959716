// Right-to-left writing: glyphs lie on the page as they are seen; text is kept as it is read.
import bidiFactory from 'bidi-js';
import type { Glyphs } from '../contract/page-marks.ts';

// The package's types tell of a default export; what Node gets is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
export const isRightToLeft = (code: number): boolean =>
  code >= 0x590 &&
  ((code <= 0x8ff && code !== 0x66a) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfeff) ||
    (code >= 0x10800 && code <= 0x10fff) ||
    (code >= 0x1e800 && code <= 0x1efff)) &&
  !(code >= 0x660 && code <= 0x669) &&
  !(code >= 0x6f0 && code <= 0x6f9);

/** The text of glyphs that make up one word. */
export function logicalText(glyphs: Glyphs, piece: Uint32Array): { text: string; direction: 'ltr' | 'rtl' } {
  const { codes, origins } = glyphs;
  let rightToLeft = false;
  let text = '';
  for (const i of piece) {
    const code = codes[i] as number;
    if (isRightToLeft(code)) rightToLeft = true;
    text += character(code);
  }
  if (!rightToLeft) return { text, direction: 'ltr' };
  const clusters: { x: number; text: string }[] = [];
  for (const i of piece) {
    const x = origins[i * 2] as number;
    const last = clusters.at(-1);
    if (last?.x === x) last.text = inOnePlace(last.text, character(codes[i] as number));
    else clusters.push({ x, text: character(codes[i] as number) });
  }
  const seen = clusters.toSorted((a, b) => a.x - b.x).map((cluster) => cluster.text);
  return { text: reordered(seen, 'rtl').join(''), direction: 'rtl' };
}

/** Letters of one glyph come in either order: a mark follows its letter, and an alef joined to a lam follows the lam. */
function inOnePlace(before: string, next: string): string {
  const turned =
    (/^\p{M}+$/u.test(before) && !/^\p{M}/u.test(next)) || (/^[آأإا]$/.test(before) && next === 'ل');
  return turned ? next + before : before + next;
}

/** A character that says nothing, or that XML and terminals cannot take, is left out. */
function character(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad) return code === 0xad ? '-' : '';
  if (
    code === 0xfffe ||
    code === 0xffff ||
    code === 0xfeff ||
    code > 0x10ffff ||
    (code >= 0xd800 && code <= 0xdfff)
  )
    return '';
  return String.fromCodePoint(code);
}

/** Parts seen from left to right, in the order they are read. */
export function reordered(parts: readonly string[], base: 'ltr' | 'rtl'): string[] {
  const starts: number[] = [];
  let text = '';
  for (const part of parts) {
    starts.push(text.length);
    text += part;
  }
  const { levels } = bidi.getEmbeddingLevels(text, base);
  // Turning what the levels say is its own inverse: seen to read is as read to seen.
  const order = parts.map((_, k) => k);
  const levelOf = (k: number): number => levels[starts[k] ?? 0] ?? 0;
  const highest = parts.reduce((most, _, k) => Math.max(most, levelOf(k)), 0);
  for (let level = highest; level >= 1; level -= 1) {
    for (let from = 0; from < order.length; from += 1) {
      if (levelOf(from) < level) continue;
      let to = from;
      while (to + 1 < order.length && levelOf(to + 1) >= level) to += 1;
      order.splice(from, to - from + 1, ...order.slice(from, to + 1).reverse());
      from = to;
    }
  }
  return order.map((k) => parts[k] as string);
}
