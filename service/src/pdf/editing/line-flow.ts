// Where everything on a line stands when some of its text is longer or shorter: what follows without a wide gap moves
// along; what stands further off, in another column or cell, stays, and is not run into.

import type { Box } from '../geometry/boxes.ts';
import type { Glyph } from '../redaction/glyph-list.ts';
import type { PlacedChar } from './text-finding.ts';

/** New text in the place of some glyphs of one line. */
export interface LineChange {
  chars: readonly PlacedChar[];
  /** Of the new text, on the page. */
  width: number;
  isRightToLeft: boolean;
  /** What is changed with it: all or nothing. */
  hit: number;
}

export interface LineResult {
  /** Where the new text begins along the line; by change. */
  places: Map<LineChange, { along: number; narrowing: number }>;
  /** How far glyphs move along the line, by their index. */
  shifts: Map<number, number>;
  /** By which factor glyphs are set narrower, by their index. */
  narrowings: Map<number, number>;
  /** Changes for which there is no room. */
  refused: LineChange[];
}

/** In sizes: a gap that parts columns and cells, what a blank has at least and at most; so much is left before the next. */
const PARTED_FROM = 0.75;
const LEAST_BLANK = 0.1;
const WIDEST_BLANK = 1.2;
const LEFT_FREE = 0.25;
/** Blanks of a line are alike: these many tell how wide they are, and this many times as wide is none. */
const FEW_GAPS = 4;
const TIMES_USUAL = 1.8;
/** Lines are set narrower down to this share of their width, and do not show it down to the other. */
const NARROWEST = 0.85;
const UNSEEN_NARROWING = 0.93;
/** How much of a page's margin text may run into. */
const OF_MARGIN = 0.5;
const SAME_LINE = 0.45;

export const alongOf = ({ origin, along }: Glyph): number => origin.x * along.x + origin.y * along.y;
const endOf = ({ end, along }: Glyph): number => end.x * along.x + end.y * along.y;
const acrossOf = ({ origin, along }: Glyph): number => origin.y * along.x - origin.x * along.y;

export interface Line {
  chars: PlacedChar[];
}

const degreesOf = ({ along }: Glyph): number => Math.round((Math.atan2(along.y, along.x) * 180) / Math.PI);

/** All glyphs of a page by lines: same direction, about the same height. */
export function linesOf(chars: readonly PlacedChar[]): Map<number, Line> {
  const sorted = [...chars].sort(
    (a, b) => degreesOf(a.glyph) - degreesOf(b.glyph) || acrossOf(b.glyph) - acrossOf(a.glyph),
  );
  const lines = new Map<number, Line>();
  let line: Line = { chars: [] };
  let before: Glyph | undefined;
  for (const char of sorted) {
    const { glyph } = char;
    const isSame =
      before !== undefined &&
      degreesOf(before) === degreesOf(glyph) &&
      Math.abs(acrossOf(before) - acrossOf(glyph)) <= SAME_LINE * Math.max(before.size, glyph.size);
    if (!isSame) {
      line = { chars: [] };
      before = glyph;
    }
    line.chars.push(char);
    lines.set(glyph.index, line);
  }
  return lines;
}

interface Item {
  char: PlacedChar;
  start: number;
  end: number;
  change: LineChange | undefined;
}

