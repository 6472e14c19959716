// Running text, which is no part of a table however it is set: paragraphs of full lines, in one column or several.

import type { Word } from './areas.ts';
import { isFigure } from './grid.ts';
import { type Chunk, readLines, type TextLine } from './text-lines.ts';

/** A line in more pieces than this is no line of prose. */
const MAX_CHUNKS = 100;
const PROSE_WORDS = 6;
/** In narrow columns, where a line begins in the middle of a sentence. */
const NARROW_PROSE_WORDS = 4;

/** Words that are running text, and all others. */
export function separateProse(words: readonly Word[]): { prose: Word[]; rest: Word[] } {
  const prose = new Set<Word>();
  for (const chunk of proseChunks(readLines(words))) for (const word of chunk.words) prose.add(word);
  return { prose: [...prose], rest: words.filter((word) => !prose.has(word)) };
}

/** Pieces of lines that have a like one right above or below: long, not figures, beginning at the same place. */
function proseChunks(lines: readonly TextLine[]): Set<Chunk> {
  const prose = new Set<Chunk>();
  lines.forEach((line, i) => {
    if (line.chunks.length > MAX_CHUNKS) return;
    for (const chunk of line.chunks) {
      if (wordCount(chunk) < NARROW_PROSE_WORDS) continue;
      for (let j = i + 1; j < Math.min(lines.length, i + 4); j += 1) {
        const next = lines[j];
        if (!next || next.chunks.length > MAX_CHUNKS || next.baseline - line.baseline > line.size * 2.4)
          break;
        const below = next.chunks.find((each) => isSameText(chunk, each, line.size));
        if (!below) continue;
        prose.add(chunk).add(below);
        break;
      }
    }
  });
  addLastLines(lines, prose);
  return prose;
}

/** What is glued to the word before it, in another font, is part of that word. */
function wordCount({ words }: Chunk): number {
  let count = 0;
  for (const { glued } of words) if (!glued) count += 1;
  return count;
}

function isLong(chunk: Chunk): boolean {
  if (wordCount(chunk) < PROSE_WORDS) return false;
  let figures = 0;
  for (const { text } of chunk.words) if (isFigure(text)) figures += 1;
  return figures < chunk.words.length * 0.4;
}

function isSameText(chunk: Chunk, below: Chunk, size: number): boolean {
  if (!continues(chunk, below, size)) return false;
  if (isLong(chunk) && isLong(below)) return true;
  const startsSmall = /^\p{Ll}/u.test(below.words[0]?.text ?? '');
  return startsSmall && wordCount(below) >= NARROW_PROSE_WORDS && Math.abs(chunk.left - below.left) < size;
}

const continues = (above: Chunk, below: Chunk, size: number): boolean =>
  Math.abs(above.left - below.left) < size * 3 && below.right - below.left > (above.right - above.left) * 0.5;

/** The short last line of a paragraph. */
function addLastLines(lines: readonly TextLine[], prose: Set<Chunk>): void {
  const ends: Chunk[] = [];
  lines.forEach((line, i) => {
    const next = lines[i + 1];
    if (!next || line.chunks.length * next.chunks.length > MAX_CHUNKS ** 2) return;
    if (next.baseline - line.baseline > line.size * 1.8) return;
    for (const chunk of line.chunks) {
      if (!prose.has(chunk)) continue;
      for (const below of next.chunks)
        if (Math.abs(below.left - chunk.left) < 1.5 && below.right <= chunk.right + 2) ends.push(below);
    }
  });
  for (const end of ends) prose.add(end);
}
