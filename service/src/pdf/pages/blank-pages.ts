// Whether a page shows nothing.
import type { Box } from '../geometry/boxes.ts';

/** Characters as an engine reads them from a page. */
export interface LookedAtChars {
  count: number;
  codes: Uint32Array;
  /** Left, bottom, right, top. */
  boxes: Float32Array;
  lookOf: Uint32Array;
  looks: readonly { invisible: boolean; fill: readonly [number, number, number, number] }[];
}

/** Text this light may be there to be unseen: then pixels decide. */
const NEARLY_WHITE = 250;

/** Whether something of the text can be seen for certain: it is drawn, in a colour, on the page. */
export function showsText(chars: LookedAtChars, page: Box): boolean {
  for (let i = 0; i < chars.count; i += 1) {
    const look = chars.looks[chars.lookOf[i] ?? -1];
    if (!look || look.invisible || look.fill[3] === 0) continue;
    if (look.fill[0] >= NEARLY_WHITE && look.fill[1] >= NEARLY_WHITE && look.fill[2] >= NEARLY_WHITE)
      continue;
    const character = String.fromCodePoint(Math.min(chars.codes[i] ?? 0x20, 0x10ffff));
    if (/[\s\p{C}]/u.test(character)) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = chars.boxes.subarray(i * 4, i * 4 + 4);
    if (right > page.left && left < page.right && top > page.bottom && bottom < page.top) return true;
  }
  return false;
}

/** "a pixel is white at 255 - threshold or above"; the share is in percent. Four bytes a pixel. */
export function whiteShare(rgba: Uint8Array, threshold: number): number {
  const least = 255 - threshold;
  let white = 0;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    if ((rgba[at] ?? 0) >= least && (rgba[at + 1] ?? 0) >= least && (rgba[at + 2] ?? 0) >= least) white += 1;
  }
  return rgba.length === 0 ? 100 : (white * 400) / rgba.length;
}
