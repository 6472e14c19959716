// From what is seen to what is read, on a line that has right-to-left writing: the other way round than the
// bidirectional algorithm (Unicode, UAX 9), which is not one to one. What is likely is tried first and kept when the
// algorithm makes of it what is seen.
import bidiFactory from 'bidi-js';

// The package's types tell of a default export; what Node gets is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

export type Direction = 'ltr' | 'rtl';

/** Letters in the order they are read: where each stands in what is seen, and as it is written. */
export interface LogicalPiece {
  at: number;
  text: string;
}

/** `visual` are letters with their marks, from left to right. */
export function visualToLogical(visual: readonly string[], base: Direction): LogicalPiece[] {
  const shapes = pairBrackets(visual);
  const kinds = shapes.map(kindOf);
  const ways =
    base === 'rtl'
      ? RIGHT_TO_LEFT.map((way) => inRightToLeft(kinds, shapes, way))
      : [inLeftToRight(kinds, shapes)];
  const readings = ways.map((levels) => readBy(levels, shapes));
  const sure = readings.find((reading) => isSeenAs(reading, shapes, base));
  return sure ?? readings[0] ?? [];
}

/** Letters of either direction, digits, what stands between digits or beside them, and all else. */
type Kind = 'L' | 'R' | 'digit' | 'arabic digit' | 'between' | 'sign' | 'beside' | 'other';

function kindOf(text: string): Kind {
  switch (bidi.getBidiCharTypeName(text)) {
    case 'L':
      return 'L';
    case 'R':
    case 'AL':
      return 'R';
    case 'EN':
      return 'digit';
    case 'AN':
      return 'arabic digit';
    case 'CS':
      return 'between';
    case 'ES':
      return 'sign';
    case 'ET':
      return 'beside';
    default:
      return 'other';
  }
}

const isDigit = (kind: Kind | undefined): boolean => kind === 'digit' || kind === 'arabic digit';

/** Numbers in Arabic text are parted at + and - (ES of UAX 9), in Hebrew text they are not. */
interface Way {
  joinsSymbols: boolean;
}
const RIGHT_TO_LEFT: readonly Way[] = [{ joinsSymbols: true }, { joinsSymbols: false }];

/** Levels of a line that reads to the left: words of the other direction and numbers in it do not. */
function inRightToLeft(kinds: readonly Kind[], shapes: readonly string[], way: Way): number[] {
  const levels = kinds.map(() => 1);
  for (let from = 0; from < kinds.length; from += 1) {
    const kind = kinds[from];
    const isNumber = isDigit(kind) || (way.joinsSymbols && kind === 'beside' && isDigit(kinds[from + 1]));
    if (kind !== 'L' && !isNumber) continue;
    const to = kind === 'L' ? endOfWords(kinds, shapes, from) : endOfNumber(kinds, from, way);
    levels.fill(2, from, to + 1);
    from = to;
  }
  return levels;
}

/** Words and numbers behind them, with what stands between, up to the next letter of the other direction. */
function endOfWords(kinds: readonly Kind[], shapes: readonly string[], from: number): number {
  let to = from;
  for (let i = from + 1; i < kinds.length && kinds[i] !== 'R'; i += 1)
    if (kinds[i] === 'L' || isDigit(kinds[i])) to = i;
  // A bracket that is opened within is closed within.
  return Math.max(to, lastClosed(shapes, from, to));
}

function lastClosed(shapes: readonly string[], from: number, to: number): number {
  let open = 0;
  for (let i = from; i <= to; i += 1)
    open += OPENING.test(shapes[i] ?? '') ? 1 : CLOSING.test(shapes[i] ?? '') ? -1 : 0;
  let last = to;
  while (open > 0 && CLOSING.test(shapes[last + 1] ?? '')) {
    last += 1;
    open -= 1;
  }
  return last;
}

