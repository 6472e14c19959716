// Drop caps: a letter as high as several lines begins the first of them, and the others stand beside it.

import type { Word } from '../words/word.ts';
import { readLines, type TextLine } from './text-lines.ts';

/** So much larger than the text beside it, in parts of the text's size. */
export const LARGER = 1.7;
/** A word begins with it: one letter, perhaps with a quotation mark. */
const INITIAL = /^["'“„‘«]?\p{Lu}\p{M}*$/u;
/** How far the text beside it may stand off, and how much higher or lower its first line may begin. */
const BESIDE = 1.2;
const LEVEL = 0.75;
/** The lowest line beside it stands on its own baseline, or nearly. */
const SAME_BASELINE = 0.45;
/** Words that are one letter: only a gap behind them tells. */
const ALONE = /^["'“„‘«]?[AIOYÀÉÓ]$/u;
const MOST_LINES = 10;
/** So many on a page are no drop caps, but letters of a drawing. */
const MOST_CAPS = 20;

/** Lines of flowing text: letters that were dropped begin their words again. Upright words only. */
export function readFlowingLines(words: readonly Word[]): TextLine[] {
  const caps = findCaps(words);
  if (caps.length === 0) return readLines(words);
  const joined = new Map<Word, Word>();
  for (const { cap, first, isGlued, text } of caps) {
    const { box, baseline, style, order } = first;
    const asText = cap.style.color === style.color ? style : { ...style, color: cap.style.color };
    joined.set(cap, {
      ...cap,
      style: asText,
      box: { ...box, x: cap.box.x, width: text.left - cap.box.x },
      baseline,
      order: order - 0.5,
    });
    joined.set(first, { ...first, glued: isGlued, spaced: !isGlued });
  }
  const lines = readLines(words.map((word) => joined.get(word) ?? word));
  for (const found of caps) standUnder(lines, found, joined.get(found.cap) as Word);
  return lines;
}

interface Found {
  cap: Word;
  /** What its word goes on with. */
  first: Word;
  isGlued: boolean;
  text: { left: number; baselines: readonly number[] };
}

function findCaps(words: readonly Word[]): Found[] {
  const initials = words.filter(({ text }) => INITIAL.test(text));
  if (initials.length === 0) return [];
  const sizes = words.map(({ style }) => style.size).toSorted((a, b) => a - b);
  const least = (sizes[sizes.length >> 1] as number) * LARGER;
  const large = initials.filter(({ style }) => style.size > least);
  return large.length > MOST_CAPS ? [] : large.flatMap((cap) => capAt(cap, words) ?? []);
}

function capAt(cap: Word, words: readonly Word[]): Found | undefined {
  const { box, baseline, style } = cap;
  const right = box.x + box.width;
  const beside = words.filter(
    (word) =>
      word.style.size * LARGER < style.size &&
      word.box.x > right - word.style.size * 0.4 &&
      word.box.x < right + word.style.size * BESIDE &&
      word.baseline > box.y &&
      word.baseline < baseline + word.style.size * SAME_BASELINE,
  );
  if (beside.length < 2 || beside.length > MOST_LINES) return undefined;
  const rows = beside.toSorted((a, b) => a.baseline - b.baseline);
  const [first, last] = [rows[0] as Word, rows.at(-1) as Word];
  const { size } = first.style;
  const isLevel = Math.abs(first.box.y - box.y) < size * LEVEL;
  const ends = Math.abs(last.baseline - baseline) < size * SAME_BASELINE;
  const apart = rows.every((row, i) => i === 0 || row.baseline - (rows[i - 1] as Word).baseline > size * 0.7);
  const hasRest = rows.slice(1).every((row) => Math.abs(row.style.size - size) < size * 0.1);
  if (!isLevel || !ends || !apart || !hasRest || !/^[\p{L}'’]/u.test(first.text)) return undefined;
  const left = Math.min(...rows.slice(1).map((row) => row.box.x));
  const isWord = ALONE.test(cap.text) && (first.spaced || first.box.x > left + size * 0.15);
  const baselines = rows.map((row) => row.baseline);
  return { cap, first, isGlued: !isWord, text: { left: Math.min(left, first.box.x), baselines } };
}

/** The lines beside it begin where it does: they are no further in than the rest of their paragraph. */
function standUnder(lines: TextLine[], { cap, text }: Found, word: Word): void {
  const { style, box } = cap;
  for (const line of lines) {
    if (line.words.includes(word))
      line.dropCap = {
        lines: text.baselines.length,
        style,
        room: text.left - box.x,
      };
    else if (text.baselines.includes(line.baseline) && Math.abs(line.box.x - text.left) < line.size)
      line.box = { ...line.box, x: box.x, width: line.box.x + line.box.width - box.x };
  }
}
