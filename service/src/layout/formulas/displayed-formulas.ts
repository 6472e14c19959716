// Formulas on lines of their own: lines of nothing but formulas that stand in from the text around them, together with
// what hangs on them (numerators, limits, cases) and the number beside them.
import type { Rule } from '../../contract/page-items.ts';
import { boxAround, isNear } from '../box-geometry.ts';
import type { TextLine } from '../lines/text-lines.ts';
import type { Box } from '../model.ts';
import type { Word } from '../words/word.ts';
import type { FormulaRegion, FormulaSource } from './regions.ts';

/** How far formulas stand in from the text, in sizes. */
const INDENT = 0.9;
/** Parts of one formula are nearer, in sizes: one below the other, and side by side. */
const BELOW = 0.42;
const BESIDE = 3.2;
/** Words that may stand between formulas: "if", "for all", "otherwise"; so much of a line at most. */
const MOST_TEXT = 0.45;
const NUMBER = /^[([]?(?:\d+(?:[.\-–]\d+)*|[A-Z]\.\d+)[a-z]?′*[)\]]$/;
/** In sizes: more than a line with raised and lowered letters. */
const TALL = 2.1;
/** More lines than a formula has. */
const MAX_LINES = 120;

interface Piece {
  line: TextLine;
  box: Box;
  /** Has signs of formulas, and hardly anything else. */
  isMath: boolean;
  /** Nothing but digits, brackets and operators. */
  isNeutral: boolean;
  number: boolean;
}

export function findDisplayed(lines: readonly TextLine[], source: FormulaSource): FormulaRegion[] {
  const pieces = lines.map((line) => pieceOf(line, source));
  const prose = pieces.filter((piece) => isProse(piece));
  const open = new Set(pieces.filter((piece) => !prose.includes(piece)));
  const regions: Piece[][] = [];
  for (const seed of pieces) {
    if (!open.has(seed) || !seed.isMath) continue;
    open.delete(seed);
    regions.push(grow(seed, open, source.rules));
  }
  return mergeLevel(regions).flatMap((region) => {
    const kept = withoutNumber(region, pieces, open);
    return isApart(kept.region, prose, kept.number !== undefined) && isRich(kept.region, source)
      ? [regionOf(kept, source)]
      : [];
  });
}

/** What stands side by side is one, whichever part of it was found first. */
function mergeLevel(regions: readonly Piece[][]): Piece[][] {
  const merged: Piece[][] = [];
  for (const region of regions) {
    const box = boxAround(region.map((piece) => piece.box));
    const size = region[0]?.line.size ?? 10;
    const beside = merged.find((other) => {
      const near = boxAround(other.map((piece) => piece.box));
      const shared = Math.min(near.y + near.height, box.y + box.height) - Math.max(near.y, box.y);
      const gap = Math.max(near.x - box.x - box.width, box.x - near.x - near.width);
      return shared > Math.min(near.height, box.height) * 0.5 && gap < size * BESIDE;
    });
    if (beside) beside.push(...region);
    else merged.push([...region]);
  }
  return merged;
}

function pieceOf(line: TextLine, { math }: FormulaSource): Piece {
  let [sure, text, all] = [0, 0, 0];
  for (const word of line.words) {
    const length = word.text.length;
    all += length;
    if (math.sure.has(word)) sure += length;
    else if (!math.mayBe(word)) text += length;
  }
  const whole = line.words.map((word) => word.text).join('');
  return {
    line,
    box: line.box,
    isMath: sure > 0 && text <= all * MOST_TEXT && !(text > 12 && text > sure * 2),
    isNeutral: sure === 0 && text === 0,
    number: NUMBER.test(whole),
  };
}

const isProse = ({ isMath, isNeutral, line }: Piece): boolean => !isMath && !isNeutral && line.length > 14;

/** Takes in what hangs together with it, until nothing does. */
function grow(seed: Piece, open: Set<Piece>, rules: readonly Rule[]): Piece[] {
  const region = [seed];
  let box = seed.box;
  for (let grown = true; grown && region.length < MAX_LINES; ) {
    grown = false;
    const reach = withBars(box, rules);
    for (const piece of open) {
      if (!hangsOn(piece, reach, region)) continue;
      open.delete(piece);
      region.push(piece);
      box = boxAround([box, piece.box]);
      grown = true;
      break;
    }
  }
  return region;
}

/** A bar on top of a line, or below it, has more on its other side. */
function withBars(box: Box, rules: readonly Rule[]): Box {
  const touching = rules.filter(
    ({ from, to, at }) =>
      to > box.x &&
      from < box.x + box.width &&
      to - from < box.width * 3 + 60 &&
      at > box.y - 4 &&
      at < box.y + box.height + 4,
  );
  return boxAround([
    box,
    ...touching.map(({ from, to, at }) => ({ x: from, y: at - 1.5, width: to - from, height: 3 })),
  ]);
}

