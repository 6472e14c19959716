// How much text stands on a page: characters, words, paragraphs, and the text of marked content.
import type { SizedChars } from './text-lines.ts';

export interface PlacedChars extends SizedChars {
  /** Left, bottom, right, top of each. */
  boxes: Float32Array;
  looks: readonly { size: number; markedContent: number }[];
}

export interface TextFigures {
  /** Without line ends. */
  characters: number;
  words: number;
  /** As far as sizes and distances of lines tell. */
  paragraphs: number;
  /** By the number of marked content. */
  markedTexts: Map<number, string>;
}

interface Line {
  text: string;
  bottom: number;
  size: number;
}

/** Lines further apart than this many times their size belong to different paragraphs. */
const LINE_DISTANCE = 1.7;
const SAME_SIZE = 0.5;

export function textFigures(chars: PlacedChars): TextFigures {
  const lines: Line[] = [];
  const markedTexts = new Map<number, string>();
  let line: Line = { text: '', bottom: Number.POSITIVE_INFINITY, size: 0 };
  const endLine = (): void => {
    if (line.text.trim() !== '') lines.push(line);
    line = { text: '', bottom: Number.POSITIVE_INFINITY, size: 0 };
  };
  let marked = -1;
  for (let i = 0; i < chars.count; i += 1) {
    const code = chars.codes[i] ?? 0;
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    const look = chars.looks[chars.lookOf[i] ?? -1];
    if (look) marked = look.markedContent;
    if (marked >= 0 && code !== 0x0d)
      markedTexts.set(marked, (markedTexts.get(marked) ?? '') + (code === 0x0a ? ' ' : character));
    if (code === 0x0a || code === 0x0d) {
      endLine();
      continue;
    }
    line.text += character;
    if (!look || /\s/u.test(character)) continue;
    line.size = Math.max(line.size, look.size);
    line.bottom = Math.min(line.bottom, chars.boxes[i * 4 + 1] ?? 0);
  }
  endLine();
  return {
    characters: lines.reduce((sum, { text }) => sum + [...text].length, 0),
    words: lines.reduce((sum, { text }) => sum + wordsIn(text), 0),
    paragraphs: lines.filter((each, index) => beginsParagraph(each, lines[index - 1])).length,
    markedTexts,
  };
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Scripts without blanks between words are cut by their dictionaries. */
function wordsIn(text: string): number {
  if (
    !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(text)
  )
    return text.trim().split(/\s+/u).length;
  return [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

function beginsParagraph(line: Line, before: Line | undefined): boolean {
  if (!before || Math.abs(line.size - before.size) > SAME_SIZE) return true;
  const down = before.bottom - line.bottom;
  // A line further up stands in another column.
  return down < -line.size || down > line.size * LINE_DISTANCE;
}
