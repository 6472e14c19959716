// Lines of plain writing, read at once: most lines of most pages are drawn from the left to the right, in one size,
// with a space between their words. For text alone nothing is gained by cutting those into words first. Whatever is
// otherwise on a line (raised letters, accents, cells of a table, letters drawn apart) leaves it to be read as words.
import type { DrawnPage, Glyphs } from '../../contract/page-items.ts';
import { mayBeAccent } from '../words/accents.ts';
import { isRightToLeft } from '../words/direction.ts';
import { haveUsualMeasure } from '../words/glyph-styles.ts';
import { isIdeographic, OVERLAP, SPACE_ROOM, WORD_GAP } from '../words/glyph-words.ts';
import { isPlain, plainText } from '../words/plain-text.ts';
import { isSpace, SAME_PLACE } from '../words/visible-glyphs.ts';
import { boxLevel } from '../words/word-place.ts';
import { GUTTER } from './column-bands.ts';
import { LARGER } from './drop-caps.ts';
import { byBaseline, LOOSEST, RAISED_BY, SAME_GAP, type TextLine, WIDE_GAP } from './text-lines.ts';

export interface PlainLines {
  lines: TextLine[];
  /** The glyphs of all other lines, in their order. */
  rest: Uint32Array;
}

/** Glyphs that follow one another on one baseline. */
interface Stretch {
  /** The first and the last glyph that is no space. */
  first: number;
  last: number;
  baseline: number;
  size: number;
  left: number;
  right: number;
  /** Glyphs that are no spaces. */
  letters: number;
  words: number;
  isPlain: boolean;
}

/** Undefined where the page must be read as words wholly. */
export function readPlainLines({ glyphs, width, height }: DrawnPage): PlainLines | undefined {
  if (glyphs.looks.some(({ paint }) => paint === 'none') || !haveUsualMeasure(glyphs)) return undefined;
  const stretches = stretchesOf(glyphs, width, height);
  if (!stretches || stretches.some((stretch, i) => mayBeDropCap(stretch, stretches[i + 1], glyphs.codes)))
    return undefined;
  const text = plainText(glyphs);
  const lines: TextLine[] = [];
  const others: Stretch[] = [];
  for (const group of groupsOf(stretches)) {
    if (areLines(group)) for (const stretch of group) lines.push(lineOf(stretch, text));
    else others.push(...group);
  }
  return { lines, rest: glyphsOf(others, glyphs.codes) };
}

/** Undefined where some of the writing is turned, runs to the left, or may run downwards. */
function stretchesOf(glyphs: Glyphs, width: number, height: number): Stretch[] | undefined {
  const { codes, origins, sizes, turns, count } = glyphs;
  const stretches: Stretch[] = [];
  let before: Stretch | undefined;
  for (let i = 0; i < count; ) {
    const code = codes[i] as number;
    if (code === SPACE) {
      i += 1;
      continue;
    }
    const size = sizes[i] as number;
    if (turns[i] !== 0 || !(size > 0) || isRightToLeft(code)) return undefined;
    if (before && isIdeographic(code) && mayBeBelow(glyphs, i, before.last)) return undefined;
    const [left, baseline] = [origins[i * 2] as number, origins[i * 2 + 1] as number];
    before = { first: i, last: i, baseline, size, left, right: left, letters: 0, words: 1, isPlain: true };
    stretches.push(before);
    i = follow(glyphs, before);
    const isInside = left > -size && before.right < width && baseline > 0 && baseline < height + size;
    if (!isInside) before.isPlain = false;
  }
  return stretches;
}

/**
 * Goes along while glyphs follow on the same baseline; where it ended. There are very many: plain statements, and no
 * calls in the inner loop, after which the compiler would look at every array anew.
 */
function follow(glyphs: Glyphs, stretch: Stretch): number {
  const { codes, origins, advances, sizes, turns, lookOf, count } = glyphs;
  const { first, size, baseline } = stretch;
  const least = -OVERLAP * size;
  const most = GUTTER * sizeToTell(size);
  const wordGap = WORD_GAP * size;
  const room = SPACE_ROOM * size;
  const samePlace = SAME_PLACE * size;
  let last = first;
  let lastCode = 0;
  let lastX = stretch.left;
  let end = lastX;
  let right = lastX;
  let letters = 0;
  let words = 1;
  let plain = true;
  let space = -1;
  let i = first;
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (; i < count; i += 1) {
      const code = codes[i] as number;
      if (code === SPACE) {
        space = i;
        continue;
      }
      if (origins[i * 2 + 1] !== baseline || sizes[i] !== size || turns[i] !== 0) break;
      const x = origins[i * 2] as number;
      const step = x - lastX;
      const gap = x - end;
      if (step !== 0 && !(gap >= least && gap < most)) break;
      const kind = kinds[code < OTHERS ? code : OTHERS] as number;
      if (kind === UNKNOWN || kind === TO_THE_LEFT) {
        isNew = kind === UNKNOWN;
        break;
      }
      const advance = advances[i] as number;
      if (kind !== ORDINARY || !(advance > 0)) plain = false;
      if (space >= 0) {
        words += 1;
        // Some programs draw spaces within words, or over ligatures.
        if (!(gap > room)) plain = false;
        space = -1;
      } else if (gap > wordGap) plain = false;
      // A ligature taken apart is several letters in one place; other letters in one place are drawn twice.
      if (step <= 0) plain &&= i === first || (step === 0 && last === i - 1 && lookOf[i] === lookOf[last]);
      else if (code === lastCode && step < samePlace) plain = false;
      letters += 1;
      last = i;
      lastCode = code;
      lastX = x;
      end = x + advance;
      if (end > right) right = end;
    }
    if (isNew) kinds[codes[i] as number] = kindOf(codes[i] as number);
  }
  stretch.last = last;
  stretch.right = right;
  stretch.letters = letters;
  stretch.words = words;
  stretch.isPlain = plain;
  return i;
}