function hangsOn(piece: Piece, box: Box, region: readonly Piece[]): boolean {
  const { box: own, line } = piece;
  const size = Math.max(line.size, ...region.map((other) => other.line.size));
  const [top, bottom] = [own.y, own.y + own.height];
  const shared = Math.min(bottom, box.y + box.height) - Math.max(top, box.y);
  const isLevel = shared > Math.min(own.height, box.height) * 0.5;
  const gapBeside = Math.max(own.x - box.x - box.width, box.x - own.x - own.width);
  if (isLevel && gapBeside < size * BESIDE && !piece.number) return true;
  if (!piece.isMath && !piece.isNeutral) return false;
  const gapBelow = Math.max(top - box.y - box.height, box.y - bottom);
  return gapBelow < size * BELOW && gapBeside < size * 0.5;
}

/** The number of a formula stands far from it, at the edge of the column. */
function withoutNumber(
  region: readonly Piece[],
  pieces: readonly Piece[],
  open: Set<Piece>,
): { region: Piece[]; number: Piece | undefined } {
  const own = region.filter((piece) => !piece.number);
  const box = boxAround((own.length > 0 ? own : region).map((piece) => piece.box));
  const size = region[0]?.line.size ?? 10;
  const number = pieces.find(
    (piece) =>
      piece.number &&
      (open.has(piece) || region.includes(piece)) &&
      piece.line.baseline > box.y - size * 0.3 &&
      // It may stand below a formula that leaves it no room.
      piece.line.baseline < box.y + box.height + size * (region.includes(piece) ? 1.6 : 0.5) &&
      (piece.box.x > box.x + box.width - (region.includes(piece) ? size * 3 : -size) ||
        piece.box.x + piece.box.width < box.x - size),
  );
  if (number) open.delete(number);
  return { region: number ? region.filter((piece) => piece !== number) : [...region], number };
}

/** Formulas stand in from the text above and below; without any they stand alone. */
function isApart(region: readonly Piece[], prose: readonly Piece[], isNumbered: boolean): boolean {
  if (region.length === 0) return false;
  const box = boxAround(region.map((piece) => piece.box));
  const size = Math.max(...region.map(({ line }) => line.size));
  if (prose.some((piece) => isNear(piece.box, box, -size * 0.25))) return false;
  const near = prose.filter(
    (piece) =>
      piece.box.x < box.x + box.width &&
      box.x < piece.box.x + piece.box.width &&
      Math.max(piece.box.y - box.y - box.height, box.y - piece.box.y - piece.box.height) < size * 4,
  );
  // Text on the same line: the formula is within it.
  const beside = prose.some(
    (piece) =>
      piece.box.y + piece.box.height / 2 > box.y &&
      piece.box.y + piece.box.height / 2 < box.y + box.height &&
      Math.max(piece.box.x - box.x - box.width, box.x - piece.box.x - piece.box.width) < size * 3,
  );
  if (beside) return false;
  // One that is numbered, or far taller than a line, may begin where the text does.
  if (isNumbered || box.height > size * TALL) return true;
  return near.every((piece) => box.x - piece.box.x > size * INDENT);
}

/** A single letter in a cell or a figure is no formula of its own. */
function isRich(region: readonly Piece[], { math }: FormulaSource): boolean {
  const words = region.flatMap(({ line }) => line.words);
  const letters = words.filter((word) => math.sure.has(word)).length;
  const signs = words.filter((word) => /[=<>≤≥≠∈→⊂≈≡∼+−×·∑∫∏√/(|]/.test(word.text)).length;
  return letters > 0 && letters + signs >= 3 && signs > 0;
}

function regionOf(
  { region, number }: { region: readonly Piece[]; number: Piece | undefined },
  { rules }: FormulaSource,
): FormulaRegion {
  const words: Word[] = region.flatMap(({ line }) => line.words).sort((a, b) => a.order - b.order);
  const box = boxAround(region.map((piece) => piece.box));
  const size = Math.max(...region.map(({ line }) => line.size));
  const within = rules.filter(
    ({ from, to, at }) =>
      from > box.x - size &&
      to < box.x + box.width + size &&
      at > box.y - size * 0.6 &&
      at < box.y + box.height + size * 0.4,
  );
  const beside = number?.line.words ?? numberAtEnd(region, size);
  const own = beside ? words.filter((word) => !beside.includes(word)) : words;
  return { words: own, rules: within, ...(beside ? { number: beside } : {}) };
}

/** The last words of the line, where they are a number in brackets behind a gap. */
function numberAtEnd(region: readonly Piece[], size: number): Word[] | undefined {
  const words = region.flatMap(({ line }) => line.words).sort((a, b) => a.box.x - b.box.x);
  for (let from = words.length - 1; from > Math.max(0, words.length - MAX_NUMBER_WORDS); from -= 1) {
    const [first, before] = [words[from] as Word, words[from - 1] as Word];
    const text = words
      .slice(from)
      .map((word) => word.text)
      .join('');
    const gap = first.box.x - before.box.x - before.box.width;
    if (NUMBER.test(text) && /^[([]/.test(text))
      return gap > size * NUMBER_GAP ? words.slice(from) : undefined;
  }
  return undefined;
}

const MAX_NUMBER_WORDS = 6;
const NUMBER_GAP = 0.45;
