// The page turned so that the writing of one direction stands upright: tables are sought in each such frame.
import type { Box } from '../model.ts';
import type { PageItems, PageLink } from '../page-items.ts';
import type { Word as PageWord } from '../words/word.ts';
import { type Area, areaOf, boxOf, type Tint, type Word } from './areas.ts';
import { isDot, readDrawnLines } from './drawn-lines.ts';
import type { Rulings } from './rulings.ts';

export interface Frame {
  /** Degrees clockwise that the writing is turned on the page. */
  turn: Quarter;
  width: number;
  height: number;
  words: Word[];
  rulings: Rulings;
  tints: Tint[];
  images: Area[];
  curves: Area[];
  /** As the frame has them. */
  links: PageLink[];
  /** From the page as displayed to the frame. */
  into(box: Box): Area;
  /** From the frame back to the page as displayed. */
  onPage(area: Area): Box;
  back(box: Box): Box;
}

export type Quarter = 0 | 90 | 180 | 270;
const QUARTERS: readonly Quarter[] = [0, 90, 180, 270];

/** Fewer words make no table. */
export const LEAST_WORDS = 4;
/** A page of more words than anybody can read is not looked at. */
const MAX_WORDS = 60_000;
const LEAST_SIZE = 2.2;
/** Coloured areas beyond these are those of an image. */
const MAX_TINTS = 4000;
const NO_LINES = { rulings: { level: [], upright: [] }, curves: [] };

/** One frame for each direction that the page is written in. */
export function turnUpright(items: PageItems): Frame[] {
  if (items.words.length > MAX_WORDS) return [];
  const byQuarter = new Map<Quarter | undefined, PageWord[]>(QUARTERS.map((turn) => [turn, []]));
  for (const word of items.words) if (!word.vertical) byQuarter.get(quarterOf(word))?.push(word);
  return QUARTERS.flatMap((turn) => {
    const words = byQuarter.get(turn) ?? [];
    return words.length === 0 ? [] : [frameOf(items, words, turn)];
  });
}

/** Writing that is slanted by more than a little belongs to no table. */
function quarterOf({ turn }: PageWord): Quarter | undefined {
  if (turn === 0) return 0;
  const positive = ((turn % 360) + 360) % 360;
  return QUARTERS.find((quarter) => Math.abs(((positive - quarter + 540) % 360) - 180) <= 3);
}

function frameOf(items: PageItems, pageWords: readonly PageWord[], turn: Quarter): Frame {
  const { width, height } = items;
  const isSideways = turn === 90 || turn === 270;
  const into = (box: Box): Area => turned(areaOf(box), turn, width, height);
  const words = pageWords
    .map((mark): Word => {
      const { left, right, top, bottom } = into(mark.box);
      return {
        left,
        right,
        top,
        bottom,
        text: mark.text,
        baseline: turnedBaseline(mark.baseline, turn, width, height),
        size: mark.style.size > 0 ? mark.style.size : mark.box.height,
        bold: mark.style.bold,
        monospace: mark.style.monospace,
        glued: mark.glued,
        mark,
      };
    })
    .filter((word) => isOnPage(word, isSideways ? height : width, isSideways ? width : height));
  const tints = items.fills
    .map(({ box, color }) => ({ ...into(box), color }))
    .filter(({ left, right, top, bottom }) => (right - left) * (bottom - top) < width * height * 0.8)
    .filter((tint) => !isDot(tint))
    .slice(-MAX_TINTS);
  const onPage = (area: Area): Box =>
    boxOf(turned(area, ((360 - turn) % 360) as Quarter, ...turnedSize(turn, width, height)));
  const { rulings, curves } = words.length < LEAST_WORDS ? NO_LINES : readDrawnLines(items, tints, into);
  return {
    turn,
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    words,
    rulings,
    tints,
    images: items.images.map(({ box }) => into(box)),
    curves,
    links: items.links.map(({ box, target }) => ({ box: boxOf(into(box)), target })),
    into,
    onPage,
    back: (box) => onPage(areaOf(box)),
  };
}

const turnedSize = (turn: Quarter, width: number, height: number): [number, number] =>
  turn === 90 || turn === 270 ? [height, width] : [width, height];

const isOnPage = (word: Word, width: number, height: number): boolean =>
  Number.isFinite(word.left + word.right + word.top + word.bottom + word.baseline + word.size) &&
  word.left > -1 &&
  word.right < width + 1 &&
  word.top > -word.size &&
  word.bottom < height + word.size &&
  isSeen(word);

/** Marks for machines are written so small, or so narrow, that nobody sees them. */
const isSeen = ({ size, left, right, text }: Word): boolean =>
  size >= LEAST_SIZE && right - left >= size * text.length * 0.05;

/** An area after the page is turned back by so many degrees clockwise. */
function turned({ left, right, top, bottom }: Area, turn: Quarter, width: number, height: number): Area {
  switch (turn) {
    case 0:
      return { left, right, top, bottom };
    case 90:
      return { left: top, right: bottom, top: width - right, bottom: width - left };
    case 180:
      return { left: width - right, right: width - left, top: height - bottom, bottom: height - top };
    case 270:
      return { left: height - bottom, right: height - top, top: left, bottom: right };
  }
}

function turnedBaseline(baseline: number, turn: Quarter, width: number, height: number): number {
  switch (turn) {
    case 0:
    case 270:
      return baseline;
    case 90:
      return width - baseline;
    case 180:
      return height - baseline;
  }
}