const SPACE = 0x20;

/** What letters are, as far as it is known. */
const UNKNOWN = 0;
const ORDINARY = 1;
const SPECIAL = 2;
const TO_THE_LEFT = 3;
/** From here on none is ordinary, and none runs to the left. */
const OTHERS = 0x2_0000;
const kinds = new Uint8Array(OTHERS + 1);
kinds[OTHERS] = SPECIAL;

const isOrdinary = (code: number): boolean => isPlain(code) && !isSpace(code) && !mayBeAccent(code);

const kindOf = (code: number): number =>
  isOrdinary(code) ? ORDINARY : isRightToLeft(code) ? TO_THE_LEFT : SPECIAL;

/** Characters of Chinese, Japanese and Korean may follow one another downwards. */
function mayBeBelow({ codes, origins, sizes }: Glyphs, i: number, last: number): boolean {
  if (!isIdeographic(codes[last] as number)) return false;
  const size = Math.max(sizes[i] as number, sizes[last] as number);
  const right = Math.abs((origins[i * 2] as number) - (origins[last * 2] as number));
  const down = (origins[i * 2 + 1] as number) - (origins[last * 2 + 1] as number);
  return right <= size && down > 0 && down < size * 2;
}

/** A large letter that smaller ones follow may stand beside several lines. */
const mayBeDropCap = (
  { letters, size, first }: Stretch,
  next: Stretch | undefined,
  codes: Uint32Array,
): boolean =>
  letters <= 2 &&
  next !== undefined &&
  size > next.size * LARGER &&
  /\p{Lu}/u.test(String.fromCodePoint(codes[first] as number, codes[first + letters - 1] as number));

/** As styles tell it. */
const sizeToTell = (size: number): number => Math.round(size * 10) / 10;

/** From the top, those together that stand so near each other that one may have raised or lowered letters of another. */
function groupsOf(stretches: readonly Stretch[]): Stretch[][] {
  const sorted = byBaseline(stretches);
  const highest = new Float64Array(sorted.length + 1).fill(Infinity);
  for (let i = sorted.length - 1; i >= 0; i -= 1) {
    const { baseline, size } = sorted[i] as Stretch;
    highest[i] = Math.min(highest[i + 1] as number, baseline - size * RAISED_BY);
  }
  const groups: Stretch[][] = [];
  let lowest = -Infinity;
  let before = -Infinity;
  for (let i = 0; i < sorted.length; i += 1) {
    const stretch = sorted[i] as Stretch;
    const { baseline, size } = stretch;
    if (baseline > lowest && (highest[i] as number) > before) groups.push([stretch]);
    else groups.at(-1)?.push(stretch);
    lowest = Math.max(lowest, baseline + size * RAISED_BY);
    before = baseline;
  }
  return groups;
}

/** Each is a line of its own: they stand beside each other, as far apart as columns and cells. */
function areLines(group: Stretch[]): boolean {
  if (group.some(({ isPlain: plain }) => !plain)) return false;
  if (group.length === 1) return true;
  group.sort((a, b) => a.left - b.left);
  let before = Infinity;
  for (let i = 1; i < group.length; i += 1) {
    const [left, right] = [group[i - 1] as Stretch, group[i] as Stretch];
    const size = sizeToTell(Math.max(left.size, right.size));
    const gap = right.left - left.right;
    if (gap <= (WIDE_GAP + SAME_GAP) * size) return false;
    // Words all as far apart may be a line that is set loosely.
    if (left.words === 1 && gap <= LOOSEST * size && Math.abs(gap - before) <= SAME_GAP * size) return false;
    before = gap;
  }
  return true;
}

/** Some programs draw a space and leave room for another. */
const withSingleSpaces = (text: string): string => (text.includes('  ') ? text.replace(/ {2,}/g, ' ') : text);

const lineOf = ({ first, last, baseline, size, left, right, letters }: Stretch, text: string): TextLine => ({
  words: [],
  text: withSingleSpaces(text.slice(first, last + 1)),
  box: boxLevel(left, right, baseline, size),
  baseline,
  size: sizeToTell(size),
  length: letters,
  direction: 'ltr',
  order: first,
});

/** With the spaces between them. */
function glyphsOf(stretches: Stretch[], codes: Uint32Array): Uint32Array {
  stretches.sort((a, b) => a.first - b.first);
  const indices = new Uint32Array(stretches.reduce((sum, { first, last }) => sum + last - first + 2, 0));
  let kept = 0;
  let next = 0;
  for (const { first, last } of stretches) {
    // A space before it too: it may part it from what stands on its left.
    const from = first > next && codes[first - 1] === SPACE ? first - 1 : first;
    for (let i = from; i <= last; i += 1) {
      indices[kept] = i;
      kept += 1;
    }
    next = last + 1;
  }
  return indices.subarray(0, kept);
}
