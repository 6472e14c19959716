// Text as it is to be set: it flows, but for line ends and gaps that were meant.

import { runsText } from '../../layout/lines/runs.ts';
import type { Flow, Line, Paragraph, Run } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';

export interface TabStop {
  /** x on the page. */
  x: number;
  align: 'left' | 'right';
  leader: boolean;
}

export interface TypesetFlow {
  /** With tabs and line ends where they are to stand. */
  runs: readonly Run[];
  tabs: TabStop[];
  /** How long the only line is with its gaps, and how much of it is before the last of them. */
  length?: number;
  fixed?: number;
}

const LEADERS = /(?:[.\u2026\u00b7_]\s?){4,}/;
/** Free space that ends a line although its next word would have fitted, as a part of the width. */
const CLEAR = 0.04;

const made = new WeakMap<Flow, { width: number; set: TypesetFlow }>();

/** `width` is that of the column. */
export function typesetFlow(flow: Flow, width: number, letters: Letters): TypesetFlow {
  const known = made.get(flow);
  if (known && Math.abs(known.width - width) < 1) return known.set;
  const set = asSet(flow, width, letters);
  made.set(flow, { width, set });
  return set;
}

function asSet(flow: Flow, width: number, letters: Letters): TypesetFlow {
  const runs = trimmed(flow.runs);
  const plain = { runs, tabs: [] };
  if (flow.direction === 'rtl' || flow.lines.some(({ turn }) => turn !== 0)) return plain;
  const [only] = flow.lines;
  if (only && flow.lines.length === 1)
    return withLeader(runs, only, letters) ?? withStops(runs, only, letters) ?? plain;
  if (flow.align === 'justify') return plain;
  // How wide a paragraph may be that stands at the left is told by its longest line alone.
  const room = flow.align === 'left' ? Math.min(width, widest(flow.lines)) : width;
  const ends = flow.lines.flatMap((line, i) => {
    const next = flow.lines[i + 1];
    return next && (isOwnLine(line, next) || endsEarly(line, next, room, letters)) ? [i] : [];
  });
  // Verses and addresses: where most lines end early, all of them are lines.
  const all = flow.lines.slice(1).map((_, i) => i);
  return { runs: withEnds(runs, flow.lines, ends.length * 2 > all.length ? all : ends) ?? runs, tabs: [] };
}

const widest = (lines: readonly Line[]): number =>
  lines.reduce((most, { box }) => Math.max(most, box.width), 0);

/** Blanks at the ends of a paragraph say nothing. */
function trimmed(runs: readonly Run[]): Run[] {
  return runs.map((run, index) => {
    let { text } = run;
    if (index === 0) text = text.trimStart();
    if (index === runs.length - 1) text = text.trimEnd();
    return text === run.text ? run : { ...run, text };
  });
}

/** Dots that lead to a page number: a tab that draws them. */
function withLeader(runs: readonly Run[], line: Line, letters: Letters): TypesetFlow | undefined {
  if (!LEADERS.test(runsText(line.runs))) return undefined;
  const at = runsText(runs).lastIndexOf(' … ');
  if (at < 1 || runsText(runs).length - at > 16) return undefined;
  const right = line.box.x + line.box.width;
  return {
    runs: replaced(runs, [{ at, length: 3, text: '\t' }]),
    tabs: [{ x: right, align: 'right', leader: true }],
    length: Math.max(line.box.width, letters.lengthOf(runs)),
  };
}

/** Wide gaps in a line of its own; those that wider letters have closed are spaces. */
function withStops(runs: readonly Run[], line: Line, letters: Letters): TypesetFlow | undefined {
  const { stops = [], runs: own, box } = line;
  const text = runsText(runs);
  if (stops.length === 0 || runsText(own) !== text || stops.some(({ at }) => text[at - 1] !== ' '))
    return undefined;
  let [x, from] = [box.x, 0];
  const kept = stops.filter((stop) => {
    x += letters.lengthOf(between(runs, from, stop.at));
    from = stop.at;
    if (x > stop.x) return false;
    x = stop.x;
    return true;
  });
  return {
    runs: replaced(
      runs,
      kept.map(({ at }) => ({ at: at - 1, length: 1, text: '\t' })),
    ),
    tabs: kept.map((stop) => ({ x: stop.x, align: 'left', leader: false })),
    length: x + letters.lengthOf(between(runs, from, text.length)) - box.x,
    fixed: kept.length > 0 ? x - box.x : 0,
  };
}

