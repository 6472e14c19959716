// Where blocks stand and how high they are when they are set anew.
import { computeOnce } from '../../contract/maps.ts';
import { isDisplayed } from '../../layout/formulas/formula.ts';
import type { Box, Figure, Flow, Line } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { typesetFlow } from './set-lines.ts';

/** How much of the spaces, the pitch of lines and the size of letters is kept. */
export interface Tightness {
  space: number;
  pitch: number;
  size: number;
  /** Whether narrow blocks stay narrow. */
  narrow: boolean;
  /** By how much wider letters may come out, as a part of their width. */
  doubt?: number;
}

export const AS_IT_WAS: Tightness = { space: 1, pitch: 1, size: 1, narrow: true };

export const bottomOf = ({ y, height }: Box): number => y + height;
export const rightOf = ({ x, width }: Box): number => x + width;

/** Lines further apart than this, in sizes, do not follow one another. */
const WIDEST_PITCH = 4;

/** The distance of lines: as they stood, or what is usual for their size. */
export function pitchOf(lines: readonly Line[]): number {
  return computeOnce(pitches, lines, () => findPitch(lines));
}

const pitches = new WeakMap<readonly Line[], number>();

/** A line of its own is as high as is usual for its size, unless the next one stands nearer. */
export function tightenPitch(block: Pick<Flow, 'lines'>, next: Pick<Flow, 'lines'>): void {
  const [line, below] = [block.lines[0], next.lines[0]];
  if (!line || !below || block.lines.length > 1 || line.turn !== 0 || below.turn !== 0) return;
  const step = baselineOf(below) - baselineOf(line);
  if (step >= sizeOf(block.lines) * 0.95 && step < pitchOf(block.lines)) pitches.set(block.lines, step);
}

const baselineOf = (line: Line): number => bottomOf(line.box) - DESCENT * sizeOf([line]);

function findPitch(lines: readonly Line[]): number {
  const size = sizeOf(lines);
  const steps: number[] = [];
  for (let i = 1; i < lines.length; i += 1) {
    const step = (lines[i]?.box.y ?? 0) - (lines[i - 1]?.box.y ?? 0);
    if (step > size * 0.7 && step < size * WIDEST_PITCH) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return Math.max(size, steps[steps.length >> 1] ?? size * 1.2);
}

export const sizeOf = (lines: readonly Line[]): number => {
  const sizes = lines.flatMap(({ runs }) =>
    runs.filter(({ text }) => text.trim() !== '').map(({ style }) => style.size),
  );
  sizes.sort((a, b) => a - b);
  return Math.min(1000, Math.max(1, sizes[Math.floor(sizes.length * 0.7)] ?? 10));
};

/** How far below its baseline a line of layout's reaches, and how much of a line set anew stands above it. */
const DESCENT = 0.25;
const ABOVE_BASELINE = 0.8;

/** Where a paragraph must begin for its first line to stand where it stood. */
export function flowTop({ lines }: Pick<Flow, 'lines'>): number {
  const [first] = lines;
  if (!first) return 0;
  if (first.turn !== 0 || isDisplayed(first)) return first.box.y;
  return baselineOf(first) - ABOVE_BASELINE * pitchOf(lines);
}

/** Where it would end. */
export function flowBottom({ lines }: Pick<Flow, 'lines'>): number {
  const last = lines.at(-1);
  if (!last) return 0;
  if (last.turn !== 0 || isDisplayed(last)) return bottomOf(last.box);
  return baselineOf(last) + (1 - ABOVE_BASELINE) * pitchOf(lines);
}

export function flowHeight(
  flow: Flow,
  width: number,
  tight: Tightness,
  letters: Letters,
  { firstLine = 0, narrowed = 1 } = {},
): number {
  if (isDisplayed(flow)) return formulaHeight(flow) * tight.size;
  const { runs, length } = typesetFlow(flow, width, letters);
  const height = pitchOf(flow.lines) * tight.pitch * tight.size;
  if (narrowed < 1) return height;
  if (length !== undefined) return height * Math.ceil((length * tight.size - 1) / width);
  const room = width / (1 + (tight.doubt ?? 0));
  const linesIn = (part: number): number =>
    letters.lineCount(runs, room * part, { first: firstLine, size: tight.size });
  const count = linesIn(1);
  const had = flow.lines.length;
  // Where it is a close call, as many as there were.
  return height * (tight.narrow && count < had && linesIn(1 - CLOSE) >= had ? had : count);
}

/** Formulas are set about as high as they were. */
const formulaHeight = ({ lines }: Pick<Flow, 'lines'>): number =>
  Math.max(pitchOf(lines), lines[0]?.box.height ?? 0);

/** How exactly widths are known, as a part of them. */
const CLOSE = 0.003;

export function codeHeight(
  lines: readonly Line[],
  width: number,
  tight: Tightness,
  letters: Letters,
): number {
  const rows = lines.reduce((sum, { runs }) => sum + letters.lineCount(runs, width, { size: tight.size }), 0);
  return rows * pitchOf(lines) * tight.pitch * tight.size;
}

/** What the lines around a cell take of its height. */
export const BORDER = 0.6;
export const CELL_MARGIN = 2;

/** How high a row is set at least. */
export const rowHeight = (height: number, tight: Tightness): number =>
  Math.max(1, height * (0.5 + tight.space / 2) * tight.size);

/** An image as large as it was, within its column. */
export function figureSize(
  { box }: Figure,
  width: number,
  tight: Tightness,
): { width: number; height: number } {
  const shrink = Math.min(1, width / Math.max(1, box.width)) * Math.min(1, tight.size);
  return { width: Math.max(1, box.width * shrink), height: Math.max(1, box.height * shrink) };
}
