// Words on lines, and lines in chunks: words that stand so near to each other that they belong to one cell.
import { type Area, areaAround, median, type Word } from './areas.ts';

export interface Chunk extends Area {
  words: Word[];
}

export interface TextLine extends Area {
  baseline: number;
  size: number;
  chunks: Chunk[];
}

/** Words whose baselines differ by less than this part of their size stand on one line. */
export const SAME_BASELINE = 0.35;
/** A gap wider than this part of the letters' size parts two chunks. */
export const CHUNK_GAP = 0.7;

export function readLines(words: readonly Word[], gap = CHUNK_GAP): TextLine[] {
  const sorted = inOrder(words, isBelowOrRight);
  const lines: TextLine[] = [];
  let current: Word[] = [];
  for (const word of sorted) {
    const [first] = current;
    if (first && word.baseline - first.baseline > SAME_BASELINE * Math.max(first.size, word.size)) {
      lines.push(lineOf(current, gap));
      current = [];
    }
    current.push(word);
  }
  if (current.length > 0) lines.push(lineOf(current, gap));
  return withRaisedWords(lines, gap);
}

/** As they are, where none comes before the one it follows: most pages are written from the top, and from the left. */
function inOrder<T>(items: readonly T[], distance: (a: T, b: T) => number): readonly T[] {
  for (let i = 1; i < items.length; i += 1)
    if (distance(items[i - 1] as T, items[i] as T) > 0) return items.toSorted(distance);
  return items;
}

const isBelowOrRight = (a: Word, b: Word): number => a.baseline - b.baseline || a.left - b.left;
const isRight = (a: Word, b: Word): number => a.left - b.left;

function lineOf(words: Word[], gap: number): TextLine {
  const sorted = inOrder(words, isRight);
  const chunks: Chunk[] = [];
  // Asked for only where there is a gap: most lines have none.
  let spaces: Set<Word> | undefined;
  const isAfterEvenSpace = (word: Word): boolean => {
    spaces ??= evenSpaces(sorted);
    return spaces.has(word);
  };
  let current: Word[] = [];
  let right = -Infinity;
  for (const word of sorted) {
    const last = current.at(-1);
    if (last && word.left - right > gap * Math.min(last.size, word.size) && !isAfterEvenSpace(word)) {
      chunks.push(chunkOf(current));
      current = [];
      right = -Infinity;
    }
    current.push(word);
    right = Math.max(right, word.right);
  }
  if (current.length > 0) chunks.push(chunkOf(current));
  const { left, right: end, top, bottom } = chunks.length === 1 ? (chunks[0] as Chunk) : areaAround(words);
  const [first] = words;
  const isEven = words.every(({ baseline, size }) => baseline === first?.baseline && size === first?.size);
  return {
    left,
    right: end,
    top,
    bottom,
    baseline: isEven ? (first?.baseline ?? 0) : median(words.map(({ baseline }) => baseline)),
    size: isEven ? (first?.size ?? 0) : median(words.map(({ size }) => size)),
    chunks,
  };
}

function chunkOf(words: Word[]): Chunk {
  const { left, right, top, bottom } = areaAround(words);
  return { left, right, top, bottom, words };
}

/** So many spaces of one width, one after the other, are those of a line that was stretched to its column's width. */
const EVEN_SPACES = 4;
const WIDEST_SPACE = 1;

/** The words after such spaces. */
function evenSpaces(words: readonly Word[]): Set<Word> {
  const even = new Set<Word>();
  let run: Word[] = [];
  let width = 0;
  let right = -Infinity;
  for (const word of words) {
    const space = word.left - right;
    right = word.right;
    const isEven = Math.abs(space - width) <= Math.max(0.3, width * 0.06);
    // Figures stand evenly in the columns of tables too.
    if (!isEven || space > WIDEST_SPACE * word.size || !hasLetter(word.text)) {
      run = [];
      width = space;
    }
    run.push(word);
    if (run.length === EVEN_SPACES) for (const each of run) even.add(each);
    else if (run.length > EVEN_SPACES) even.add(word);
  }
  return even;
}

/** Most words begin with one. */
function hasLetter(text: string): boolean {
  const first = text.charCodeAt(0) | 0x20;
  return (first >= 0x61 && first <= 0x7a) || /\p{L}/u.test(text);
}

/** Raised and lowered marks, smaller than their line, belong to the line they touch. */
function withRaisedWords(lines: TextLine[], gap: number): TextLine[] {
  const kept: TextLine[] = [];
  for (const line of lines) {
    const before = kept.at(-1);
    if (before && isMarkOf(line, before)) {
      kept[kept.length - 1] = lineOf([...wordsOf(before), ...wordsOf(line)], gap);
    } else if (before && isMarkOf(before, line)) {
      kept[kept.length - 1] = lineOf([...wordsOf(line), ...wordsOf(before)], gap);
    } else kept.push(line);
  }
  return kept;
}

const wordsOf = (line: TextLine): Word[] => line.chunks.flatMap(({ words }) => words);

function isMarkOf(mark: TextLine, line: TextLine): boolean {
  if (mark.size > line.size * 0.87 || Math.abs(mark.baseline - line.baseline) > line.size * 0.6) return false;
  // What is glued to a piece of the mark, as the 2 of "−2" is to its sign, stands where that piece does.
  let touches = false;
  for (const { left, right, glued } of wordsOf(mark)) {
    touches =
      (glued && touches) ||
      line.chunks.some(
        (chunk) => left < chunk.right + line.size * 0.3 && right > chunk.left - line.size * 0.3,
      );
    if (!touches) return false;
  }
  return true;
}