function between(runs: readonly Run[], from: number, to: number): Run[] {
  let at = 0;
  return runs.map((run) => {
    const start = at;
    at += run.text.length;
    return { ...run, text: run.text.slice(Math.max(0, from - start), Math.max(0, to - start)) };
  });
}

/** What stands behind a gap has a place of its own, wherever the rest stands. */
export const hasGaps = ({ lines }: Pick<Flow, 'lines'>): boolean =>
  lines.some(({ stops }) => stops && stops.length > 0);

/** Lines that have gaps are rows, one below the other: each is a paragraph. */
export function splitRows(block: Paragraph): Paragraph[] {
  const { lines, runs, direction, align } = block;
  const withGaps = lines.filter((line) => hasGaps({ lines: [line] })).length;
  // Lines in the middle end where they were meant to: one of them tells.
  const least = align === 'center' ? 1 : lines.length / 2;
  if (lines.length < 2 || withGaps < least || direction === 'rtl') return [block];
  if (runs.some(({ note }) => note !== undefined)) return [block];
  return lines.map((line) => ({
    ...block,
    runs: line.runs,
    lines: [line],
    box: line.box,
    align: 'left',
    firstLineIndent: 0,
  }));
}

/** Lines far apart, in sizes. */
const FAR = 1.9;

/** A whole sentence on a line, far above the next. */
function isOwnLine(line: Line, next: Line): boolean {
  const size = line.runs[0]?.style.size ?? 0;
  return (
    next.box.y - line.box.y > size * FAR &&
    /[.!?:]["'”’»)]*\s*$/.test(runsText(line.runs)) &&
    /^\s*[\p{Lu}\p{N}"“„«]/u.test(runsText(next.runs))
  );
}

function endsEarly(line: Line, next: Line, width: number, letters: Letters): boolean {
  const [first] = next.runs;
  const word = /^\s*(\S+)/.exec(runsText(next.runs))?.[1];
  if (!first || !word) return false;
  const free = width - line.box.width;
  return free > letters.widthOf(`${word} `, first.style) + width * CLEAR;
}

/** The text with line ends behind these lines; undefined where lines and text do not agree. */
function withEnds(runs: readonly Run[], lines: readonly Line[], ends: readonly number[]): Run[] | undefined {
  if (ends.length === 0) return undefined;
  const characters = (text: string): string => text.replace(/[\s\u00ad\u2010-]/g, '');
  const text = runsText(runs);
  if (characters(text) !== characters(lines.map((line) => runsText(line.runs)).join(''))) return undefined;
  const changes: Change[] = [];
  let [at, due] = [0, 0];
  for (const [i, line] of lines.entries()) {
    due += characters(runsText(line.runs)).length;
    for (; due > 0 && at < text.length; at += 1) if (characters(text[at] as string) !== '') due -= 1;
    while (/[\u2010\u00ad-]/.test(text[at] ?? '')) at += 1;
    if (ends.includes(i) && text[at] === ' ') changes.push({ at, length: 1, text: '\n' });
  }
  return replaced(runs, changes);
}

interface Change {
  at: number;
  length: number;
  text: string;
}

/** Places count through all runs; a change reaches over no more than what its run holds. */
function replaced(runs: readonly Run[], changes: readonly Change[]): Run[] {
  let from = 0;
  return runs.map((run) => {
    const end = from + run.text.length;
    let { text } = run;
    for (const { at, length, text: other } of changes.toReversed())
      if (at >= from && at < end)
        text = text.slice(0, at - from) + other + text.slice(Math.min(at + length, end) - from);
    from = end;
    return text === run.text ? run : { ...run, text };
  });
}
