// Turned writing: words that run down, up or upside down are looked at from where they stand upright.
import type { Box } from './model.ts';
import type { PageMarks, Word } from './page-marks.ts';

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
export function framesOf({ words, width, height }: Pick<PageMarks, 'words' | 'width' | 'height'>): Frame[] {
  const byTurn = new Map<number, Word[]>();
  for (const word of words) {
    const turn = Math.abs(word.turn) <= 2 ? 0 : word.turn === -180 ? 180 : word.turn;
    const same = byTurn.get(turn);
    if (same) same.push(word);
    else byTurn.set(turn, [word]);
  }
  // A page of pictures alone is upright.
  if (byTurn.size === 0) byTurn.set(0, []);
  return [...byTurn]
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([turn, turned]) => frameOf(turn, turned, width, height));
}

function frameOf(turn: number, words: Word[], width: number, height: number): Frame {
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
  return { turn, words, width, height, forth: (box) => box, back: (box) => box };
}

const turned = (words: Word[], place: (box: Box) => Box, line: (at: number) => number): Word[] =>
  words.map((word) => ({ ...word, box: place(word.box), baseline: line(word.baseline) }));
