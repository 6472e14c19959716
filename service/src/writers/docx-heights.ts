// How high blocks stand when they are set anew, in fonts that may be wider than those of the document.
import type { Block, Box, Figure, Flow, Line, List, Paragraph, Table } from '../layout/model.ts';
import { isSteady } from './font-families.ts';

/** How much of the spaces, the pitch of lines and the size of letters is kept. */
export interface Tightness {
  space: number;
  pitch: number;
  size: number;
  /** Whether narrow blocks stay narrow. */
  narrow: boolean;
}

export const bottomOf = ({ y, height }: Box): number => y + height;
export const rightOf = ({ x, width }: Box): number => x + width;

/** The distance of lines: as they stood, or what is usual for their size. */
export function pitchOf(lines: readonly Line[]): number {
  const size = sizeOf(lines);
  const steps: number[] = [];
  for (let i = 1; i < lines.length; i += 1) {
    const step = (lines[i]?.box.y ?? 0) - (lines[i - 1]?.box.y ?? 0);
    if (step > size * 0.7 && step < size * 2.5) steps.push(step);
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

/** Space between a block and the one before it; nothing where they stand side by side. */
export function gapAbove(block: Block, before: Block | undefined): number {
  if (!before) return 0;
  const gap = block.box.y - bottomOf(before.box);
  const own = 'lines' in block ? pitchOf(block.lines) - sizeOf(block.lines) : 0;
  return Math.min(72, Math.max(0, gap - own));
}

export function blockHeight(block: Block, width: number, tight: Tightness): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return flowHeight(block, width, tight);
    case 'code':
      return codeHeight(block.lines, width, tight);
    case 'list':
      return listHeight(block, width, tight);
    case 'table':
      return tableHeight(block, tight) + (block.caption ? flowHeight(block.caption, width, tight) : 0);
    case 'figure': {
      const { height } = figureSize(block, width, tight);
      return height + 3 + (block.caption ? flowHeight(block.caption, width, tight) : 0);
    }
  }
}

/** Letters of the widest fonts that stand in for others, in sizes. */
const WIDE_LETTER = 0.56;
/** Lines are not filled to their end. */
const UNFILLED = 1.03;

/** How long a line may come out where its font is not installed. */
export function lineLength({ box, turn, runs }: Line): number {
  const own = turn === 0 ? box.width : box.height;
  const [first] = runs;
  if (!first || isSteady(first.style.font, first.style.monospace)) return own * 1.03;
  const letters = runs.reduce((sum, { text, style }) => sum + text.length * style.size * WIDE_LETTER, 0);
  return Math.max(own * 1.05, Math.min(letters, own * 1.5));
}

/** How long the text would be on one line. */
export const lengthOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + lineLength(line) + 3, 0);

function flowHeight({ lines }: Pick<Flow, 'lines'>, width: number, tight: Tightness): number {
  const filled = (lengthOf(lines) * tight.size) / Math.max(20, width);
  const estimated = filled <= 1 ? 1 : Math.ceil(filled * UNFILLED);
  return estimated * pitchOf(lines) * tight.pitch * tight.size;
}

function codeHeight(lines: readonly Line[], width: number, tight: Tightness): number {
  const rows = lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil((lineLength(line) * tight.size) / Math.max(20, width))),
    0,
  );
  return rows * pitchOf(lines) * tight.pitch * tight.size;
}

function listHeight({ items }: List, width: number, tight: Tightness): number {
  let before: Block | undefined;
  let height = 0;
  for (const block of items.flatMap(({ blocks }) => blocks)) {
    height += blockHeight(block, Math.max(40, width - 18), tight) + gapAbove(block, before) * tight.space;
    before = block;
  }
  return height;
}

function tableHeight({ rows, columnEdges }: Table, tight: Tightness): number {
  return rows.reduce((sum, { cells, height }) => {
    const tallest = cells.reduce((most, { column, columnSpan, rowSpan, blocks }) => {
      if (rowSpan > 1) return most;
      const width = Math.max(12, (columnEdges[column + columnSpan] ?? 0) - (columnEdges[column] ?? 0) - 4);
      const own = blocks.reduce((total, block) => total + cellBlockHeight(block, width, tight), 0);
      return Math.max(most, own);
    }, 0);
    return sum + Math.max(height * tight.space * 0.96, tallest) + 1.5;
  }, 0);
}

function cellBlockHeight(block: Paragraph | List, width: number, tight: Tightness): number {
  return blockHeight(block, width, tight);
}

/** A picture as large as it was, within its column. */
export function figureSize(
  { box }: Figure,
  width: number,
  tight: Tightness,
): { width: number; height: number } {
  const shrink = Math.min(1, width / Math.max(1, box.width)) * Math.min(1, tight.size);
  return { width: Math.max(1, box.width * shrink), height: Math.max(1, box.height * shrink) };
}
