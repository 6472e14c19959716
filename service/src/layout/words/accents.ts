// Accents that were drawn as glyphs of their own, over or under a letter, as TeX does: "na¨ıve" is read as "naïve".
import type { Glyphs } from '../../contract/page-items.ts';
import type { VisibleGlyphs } from './visible-glyphs.ts';

interface Accent {
  /** The mark that is added to a letter. */
  mark: string;
  below: boolean;
}

const accent = (mark: string, below = false): Accent => ({ mark, below });

const ACCENTS = new Map<number, Accent>([
  [0x5e, accent('\u0302')],
  [0x60, accent('\u0300')],
  [0x7e, accent('\u0303')],
  [0xa8, accent('\u0308')],
  [0xaf, accent('\u0304')],
  [0xb0, accent('\u030a')],
  [0xb4, accent('\u0301')],
  [0xb8, accent('\u0327', true)],
  [0x2c6, accent('\u0302')],
  [0x2c7, accent('\u030c')],
  [0x2d8, accent('\u0306')],
  [0x2d9, accent('\u0307')],
  [0x2da, accent('\u030a')],
  [0x2db, accent('\u0328', true)],
  [0x2dc, accent('\u0303')],
  [0x2dd, accent('\u030b')],
]);
const FIRST_MARK = 0x300;
const LAST_MARK = 0x36f;
const LAST_ACCENT = LAST_MARK;

/** Letters without their dot, made to be written under an accent. */
const DOTLESS = new Map([
  [0x131, 'i'],
  [0x237, 'j'],
]);

/** An accent may stand beside its letter by this part of the letter's width. */
const ASIDE = 0.15;

/** Leaves out accents that stand over a letter of their own, which gets them. */
export function attachAccents(visible: VisibleGlyphs): VisibleGlyphs {
  const { glyphs, indices } = visible;
  if (!hasAccents(glyphs)) return visible;
  const places = accentPlaces(glyphs, indices);
  if (places.length === 0) return visible;
  const codes = glyphs.codes.slice();
  const marked: Glyphs = { ...glyphs, codes };
  const gone = new Set<number>();
  for (const place of places) {
    const i = indices[place] as number;
    // Before its letter, perhaps with another accent between; or after it.
    for (const near of [place + 1, place + 2, place - 1, place - 2]) {
      const letter = indices[near];
      if (letter === undefined || !isOver(glyphs, i, letter)) continue;
      const composed = compose(codes[letter] as number, accentOf(codes[i] as number));
      if (composed === undefined) continue;
      codes[letter] = composed;
      gone.add(i);
      break;
    }
  }
  return gone.size === 0 ? visible : { glyphs: marked, indices: indices.filter((i) => !gone.has(i)) };
}

/** By code. */
const IS_ACCENT = Uint8Array.from({ length: LAST_ACCENT + 1 }, (_, code) =>
  ACCENTS.has(code) || code >= FIRST_MARK ? 1 : 0,
);

export const mayBeAccent = (code: number): boolean => code <= LAST_ACCENT && IS_ACCENT[code] === 1;

function hasAccents({ codes, count }: Glyphs): boolean {
  for (let i = 0; i < count; i += 1) {
    if (mayBeAccent(codes[i] as number)) return true;
  }
  return false;
}

function accentPlaces({ codes }: Glyphs, indices: Uint32Array): number[] {
  const places: number[] = [];
  for (let k = 0; k < indices.length; k += 1) {
    if (mayBeAccent(codes[indices[k] as number] as number)) places.push(k);
  }
  return places;
}

const accentOf = (code: number): Accent | undefined =>
  code >= FIRST_MARK && code <= LAST_MARK ? accent(String.fromCharCode(code)) : ACCENTS.get(code);

/** The letter with its accent; undefined where there is no such letter. */
function compose(letter: number, { mark, below }: Accent = accent('')): number | undefined {
  if (letter > 0xffff || mark === '') return undefined;
  const base = (below ? undefined : DOTLESS.get(letter)) ?? String.fromCharCode(letter);
  if (!/^\p{L}$/u.test(base)) return undefined;
  const composed = (base + mark).normalize('NFC');
  return composed.length === 1 ? composed.charCodeAt(0) : undefined;
}

/** Typed beside a letter, as in `a, an accent is what it is. */
function isOver({ ink, turns, codes }: Glyphs, i: number, letter: number): boolean {
  if (turns[i] !== 0 || turns[letter] !== 0) return false;
  const middle = ((ink[i * 4] as number) + (ink[i * 4 + 2] as number)) / 2;
  const [left, right] = [ink[letter * 4] as number, ink[letter * 4 + 2] as number];
  const aside = (right - left) * ASIDE;
  if (middle < left - aside || middle > right + aside) return false;
  const level = ((ink[i * 4 + 1] as number) + (ink[i * 4 + 3] as number)) / 2;
  const half = ((ink[letter * 4 + 1] as number) + (ink[letter * 4 + 3] as number)) / 2;
  return accentOf(codes[i] as number)?.below ? level > half : level < half;
}
