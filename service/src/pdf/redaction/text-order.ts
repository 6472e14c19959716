// The characters of a page as running text, in every order and sense in which they may be read.
import { append } from '../../contract/maps.ts';
import type { Point } from '../geometry/matrix.ts';
import type { Glyph, Listed, Span } from './glyph-list.ts';
import { spreadTexts } from './spread-letters.ts';
import { twinsOf, withoutTwins } from './twin-letters.ts';

export interface RunningText {
  text: string;
  /** For each unit of the text the glyph it comes from, as its place in the list; -1 where none is. */
  glyphAt: number[];
  /** For each unit the marked content whose text it is; absent where no such text is among it. */
  spanAt?: number[];
  /** Bytes that may mean anything: only longer words found in it count. */
  isRaw: boolean;
  /** Whether a term found there is one; absent: it is. */
  isHit?(start: number, end: number): boolean;
}

/** Shares of the font's size. */
const BLANK_FROM = 0.18;
/** What is narrower than this is no blank to a reader, though the content says so. */
const SEEN_FROM = 0.06;
const SAME_LINE = 0.35;
const BACKWARDS = 0.5;

type Say = (glyph: Glyph) => string;

/** Every way to read it, also such that only programs know. */
export function runningTexts(listed: Listed): RunningText[] {
  const { glyphs } = listed;
  const texts = readableTexts(listed);
  if (glyphs.some(({ encoded }) => encoded !== undefined)) {
    const say: Say = (glyph) => glyph.encoded ?? saidBy(glyph);
    texts.push(...ordersOf(glyphs).map((order) => runningText(order, say, false)));
  }
  if (glyphs.length > 0) texts.push(runningText(glyphs, ({ raw }) => raw, true));
  texts.push(
    ...drawnOrders(glyphs).flatMap((order) =>
      spreadTexts(order, distanceBetween).map((text) => ({ ...text, isRaw: false })),
    ),
  );
  return distinct(texts);
}

/** As a reader would copy it. */
export function readableTexts({ glyphs, spans }: Listed): RunningText[] {
  const texts = ordersOf(glyphs).map((order) => runningText(order, saidBy, false));
  if (spans.length > 0) texts.push(replacementText(glyphs, spans));
  return distinct(texts);
}

function ordersOf(glyphs: readonly Glyph[]): (readonly Glyph[])[] {
  const drawn = drawnOrders(glyphs);
  return [...drawn, ...drawn.flatMap(withoutUnseenBlanks)];
}

function drawnOrders(glyphs: readonly Glyph[]): (readonly Glyph[])[] {
  if (glyphs.length === 0) return [];
  const twins = twinsOf(glyphs);
  const drawn = [glyphs, ...visualOrder(glyphs)];
  return twins.size === 0 ? drawn : [...drawn, ...drawn.map((order) => withoutTwins(order, twins))];
}

/** What only a renderer can tell, by the character collection of the font, stands as a character for private use. */
const READ_BY_OTHERS = '\ue000';

const saidBy: Say = (glyph) => glyph.text ?? (glyph.isUnknown ? '\ufffd' : READ_BY_OTHERS);

function distinct(texts: readonly RunningText[]): RunningText[] {
  const said = new Set<string>();
  return texts.filter(({ text }) => !said.has(text) && said.add(text));
}

function runningText(order: readonly Glyph[], say: Say, isRaw: boolean): RunningText {
  const made: RunningText = { text: '', glyphAt: [], isRaw };
  const parts: string[] = [];
  let before: Glyph | undefined;
  for (const glyph of order) {
    if (before) addGap(made, parts, before, glyph);
    const said = say(glyph);
    parts.push(said);
    for (let unit = 0; unit < said.length; unit += 1) made.glyphAt.push(glyph.index);
    before = glyph;
  }
  made.text = parts.join('');
  return made;
}

function addGap(made: RunningText, parts: string[], before: Glyph, glyph: Glyph): void {
  const gap = gapBetween(before, glyph);
  if (gap === '') return;
  parts.push(gap);
  made.glyphAt.push(-1);
}

/** Blanks that take no room, as some writers make them of soft hyphens, part no words. */
function withoutUnseenBlanks(order: readonly Glyph[]): Glyph[][] {
  const seen: Glyph[] = [];
  let blanks: Glyph[] = [];
  for (const glyph of order) {
    if (glyph.text?.trim() === '') {
      blanks.push(glyph);
      continue;
    }
    const before = seen.at(-1);
    if (blanks.length > 0 && !(before && gapBetween(before, glyph, SEEN_FROM) === '')) seen.push(...blanks);
    blanks = [];
    seen.push(glyph);
  }
  seen.push(...blanks);
  return seen.length < order.length ? [seen] : [];
}

