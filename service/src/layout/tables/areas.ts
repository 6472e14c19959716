// Places and words as table finding uses them: in a frame in which all writing runs from left to right, whatever
// way it is turned on the page.
import type { Box } from '../model.ts';
import type { Word as PageWord } from '../words/word.ts';

export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Word extends Area {
  text: string;
  baseline: number;
  size: number;
  bold: boolean;
  monospace: boolean;
  /** Goes on from the word before it, without a space. */
  glued: boolean;
  /** The word as the page has it. */
  mark: PageWord;
}

/** An area of one colour. */
export interface Tint extends Area {
  color: string;
}

export const areaOf = ({ x, y, width, height }: Box): Area => ({
  left: x,
  right: x + width,
  top: y,
  bottom: y + height,
});

export const boxOf = ({ left, right, top, bottom }: Area): Box => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});

export const holds = (area: Area, word: Area): boolean => {
  const x = (word.left + word.right) / 2;
  const y = (word.top + word.bottom) / 2;
  return x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;
};

export const overlaps = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function areaAround(areas: readonly Area[]): Area {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const area of areas) {
    left = Math.min(left, area.left);
    right = Math.max(right, area.right);
    top = Math.min(top, area.top);
    bottom = Math.max(bottom, area.bottom);
  }
  return { left, right, top, bottom };
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** Words by the height of their middle, for asking which stand in an area without looking at all of them. */
export class WordIndex {
  readonly words: readonly Word[];
  private readonly middles: Float64Array;

  constructor(words: readonly Word[]) {
    this.words = [...words].sort((a, b) => a.top + a.bottom - b.top - b.bottom);
    this.middles = Float64Array.from(this.words, ({ top, bottom }) => (top + bottom) / 2);
  }

  /** From top to bottom. */
  inside(area: Area): Word[] {
    const found: Word[] = [];
    for (let i = this.firstFrom(area.top); i < this.words.length; i += 1) {
      const word = this.words[i];
      if (!word || (this.middles[i] ?? 0) > area.bottom) break;
      if (holds(area, word)) found.push(word);
    }
    return found;
  }

  private firstFrom(height: number): number {
    let [low, high] = [0, this.middles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.middles[middle] ?? 0) < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