function endOfNumber(kinds: readonly Kind[], from: number, { joinsSymbols: joinsSigns }: Way): number {
  let to = from;
  for (let i = from + 1; i < kinds.length; i += 1) {
    const kind = kinds[i];
    const isWithin = kind === 'between' || (joinsSigns && kind === 'sign');
    if (isDigit(kind) || (joinsSigns && kind === 'beside')) to = i;
    else if (!(isWithin && isDigit(kinds[i + 1]))) break;
  }
  return to;
}

/** Levels of a line that reads to the right: what stands between letters of the other direction goes with them. */
function inLeftToRight(kinds: readonly Kind[], shapes: readonly string[]): number[] {
  const levels = kinds.map(() => 0);
  for (let from = 0; from < kinds.length; from += 1) {
    if (kinds[from] !== 'R') continue;
    let to = from;
    for (let i = from + 1; i < kinds.length && kinds[i] !== 'L'; i += 1) if (kinds[i] === 'R') to = i;
    const start = firstOpened(shapes, from, to);
    for (let i = start; i <= to; i += 1) levels[i] = isDigit(kinds[i]) ? 2 : 1;
    from = to;
  }
  return levels;
}

function firstOpened(shapes: readonly string[], from: number, to: number): number {
  let open = 0;
  for (let i = from; i <= to; i += 1)
    open += CLOSING.test(shapes[i] ?? '') ? 1 : OPENING.test(shapes[i] ?? '') ? -1 : 0;
  let first = from;
  while (open > 0 && OPENING.test(shapes[first - 1] ?? '')) {
    first -= 1;
    open -= 1;
  }
  return first;
}

/** Turned at each level from the highest down, as the algorithm does: that is its own inverse. */
function readBy(levels: readonly number[], shapes: readonly string[]): LogicalPiece[] {
  return turned(levels).map((at) => {
    const text = shapes[at] as string;
    return { at, text: (levels[at] as number) % 2 === 1 ? mirrored(text) : text };
  });
}

function turned(levels: readonly number[]): number[] {
  const order = levels.map((_, i) => i);
  for (let level = Math.max(0, ...levels); level >= 1; level -= 1) {
    for (let from = 0; from < order.length; from += 1) {
      if ((levels[from] as number) < level) continue;
      let to = from;
      while (to + 1 < order.length && (levels[to + 1] as number) >= level) to += 1;
      order.splice(from, to - from + 1, ...order.slice(from, to + 1).reverse());
      from = to;
    }
  }
  return order;
}

const mirrored = (text: string): string => bidi.getMirroredCharacter(text) ?? text;

function isSeenAs(reading: readonly LogicalPiece[], shapes: readonly string[], base: Direction): boolean {
  const { levels } = bidi.getEmbeddingLevels(reading.map(({ text }) => text).join(''), base);
  let start = 0;
  const own = reading.map(({ text }) => {
    const level = levels[start] ?? 0;
    start += text.length;
    return level;
  });
  return turned(own).every((at, i) => {
    const { text } = reading[at] as LogicalPiece;
    return ((own[at] as number) % 2 === 1 ? mirrored(text) : text) === shapes[i];
  });
}

const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ['<', '>'],
  ['«', '»'],
  ['‹', '›'],
] as const;
const OPENING = /^[([{<«‹]$/;
const CLOSING = /^[)\]}>»›]$/;

/**
 * What is seen of a pair is first the one that opens, whichever way the text reads. Engines turn some of them by what
 * they think of the direction; pairs that do not fit are put right.
 */
export function pairBrackets(visual: readonly string[]): string[] {
  const shapes = [...visual];
  for (const [opening, closing] of PAIRS) {
    const places = shapes.flatMap((text, i) => (text === opening || text === closing ? [i] : []));
    if (places.length % 2 === 1 || isBalanced(places.map((i) => shapes[i] === opening))) continue;
    for (const [k, i] of places.entries()) shapes[i] = k % 2 === 0 ? opening : closing;
  }
  return shapes;
}

function isBalanced(opens: readonly boolean[]): boolean {
  let depth = 0;
  for (const open of opens) {
    depth += open ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