/** What stands between two characters for a reader: nothing, a blank or a line end. */
function gapBetween(before: Glyph, glyph: Glyph, blankFrom = BLANK_FROM): '' | ' ' | '\n' {
  const distance = distanceBetween(before, glyph);
  if (distance === undefined) return '\n';
  return distance > blankFrom ? ' ' : '';
}

/** How far a character stands behind another, in sizes; undefined where it stands on another line. */
function distanceBetween(before: Glyph, glyph: Glyph): number | undefined {
  const size = Math.max(before.size, glyph.size, 1e-6);
  const { along } = before;
  const isTurned = along.x * glyph.along.x + along.y * glyph.along.y < 0.98;
  const [dx, dy] = [glyph.origin.x - before.end.x, glyph.origin.y - before.end.y];
  const forward = dx * along.x + dy * along.y;
  const across = Math.abs(dy * along.x - dx * along.y);
  if (isTurned || across > SAME_LINE * size || forward < -BACKWARDS * size) return undefined;
  return forward / size;
}

interface Line {
  glyphs: Glyph[];
  /** Distance of the line from the origin, across its direction. */
  across: number;
  size: number;
}

const alongOf = ({ origin, along }: Glyph): number => origin.x * along.x + origin.y * along.y;
const acrossOf = ({ x, y }: Point, along: Point): number => y * along.x - x * along.y;

/** Lines from top to bottom, characters along them: for content that draws in another order. */
function visualOrder(glyphs: readonly Glyph[]): Glyph[][] {
  if (isInOrder(glyphs)) return [];
  const byDirection = new Map<number, Glyph[]>();
  for (const glyph of glyphs) {
    const degrees = Math.round((Math.atan2(glyph.along.y, glyph.along.x) * 180) / Math.PI);
    append(byDirection, degrees, glyph);
  }
  return [...byDirection.values()].map((list) => linesOf(list).flatMap((line) => line.glyphs));
}

/** Whether each character stands behind the one before, or on a lower line. */
function isInOrder(glyphs: readonly Glyph[]): boolean {
  return glyphs.every((glyph, at) => {
    const before = glyphs[at - 1];
    if (!before) return true;
    const { along } = before;
    if (along.x * glyph.along.x + along.y * glyph.along.y < 0.9999) return false;
    const down = acrossOf(before.origin, along) - acrossOf(glyph.origin, along);
    const size = Math.max(before.size, glyph.size);
    return down > size || (Math.abs(down) < size * 0.05 && alongOf(glyph) >= alongOf(before));
  });
}

function linesOf(glyphs: readonly Glyph[]): Line[] {
  const lines: Line[] = [];
  const sorted = [...glyphs].sort((a, b) => acrossOf(b.origin, b.along) - acrossOf(a.origin, a.along));
  for (const glyph of sorted) {
    const across = acrossOf(glyph.origin, glyph.along);
    const line = lines.at(-1);
    if (line && line.across - across <= SAME_LINE * Math.max(line.size, glyph.size)) line.glyphs.push(glyph);
    else lines.push({ glyphs: [glyph], across, size: glyph.size });
  }
  for (const line of lines) line.glyphs.sort((a, b) => alongOf(a) - alongOf(b));
  return lines;
}

/** With the texts that marked content puts in the place of what it draws. */
function replacementText(glyphs: readonly Glyph[], spans: readonly Span[]): RunningText {
  const made: RunningText = { text: '', glyphAt: [], spanAt: [], isRaw: false };
  const said = new Set<number>();
  const say = (text: string, glyph: number, span: number): void => {
    made.text += text;
    for (let unit = 0; unit < text.length; unit += 1) {
      made.glyphAt.push(glyph);
      made.spanAt?.push(span);
    }
  };
  let next = 0;
  const saySpansBefore = (id: number): void => {
    for (; next < id; next += 1) if (!said.has(next)) say(spans[next]?.text ?? '', -1, next);
  };
  let before: Glyph | undefined;
  for (const glyph of glyphs) {
    const { span } = glyph;
    if (span !== undefined && said.has(span)) {
      before = glyph;
      continue;
    }
    const gap = before ? gapBetween(before, glyph) : '';
    say(gap, -1, -1);
    if (span !== undefined) {
      saySpansBefore(span);
      said.add(span);
      say(spans[span]?.text ?? '', glyph.index, span);
    } else say(saidBy(glyph), glyph.index, -1);
    before = glyph;
  }
  saySpansBefore(spans.length);
  return made;
}
