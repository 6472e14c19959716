// How far a block stands in from the edges of its column.
import type { Flow, Heading, ListItem, Paragraph } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import type { Column } from './column-bands.ts';
import { rightOf } from './heights.ts';
import { hasGaps, typesetFlow } from './set-lines.ts';
import { findRightIndent } from './set-width.ts';

export interface Indents {
  left: number;
  right: number;
  /** Negative where the first line hangs out. */
  firstLine: number;
  align: Flow['align'];
  /** What letters are narrowed by, for a line to stay one. */
  narrowed?: number;
  /** Where text begins behind the marker of an item, from the edge of the column, unless all its lines begin there. */
  markerTab?: number;
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
  if (direction === 'rtl') return fromRight(block, column);
  const width = column.right - column.left;
  const before = Math.max(0, box.x - column.left);
  const after = Math.max(0, column.right - rightOf(box));
  const align = alignOf(block, before, after, width);
  if (align === 'center') return { ...centred(before, after), firstLine: 0, align };
  if (align === 'right') return { left: 0, right: within(after, width), firstLine: 0, align };
  const right = narrow ? Math.min(findRightIndent(block, column, letters) ?? 0, width * 0.6) : 0;
  const left = within(before, width);
  if (lines.length === 1)
    return { ...fitIndents(block, left, width, letters), right: 0, firstLine: 0, align };
  const firstLine = block.kind === 'paragraph' ? firstLineOf(block, left) : 0;
  // Where the first line stands in, the box begins at the others; where it hangs out, at itself.
  return { left: firstLine < 0 ? left - firstLine : left, right, firstLine, align };
}

/** Writing from right to left begins at the right, and so do its first lines and indents. */
function fromRight({ box, lines, align }: Paragraph | Heading, column: Column): Indents {
  const width = column.right - column.left;
  const [before, after] = [box.x - column.left, column.right - rightOf(box)].map((space) =>
    Math.max(0, space),
  ) as [number, number];
  if (align === 'center') return { ...centred(before, after), firstLine: 0, align };
  const [first = 0, ...rest] = lines.map((line) => rightOf(line.box));
  const ends = spread(rest);
  const isLeft = align === 'left' && lines.length > 1 && ends > spread(lines.map((line) => line.box.x));
  if (isLeft) return { left: within(before, width), right: 0, firstLine: 0, align };
  const edge = rest.length > 0 ? Math.max(...rest) : first;
  const firstLine =
    Math.abs(edge - first) < 2 ? 0 : Math.max(-MOST_FIRST, Math.min(edge - first, MOST_FIRST));
  // A single line may come out longer than it was.
  const room = lines.length === 1 ? Math.max(0, width - box.width * LONGER) : width;
  const right = Math.min(within(Math.max(0, column.right - edge), width), room);
  return { left: 0, right, firstLine, align: align === 'justify' ? align : 'right' };
}

const LONGER = 1.1;

const spread = (edges: readonly number[]): number =>
  edges.length === 0 ? 0 : Math.max(...edges) - Math.min(...edges);

const within = (indent: number, width: number): number => Math.min(indent, width * 0.7);

/** A short line in the middle is meant to be there. */
function alignOf(flow: Flow, before: number, after: number, width: number): Flow['align'] {
  const { align, direction, lines } = flow;
  if (hasGaps(flow) && lines.length === 1) return 'left';
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
export function fitIndents(
  flow: Flow,
  wanted: number,
  width: number,
  letters: Letters,
  least = 0,
): { left: number; narrowed?: number } {
  const { runs, length = letters.lengthOf(runs), fixed = 0 } = typesetFlow(flow, width, letters);
  // Gaps lead to places on the page: what stands before them may not move.
  const left = fixed > 0 ? wanted : Math.max(least, Math.min(wanted, width - length - 1));
  const narrowed = (width - left - fixed - 1) / Math.max(1, length - fixed);
  return narrowed >= 1 || narrowed < NARROWEST ? { left } : { left, narrowed };
}

const firstLineOf = ({ firstLineIndent }: Paragraph, left: number): number =>
  Math.abs(firstLineIndent) < 2 ? 0 : Math.max(-MOST_FIRST - left, Math.min(firstLineIndent, MOST_FIRST));

const USUAL_HANGING = 18;
const [LEAST_HANGING, MOST_HANGING] = [8, 72];

/** Text of an item stands where it stood, its marker before it; its further lines may begin anywhere. */
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
  const first = Math.max(hanging, within(textLeft - column.left, width));
  if (lines.length === 1)
    return {
      ...fitIndents(block, first, width, letters, hanging),
      right: 0,
      firstLine: -hanging,
      align: 'left',
    };
  const rest = Math.min(...lines.slice(1).map(({ box: line }) => line.x));
  const left = Math.abs(rest - textLeft) < SAME_EDGE ? first : within(Math.max(0, rest - column.left), width);
  const right = narrow ? Math.min(findRightIndent(block, column, letters) ?? 0, width * 0.6) : 0;
  const indents = { left, right, firstLine: first - hanging - left, align: block.align };
  return left === first ? indents : { ...indents, markerTab: first };
}

/** Edges so near, in points, are one. */
const SAME_EDGE = 3;
