// Text as it is to be set in a box: as many lines as it had, as wide as they were. Where it flows it can be edited; where
// it would not come out on as many lines, or its line ends were meant, every line is kept.

import { runsText } from '../../layout/lines/runs.ts';
import type { Box, Flow, Line, Run, TextStyle } from '../../layout/model.ts';
import { mayBeRightToLeft } from '../../layout/words/direction.ts';
import { pitchOf, sizeOf } from '../docx/heights.ts';
import { typesetFlow } from '../docx/set-lines.ts';
import type { Letters } from '../letters.ts';

/** A run with what is added between its letters, in points. */
export interface SetRun extends Run {
  spacing: number;
}

export interface SetParagraph {
  /** With tabs and line ends where they are to stand. */
  runs: readonly SetRun[];
  align: Flow['align'];
  direction: Flow['direction'];
  pitch: number;
  /** Where its lines begin, from the left edge of the box; and by how much the first stands in from there. */
  left: number;
  first: number;
  /** Free space above. */
  before: number;
  /** From the left edge of the box. */
  tabs: readonly { x: number; align: 'left' | 'right' }[];
  /** Stands before the text, which hangs behind it; or is text itself, where the lines below begin under it. */
  marker?: { text: string; hangs: boolean };
}

type TextFlow = Pick<Flow, 'runs' | 'lines' | 'align' | 'direction'>;

export interface TypesetText {
  paragraphs: SetParagraph[];
  box: Box;
  /** Whether lines that are too long are broken. */
  wraps: boolean;
}

/** How much wider than its lines a box is: other programs measure a little differently. */
const SLACK = 1.5;
/** How far letters are drawn together before lines are kept instead. */
const TIGHTENED = [1, 0.985, 0.97, 0.95] as const;
/** Other programs break a line where it nearly fits. */
const SURE = 0.99;
/** No letters are set closer or wider than this, in parts of their size. */
const CLOSEST = -0.09;
const WIDEST = 0.25;
/** How much wider a line may be than its font makes it. */
const MOST_STRETCHED = 1.04;

/** `most` is how wide the box may be, where it may not be as wide as the text was. */
export function typesetText(flow: TextFlow, letters: Letters, most = Infinity): TypesetText | undefined {
  const { lines } = flow;
  const [first] = lines;
  if (!first) return undefined;
  const box = boxAround(lines);
  // Lines in the middle end where they were meant to.
  if (lines.length === 1 || flow.align === 'center' || lines.some(keepsItself))
    return typesetLines(flow, letters, most);
  const left = edgeOf(lines.slice(1), box);
  const indent = flow.align === 'left' || flow.align === 'justify' ? first.box.x - box.x - left : 0;
  const width = Math.min(box.width + SLACK, most);
  const { runs, tabs } = typesetFlow(flow as Flow, width, letters);
  if (tabs.length > 0) return typesetLines(flow, letters, most);
  const size = TIGHTENED.find(
    (part) => letters.lineCount(runs, (width - left) * SURE, { first: indent, size: part }) <= lines.length,
  );
  if (size === undefined) return typesetLines(flow, letters, most);
  const paragraph: SetParagraph = {
    runs: runs.map((run) => ({ ...run, spacing: spacingFor(run, letters, size) })),
    ...sides(flow, left, indent),
    pitch: pitchOf(lines),
    before: 0,
    tabs: [],
  };
  return { paragraphs: [paragraph], box: placed(box, flow), wraps: true };
}

/** Turned writing, rows with gaps, and rows in two directions. */
const keepsItself = ({ turn, stops, runs, direction }: Line): boolean =>
  turn !== 0 || stops !== undefined || (direction === 'ltr' && mayBeRightToLeft(runsText(runs)));

/** Every line as it stood, as wide as it was. */
export function typesetLines(flow: TextFlow, letters: Letters, most = Infinity): TypesetText | undefined {
  const { lines } = flow;
  const [first] = lines;
  if (!first) return undefined;
  const box = boxAround(lines);
  if (first.turn !== 0) return { paragraphs: [keptLines(flow, lines, 0, letters, most)], box, wraps: false };
  const isLeft = flow.align === 'left' || flow.align === 'justify';
  const hasRows = (isLeft && !isOneEdge(lines)) || !isEven(lines);
  if (!hasRows)
    return { paragraphs: [keptLines(flow, lines, 0, letters, most)], box: placed(box, flow), wraps: false };
  // Lines that begin at different places, or are not as far apart, are paragraphs of their own.
  const rows = lines.map((line, i): SetParagraph => {
    const above = lines[i - 1];
    const row = keptLines(
      { ...flow, align: isLeft ? 'left' : flow.align },
      [line],
      isLeft ? line.box.x - box.x : 0,
      letters,
      most,
    );
    const step = above ? baselineOf(line) - baselineOf(above) : row.pitch;
    const pitch = Math.max(1, Math.min(row.pitch, step));
    return { ...row, pitch, before: Math.max(0, step - pitch) };
  });
  return {
    paragraphs: rows,
    box: placed(box, { ...flow, align: isLeft ? 'left' : flow.align }),
    wraps: false,
  };
}