/** `bounds` is the page as far as it can be seen, `furthest` how far any text of it reaches along a direction. */
export function flow(
  line: Line,
  changes: readonly LineChange[],
  edges: { page: Box; furthest(glyph: Glyph, sign: number): number },
): LineResult {
  const sign = changes[0]?.isRightToLeft ? -1 : 1;
  const changeOf = new Map(
    changes.flatMap((change) => change.chars.map(({ glyph }) => [glyph.index, change])),
  );
  const items = line.chars
    .map((char): Item => {
      const sides = [sign * alongOf(char.glyph), sign * endOf(char.glyph)];
      return {
        char,
        start: Math.min(...sides),
        end: Math.max(...sides),
        change: changeOf.get(char.glyph.index),
      };
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const result: LineResult = { places: new Map(), shifts: new Map(), narrowings: new Map(), refused: [] };
  const segments = segmentsOf(items);
  segments.forEach((segment, at) => {
    const next = segments[at + 1]?.[0];
    placeSegment(segment, next, sign, edges, result);
  });
  return result;
}

/** Blanks part nothing by themselves: what counts is how far apart they hold what is seen. */
function segmentsOf(items: readonly Item[]): Item[][] {
  const seen = items.filter(({ char }) => char.glyph.text?.trim() !== '');
  const parting = partingGap(seen);
  const segments: Item[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const segment = segments.at(-1);
    const { text, size } = item.char.glyph;
    const isBlank = text?.trim() === '';
    if (segment && (isBlank || item.start - end <= parting * size)) segment.push(item);
    else segments.push([item]);
    if (!isBlank) end = Math.max(end, item.end);
  }
  return segments;
}

/** In sizes: how wide a gap parts columns and cells. Lines that are set wide have wide blanks all along. */
function partingGap(seen: readonly Item[]): number {
  const gaps: number[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const item of seen) {
    const gap = (item.start - end) / Math.max(item.char.glyph.size, 1e-6);
    if (gap > LEAST_BLANK) gaps.push(gap);
    end = end === Number.POSITIVE_INFINITY ? item.end : Math.max(end, item.end);
  }
  const usual = gaps.length < FEW_GAPS ? 0 : (gaps.sort((a, b) => a - b)[gaps.length >> 2] ?? 0);
  return Math.min(WIDEST_BLANK, Math.max(PARTED_FROM, TIMES_USUAL * usual));
}

function placeSegment(
  segment: readonly Item[],
  next: Item | undefined,
  sign: number,
  { page, furthest }: { page: Box; furthest(glyph: Glyph, sign: number): number },
  result: LineResult,
): void {
  const changes = [...new Set(segment.flatMap(({ change }) => change ?? []))];
  const [first] = segment;
  if (changes.length === 0 || !first) return;
  const { glyph, element } = first.char;
  const spans = new Map(changes.map((change) => [change, spanOf(segment, change)]));
  const wanted = changes.reduce((sum, change) => sum + change.width, 0);
  const old = [...spans.values()].reduce((sum, { start, end }) => sum + end - start, 0);
  const end = segment.reduce((most, item) => Math.max(most, item.end), Number.NEGATIVE_INFINITY);
  const edge = Math.min(edgeOf(page, glyph, sign), edgeOf(element.state.clip, glyph, sign));
  const text = Math.min(Math.max(end, Math.min(edge, furthest(glyph, sign))), next?.start ?? edge);
  const beside = next ? Math.max(end, next.start - LEFT_FREE * glyph.size) : undefined;
  const soft = beside ?? text + OF_MARGIN * (edge - text);
  const hard = beside ?? edge;
  const begin = first.start;
  const total = end - begin + wanted - old;
  const narrowing = narrowingFor(total, { text: text - begin, soft: soft - begin, hard: hard - begin });
  const isVertical = element.state.text.font?.vertical ?? false;
  const isGrown = wanted > old;
  if (isGrown && (narrowing === undefined || (isVertical && narrowing < 1))) {
    result.refused.push(...changes);
    return;
  }
  const factor = isGrown ? (narrowing ?? 1) : 1;
  const placed = (at: number): number => begin + (at - begin) * factor;
  let shift = 0;
  const begun = new Set<LineChange>();
  for (const { char, start, change } of segment) {
    if (change && !begun.has(change)) {
      begun.add(change);
      const place = placed(start + shift);
      const along = sign > 0 ? place : -(place + change.width * factor);
      result.places.set(change, { along, narrowing: factor });
      const span = spans.get(change) ?? { start, end: start };
      shift += change.width - (span.end - span.start);
    } else if (!change) {
      // Narrower glyphs of a line that runs leftwards begin further right.
      const kept = sign > 0 ? 0 : (1 - factor) * widthOf(char.glyph);
      const by = placed(start + shift) - start - kept;
      if (by !== 0) result.shifts.set(char.glyph.index, by * sign);
      if (factor !== 1) result.narrowings.set(char.glyph.index, factor);
    }
  }
}

const widthOf = (glyph: Glyph): number => Math.abs(endOf(glyph) - alongOf(glyph));

/** A line is set narrower as a whole, so that nobody sees it; the margin is run into before that shows. */
function narrowingFor(total: number, room: { text: number; soft: number; hard: number }): number | undefined {
  if (total <= room.text) return 1;
  const slight = Math.max(UNSEEN_NARROWING, room.text / total);
  if (total * slight <= room.soft) return slight;
  const more = Math.max(NARROWEST, room.soft / total);
  return total * more <= Math.max(room.soft, room.hard) ? more : undefined;
}

function spanOf(segment: readonly Item[], change: LineChange): { start: number; end: number } {
  const own = segment.filter((item) => item.change === change);
  return {
    start: own.reduce((least, item) => Math.min(least, item.start), Number.POSITIVE_INFINITY),
    end: own.reduce((most, item) => Math.max(most, item.end), Number.NEGATIVE_INFINITY),
  };
}

/** How far a box reaches along the direction of a line. */
function edgeOf({ left, bottom, right, top }: Box, { along }: Glyph, sign: number): number {
  const [x, y] = [sign * along.x, sign * along.y];
  return Math.max(x * left, x * right) + Math.max(y * bottom, y * top);
}
