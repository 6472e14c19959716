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
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < areas.length; i += 1) {
    const area = areas[i] as Area;
    left = Math.min(left, area.left);
    right = Math.max(right, area.right);
    top = Math.min(top, area.top);
    bottom = Math.max(bottom, area.bottom);
  }
  return { left, right, top, bottom };
}

export function median(values: readonly number[]): number {
  const [first = 0] = values;
  if (values.every((value) => value === first)) return first;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** Words by the height of their middle, for asking which stand in an area without looking at all of them. */
export class WordIndex {
  private readonly unsorted: readonly Word[];
  private sorted: { words: readonly Word[]; middles: Float64Array } | undefined;

  constructor(words: readonly Word[]) {
    this.unsorted = words;
  }

  get words(): readonly Word[] {
    return this.inOrder().words;
  }

  /** Most pages have no lines between which anybody asks for words. */
  private inOrder(): { words: readonly Word[]; middles: Float64Array } {
    if (!this.sorted) {
      const words = this.unsorted.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom);
      this.sorted = { words, middles: Float64Array.from(words, ({ top, bottom }) => (top + bottom) / 2) };
    }
    return this.sorted;
  }

  /** From top to bottom. */
  inside(area: Area): Word[] {
    const found: Word[] = [];
    const { words, middles } = this.inOrder();
    for (let i = firstFrom(middles, area.top); i < words.length; i += 1) {
      const word = words[i];
      if (!word || (middles[i] ?? 0) > area.bottom) break;
      if (holds(area, word)) found.push(word);
    }
    return found;
  }
}

function firstFrom(middles: Float64Array, height: number): number {
  let [low, high] = [0, middles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((middles[middle] ?? 0) < height) low = middle + 1;
    else high = middle;
  }
  return low;
}
