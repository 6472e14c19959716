// How far a block stands in from the edges of its column.
import type { Flow, Heading, ListItem, Paragraph } from '../layout/model.ts';
import type { Column } from './docx-bands.ts';
import { rightOf } from './docx-heights.ts';
import type { Letters } from './docx-letters.ts';
import { setFromRight } from './docx-measure.ts';
import { setFlow } from './docx-set-lines.ts';

export interface Indents {
  left: number;
  right: number;
  /** Negative where the first line hangs out. */
  firstLine: number;
  align: Flow['align'];
  /** What letters are narrowed by, for a line to stay one. */
  narrowed?: number;
}

/** Where a block stands in its column. */
export interface Place extends Indents {
  before: number;
  /** Width of the column. */
  columnWidth: number;
  /** Left edge of the column, on the page. */
  columnLeft: number;
}

/** Parts of the column's width. */
const CENTRED = 0.06;
const MOST_FIRST = 120;

export function flowIndents(
  block: Paragraph | Heading,
  column: Column,
  narrow: boolean,
  letters: Letters,
): Indents {
  const { box, lines, direction } = block;
  const width = column.right - column.left;
  const before = Math.max(0, box.x - column.left);
  const after = Math.max(0, column.right - rightOf(box));
  const align = alignOf(block, before, after, width);
  if (align === 'center') return { ...centred(before, after), firstLine: 0, align };
  if (align === 'right')
    return { left: 0, right: direction === 'rtl' ? 0 : within(after, width), firstLine: 0, align };
  const right = narrow ? Math.min(setFromRight(block, column, letters) ?? 0, width * 0.6) : 0;
  const left = within(before, width);
  if (lines.length === 1 && direction === 'ltr')
    return { ...fitting(block, left, width, letters), right: 0, firstLine: 0, align };
  const firstLine = block.kind === 'paragraph' ? firstLineOf(block, left) : 0;
  // Where the first line stands in, the box begins at the others; where it hangs out, at itself.
  return { left: firstLine < 0 ? left - firstLine : left, right, firstLine, align };
}

const within = (indent: number, width: number): number => Math.min(indent, width * 0.7);

/** A short line in the middle is meant to be there. */
function alignOf(
  { align, direction, lines }: Flow,
  before: number,
  after: number,
  width: number,
): Flow['align'] {
  if (align !== 'left' || direction === 'rtl' || lines.length !== 1) return align;
  return before > width * 0.08 && Math.abs(before - after) < width * CENTRED ? 'center' : 'left';
}

/** The middle stays where it is; a little more width does no harm. */
function centred(before: number, after: number): { left: number; right: number } {
  const shared = Math.min(before, after);
  return { left: before - shared, right: after - shared };
}

/** Letters are narrowed by no more. */
const NARROWEST = 0.8;

/** A single line must not be broken because its letters are a little wider. */
export function fitting(
  flow: Flow,
  wanted: number,
  width: number,
  letters: Letters,
  least = 0,
): { left: number; narrowed?: number } {
  const { runs, length = letters.lengthOf(runs), fixed = 0 } = setFlow(flow, width, letters);
  // Gaps lead to places on the page: what stands before them may not move.
  const left = fixed > 0 ? wanted : Math.max(least, Math.min(wanted, width - length - 1));
  const narrowed = (width - left - fixed - 1) / Math.max(1, length - fixed);
  return narrowed >= 1 || narrowed < NARROWEST ? { left } : { left, narrowed };
}

const firstLineOf = ({ firstLineIndent }: Paragraph, left: number): number =>
  Math.abs(firstLineIndent) < 2 ? 0 : Math.max(-MOST_FIRST - left, Math.min(firstLineIndent, MOST_FIRST));

const USUAL_HANGING = 18;
const [LEAST_HANGING, MOST_HANGING] = [8, 72];

/** Text of an item stands where it stood, its marker before it. */
export function itemIndents(
  block: Paragraph,
  { markerLeft }: ListItem,
  column: Column,
  narrow: boolean,
  letters: Letters,
): Indents {
  const { box, lines } = block;
  const width = column.right - column.left;
  const textLeft = lines[0]?.box.x ?? box.x;
  const hanging =
    markerLeft === undefined
      ? USUAL_HANGING
      : Math.min(MOST_HANGING, Math.max(LEAST_HANGING, textLeft - markerLeft));
  const left = Math.max(hanging, within(textLeft - column.left, width));
  const placed = lines.length === 1 ? fitting(block, left, width, letters, hanging) : { left };
  const right = narrow ? (setFromRight(block, column, letters) ?? 0) : 0;
  return { ...placed, right: Math.min(right, width * 0.6), firstLine: -hanging, align: block.align };
}
