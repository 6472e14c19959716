// Turned writing: words that run down, up or upside down are looked at from where they stand upright.
import { append } from '../../contract/maps.ts';
import type { Box } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';

export interface Frame {
  /** Degrees clockwise that this writing is turned. */
  turn: number;
  /** With places as seen when the page is turned back. */
  words: Word[];
  width: number;
  height: number;
  /** From the page to this frame. */
  forth(box: Box): Box;
  /** From this frame back to the page. */
  back(box: Box): Box;
}

/** The turn that most of the page is written in comes first. */
export function turnUpright({
  words,
  width,
  height,
}: Pick<PageItems, 'words' | 'width' | 'height'>): Frame[] {
  // Nearly all pages are written upright, as is one of images alone.
  if (words.every(({ turn }) => turn === 0)) return [frameOf(0, words, width, height)];
  const byTurn = new Map<number, Word[]>();
  for (const word of words) {
    const turn = Math.abs(word.turn) <= 2 ? 0 : word.turn === -180 ? 180 : word.turn;
    append(byTurn, turn, word);
  }
  return [...byTurn]
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([turn, turned]) => frameOf(turn, turned, width, height));
}

function frameOf(turn: number, words: Word[], width: number, height: number): Frame {
  if (turn === 0) return { turn, words, width, height, forth: (box) => box, back: (box) => box };
  const near = (quarter: number): boolean => Math.abs(turn - quarter) <= 2;
  if (near(90)) {
    const forth = (b: Box): Box => ({ x: b.y, y: width - b.x - b.width, width: b.height, height: b.width });
    const back = (b: Box): Box => ({ x: width - b.y - b.height, y: b.x, width: b.height, height: b.width });
    return {
      turn,
      words: turned(words, forth, (at) => width - at),
      width: height,
      height: width,
      forth,
      back,
    };
  }
  if (near(-90)) {
    const forth = (b: Box): Box => ({ x: height - b.y - b.height, y: b.x, width: b.height, height: b.width });
    const back = (b: Box): Box => ({ x: b.y, y: height - b.x - b.width, width: b.height, height: b.width });
    return { turn, words: turned(words, forth, (at) => at), width: height, height: width, forth, back };
  }
  if (near(180)) {
    const over = (b: Box): Box => ({ ...b, x: width - b.x - b.width, y: height - b.y - b.height });
    return { turn, words: turned(words, over, (at) => height - at), width, height, forth: over, back: over };
  }
  return slanted(turn, words, width, height);
}

/** Writing across the page, as stamps and watermarks are. */
function slanted(turn: number, words: Word[], width: number, height: number): Frame {
  const radians = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const turnedBy = (c: number, s: number, { x, y, width: w, height: h }: Box): Box => {
    const [middleX, middleY] = [x + w / 2, y + h / 2];
    const [wide, high] = [w * Math.abs(c) + h * Math.abs(s), w * Math.abs(s) + h * Math.abs(c)];
    return {
      x: middleX * c + middleY * s - wide / 2,
      y: middleY * c - middleX * s - high / 2,
      width: wide,
      height: high,
    };
  };
  const forth = (box: Box): Box => turnedBy(cos, sin, box);
  return {
    turn,
    words: words.map((word) => {
      // The box around slanted writing is wider and higher than the writing.
      const { size } = word.style;
      const along =
        Math.abs(cos) >= Math.abs(sin)
          ? (word.box.width - size * Math.abs(sin)) / Math.abs(cos)
          : (word.box.height - size * Math.abs(cos)) / Math.abs(sin);
      const around = forth(word.box);
      const middle = { x: around.x + around.width / 2, y: around.y + around.height / 2 };
      const long = Math.max(1, along);
      const box = { x: middle.x - long / 2, y: middle.y - size / 2, width: long, height: size };
      return { ...word, box, baseline: box.y + size * 0.75 };
    }),
    width,
    height,
    forth,
    back: (box) => turnedBy(cos, -sin, box),
  };
}

const turned = (words: Word[], place: (box: Box) => Box, line: (at: number) => number): Word[] =>
  words.map((word) => ({ ...word, box: place(word.box), baseline: line(word.baseline) }));
