// Marks over and under letters (vowel signs of Indian scripts and of Thai, anusvara, tones): each is read behind the
// letter that it stands over. Hebrew and Arabic have their own (`vowel-points.ts`).
import type { Glyphs } from '../../contract/page-items.ts';
import { isRightToLeft } from './direction.ts';
import { isSpace, type VisibleGlyphs } from './visible-glyphs.ts';
import { widthOf } from './word-place.ts';

/** Marks may stand beside their letter by so much of its size. */
const ASIDE = 0.15;
const FIRST_MARK = 0x300;
const LAST_MARK = 0x20ff;
/** Accents of European scripts are told by `accents.ts`. */
const FIRST_SIGN = 0x900;
/** An engine that sorts what is drawn on a line moves a mark by so many glyphs at most. */
const FAR = 200;

/** By code. */
const IS_MARK = Uint8Array.from({ length: LAST_MARK + 1 }, (_, code) =>
  code >= FIRST_MARK && !isRightToLeft(code) && /\p{Mn}/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Marks without a width; those of writing to the left are put to their letters elsewhere. */
export const isMark = (code: number): boolean => code <= LAST_MARK && IS_MARK[code] === 1;

/** Whether a mark stands over or under a letter. */
export function isMarkOf(glyphs: Glyphs, mark: number, letter: number): boolean {
  const { origins, sizes, turns } = glyphs;
  if (turns[mark] !== 0 || turns[letter] !== 0) return false;
  const size = sizes[letter] as number;
  const left = origins[letter * 2] as number;
  const middle = middleOf(glyphs, mark);
  const up = Math.abs((origins[mark * 2 + 1] as number) - (origins[letter * 2 + 1] as number));
  return middle > left - size * ASIDE && middle < left + widthOf(glyphs, letter) + size * ASIDE && up < size;
}

const middleOf = ({ ink }: Glyphs, i: number): number =>
  ((ink[i * 4] as number) + (ink[i * 4 + 2] as number)) / 2;

/** Moves marks that were drawn, or sorted, behind another letter than their own. */
export function moveStrayMarks(visible: VisibleGlyphs): VisibleGlyphs {
  const { glyphs, indices } = visible;
  const strays = strayPlaces(visible);
  if (strays.length === 0) return visible;
  const behind = new Map<number, number[]>();
  const moved = new Set<number>();
  for (const place of strays) {
    const host = hostOf(visible, place);
    if (host === undefined) continue;
    const letter = indices[host] as number;
    behind.set(letter, [...(behind.get(letter) ?? []), indices[place] as number]);
    moved.add(place);
  }
  if (moved.size === 0) return visible;
  const order: number[] = [];
  for (let k = 0; k < indices.length; k += 1) {
    if (moved.has(k)) continue;
    const i = indices[k] as number;
    order.push(i, ...(behind.get(i) ?? []));
  }
  return { glyphs, indices: Uint32Array.from(order) };
}

/** Where among the indices marks stand that are not over the letter before them. */
function strayPlaces({ glyphs, indices }: VisibleGlyphs): number[] {
  const { codes } = glyphs;
  const strays: number[] = [];
  let letter = -1;
  for (let k = 0; k < indices.length; k += 1) {
    const i = indices[k] as number;
    const code = codes[i] as number;
    if (code < FIRST_SIGN || !isMark(code)) letter = isSpace(code) ? letter : i;
    else if (letter >= 0 && !isMarkOf(glyphs, i, letter)) strays.push(k);
  }
  return strays;
}

/** The letter that the middle of the mark is nearest to the middle of, as a place among the indices. */
function hostOf({ glyphs, indices }: VisibleGlyphs, place: number): number | undefined {
  const mark = indices[place] as number;
  const middle = middleOf(glyphs, mark);
  let host: number | undefined;
  let nearest = Infinity;
  for (let k = Math.max(0, place - FAR); k < Math.min(indices.length, place + FAR); k += 1) {
    const i = indices[k] as number;
    const code = glyphs.codes[i] as number;
    if (k === place || code < FIRST_SIGN || isSpace(code) || isMark(code) || !isMarkOf(glyphs, mark, i))
      continue;
    const distance = Math.abs((glyphs.origins[i * 2] as number) + widthOf(glyphs, i) / 2 - middle);
    if (distance < nearest) [host, nearest] = [k, distance];
  }
  return host;
}