function keptLines(
  flow: Pick<Flow, 'align' | 'direction'>,
  lines: readonly Line[],
  left: number,
  letters: Letters,
  most: number,
): SetParagraph {
  const runs = lines.flatMap((line, i): SetRun[] => {
    const own = fitted(line, letters, most);
    const [first] = own;
    return i > 0 && first ? [{ text: '\n', style: first.style, spacing: 0 }, ...own] : own;
  });
  const align = flow.align === 'justify' ? 'left' : flow.align;
  return { runs, ...sides({ ...flow, align }, left, 0), pitch: pitchOf(lines), before: 0, tabs: [] };
}

/** A line whose letters are set as wide as it was, unless it has gaps. */
function fitted({ runs, box, turn, stops = [] }: Line, letters: Letters, widest: number): SetRun[] {
  const [first] = runs;
  if (!first) return [];
  if (stops.length > 0) return runs.map((run) => ({ ...run, spacing: spacingFor(run, letters, 1) }));
  if (!runs.every(({ style, text }) => letters.familyOf(style).sure === 'known' && isMeasured(text)))
    return runs.map((run) => ({ ...run, spacing: spacingFor(run, letters, 1) }));
  const natural = runs.reduce((sum, run) => sum + naturalWidth(run, letters), 0);
  const count = Math.max(1, runsText(runs).length - 1);
  const length = Math.abs(Math.round(turn / 90)) % 2 === 1 ? box.height : box.width;
  // What is wider than its letters are has gaps of its own.
  const most = runs.reduce((sum, run) => sum + letters.widthOf(run.text, run.style), 0) * MOST_STRETCHED;
  const spacing = (Math.min(length, Math.max(most, natural), widest) - natural) / count;
  return runs.map((run) => ({ ...run, spacing: bounded(spacing, run.style) }));
}

/** How wide letters of other scripts will be is not known. */
const isMeasured = (text: string): boolean => !/[^\u0020-\u024f\u2010-\u2026\n\t]/.test(text);

const naturalWidth = ({ text, style }: Run, letters: Letters): number =>
  letters.widthOf(text, style) / letters.scaleOf(style);

/** What stretches letters to the width they had, and a little less where they are drawn together. */
function spacingFor(run: Run, letters: Letters, size: number): number {
  const count = run.text.length;
  if (count === 0 || !isMeasured(run.text)) return 0;
  const natural = naturalWidth(run, letters);
  return bounded((natural * (letters.scaleOf(run.style) * size - 1)) / count, run.style);
}

/** Office programs round to hundredths of a millimetre: so that no line gets longer, rounded down. */
const bounded = (spacing: number, { size }: TextStyle): number =>
  Math.floor(Math.max(CLOSEST * size, Math.min(WIDEST * size, spacing)) / STEP) * STEP;
const STEP = 72 / 2540;

const sides = (
  { align, direction }: Pick<Flow, 'align' | 'direction'>,
  left: number,
  first: number,
): Pick<SetParagraph, 'align' | 'direction' | 'left' | 'first'> => ({
  align,
  direction,
  left: align === 'left' || align === 'justify' ? Math.max(0, left) : 0,
  first: align === 'left' || align === 'justify' ? Math.max(-left, first) : 0,
});

/** Where most of these lines begin, from the box. */
function edgeOf(lines: readonly Line[], box: Box): number {
  const edges = lines.map((line) => line.box.x - box.x).toSorted((a, b) => a - b);
  return edges[edges.length >> 1] ?? 0;
}

const isOneEdge = (lines: readonly Line[]): boolean => {
  const edges = lines.map(({ box }) => box.x);
  return Math.max(...edges) - Math.min(...edges) < 1.5;
};

/** Whether lines follow one another at one distance. */
function isEven(lines: readonly Line[]): boolean {
  const steps = lines.slice(1).map((line, i) => baselineOf(line) - baselineOf(lines[i] as Line));
  return steps.length === 0 || Math.max(...steps) - Math.min(...steps) < 1;
}

/** Between the baselines of two lines, beside the distance that the second brings itself. */
export function gapBetween(above: Line, below: Line, pitch: number): number {
  return Math.max(0, baselineOf(below) - baselineOf(above) - pitch);
}

/** Below the capitals' height a line's box has three quarters of its size. */
const ABOVE_BASELINE = 0.75;
export const baselineOf = (line: Line): number => line.box.y + ABOVE_BASELINE * sizeOf([line]);

/** Letters reach so far below their baseline, and a line of a set height ends with them. */
const DESCENT = 0.216;

/** Where a box begins so that its first line stands where it stood. */
export function topOf(lines: readonly Line[], pitch: number): number {
  const [first] = lines;
  if (!first) return 0;
  return first.turn === 0 ? baselineOf(first) - pitch + DESCENT * sizeOf([first]) : first.box.y;
}

function placed(box: Box, { align }: Pick<Flow, 'align'>): Box {
  const shift = align === 'center' ? SLACK / 2 : align === 'right' ? SLACK : 0;
  return { ...box, x: box.x - shift, width: box.width + SLACK };
}

export function boxAround(lines: readonly { box: Box }[]): Box {
  const left = Math.min(...lines.map(({ box }) => box.x));
  const top = Math.min(...lines.map(({ box }) => box.y));
  return {
    x: left,
    y: top,
    width: Math.max(...lines.map(({ box }) => box.x + box.width)) - left,
    height: Math.max(...lines.map(({ box }) => box.y + box.height)) - top,
  };
}
