// Paragraphs that begin like items become lists, nested by how far they stand in.

import type { Block, Box, Heading, Line, List, Paragraph, Run } from '../model.ts';
import { beginOf, type Marker } from './list-markers.ts';

/** A block of the page, with what it began with. */
export interface BlockWithMarker {
  block: Block;
  marker: Marker | undefined;
}

const SAME_INDENT = 4;

export function foldLists(blocks: readonly BlockWithMarker[]): Block[] {
  const folded: Block[] = [];
  for (let i = 0; i < blocks.length; ) {
    const { block, marker } = blocks[i] as BlockWithMarker;
    if (!marker || !isListStart(blocks, i)) {
      folded.push(marker ? withMarker(block, marker) : block);
      i += 1;
      continue;
    }
    const { list, next } = takeList(blocks, i);
    folded.push(list);
    i = next;
  }
  return folded;
}

/** A number alone may be anything: it needs a next one, or to be the first of a list that another opened. */
function isListStart(blocks: readonly BlockWithMarker[], i: number): boolean {
  const { marker } = blocks[i] as BlockWithMarker;
  if (!marker) return false;
  if (!marker.ordered) return !isDash(marker) || Boolean(nextOf(blocks, i, marker));
  return Boolean(nextOf(blocks, i, marker));
}

const isDash = ({ text }: Marker): boolean => /^[-–—*+]$/.test(text);

/** The item that goes on from this one: the same kind, as far in, and the next number. */
function nextOf(blocks: readonly BlockWithMarker[], i: number, marker: Marker): Marker | undefined {
  for (let k = i + 1; k < Math.min(blocks.length, i + 12); k += 1) {
    const { marker: other, block } = blocks[k] as BlockWithMarker;
    if (block.kind === 'heading') return undefined;
    if (!other) {
      if (!isInside(block, marker)) return undefined;
      continue;
    }
    if (other.kind === marker.kind && Math.abs(other.left - marker.left) < SAME_INDENT * 2)
      return !marker.ordered || other.number === marker.number + 1 ? other : undefined;
  }
  return undefined;
}

/** Whether a block without a marker stands under the text of an item. */
const isInside = (block: Block, marker: Marker): boolean =>
  (block.kind === 'paragraph' || block.kind === 'code') &&
  beginOf(block.box, marker.direction) >= marker.textLeft - SAME_INDENT;

function takeList(blocks: readonly BlockWithMarker[], from: number): { list: List; next: number } {
  const first = blocks[from] as BlockWithMarker & { marker: Marker };
  const { marker } = first;
  const list: List = {
    kind: 'list',
    page: first.block.page,
    box: { ...first.block.box },
    ordered: marker.ordered,
    start: marker.ordered ? marker.number : 1,
    items: [],
  };
  let number = marker.number - 1;
  let i = from;
  while (i < blocks.length) {
    const { block, marker: found } = blocks[i] as BlockWithMarker;
    const item = list.items.at(-1);
    if (found && found.kind === marker.kind && Math.abs(found.left - marker.left) < SAME_INDENT * 2) {
      if (marker.ordered && found.number !== number + 1) break;
      number += 1;
      const place = found.direction === 'ltr' ? { markerLeft: found.left } : {};
      list.items.push({ marker: found.text, ...place, blocks: [block] });
      i += 1;
    } else if (
      item &&
      found &&
      found.left > marker.left + SAME_INDENT &&
      isBelow(block, item.blocks) &&
      // A single dash below an item is one of its own.
      (!found.ordered || isListStart(blocks, i))
    ) {
      const { list: inner, next } = takeList(blocks, i);
      item.blocks.push(inner);
      i = next;
    } else if (
      item &&
      !found &&
      isInside(block, marker) &&
      isBelow(block, item.blocks) &&
      isNear(block, list) &&
      !isBehind(blocks, i, list, marker)
    ) {
      item.blocks.push(block);
      i += 1;
    } else break;
    stretch(list, block);
  }
  return { list, next: i };
}

/** What stands higher is in another column. */
const isBelow = ({ box }: Block, before: readonly Block[]): boolean =>
  box.y > (before.at(-1)?.box.y ?? -Infinity);

/** What follows far below is no part of the last item. */
const isNear = (block: Block, list: List): boolean =>
  block.box.y - list.box.y - list.box.height < 14 && block.box.y > list.box.y;

/** Behind the last item, what keeps more distance than the items do from each other is no part of it. */
function isBehind(
  blocks: readonly BlockWithMarker[],
  i: number,
  { items, box }: List,
  marker: Marker,
): boolean {
  const [before, last] = [items.at(-2)?.blocks.at(-1), items.at(-1)?.blocks[0]];
  const { block } = blocks[i] as BlockWithMarker;
  if (!before || !last || before.page !== last.page || block.page !== last.page) return false;
  if (beginOf(block.box, marker.direction) > marker.textLeft + SAME_INDENT) return false;
  const between = last.box.y - before.box.y - before.box.height;
  const above = block.box.y - box.y - box.height;
  return above > between + APART && !nextOf(blocks, i - 1, marker);
}

/** In points. */
const APART = 4;

function stretch(list: List, { box }: Block): void {
  const right = Math.max(list.box.x + list.box.width, box.x + box.width);
  const bottom = Math.max(list.box.y + list.box.height, box.y + box.height);
  list.box.x = Math.min(list.box.x, box.x);
  list.box.y = Math.min(list.box.y, box.y);
  list.box.width = right - list.box.x;
  list.box.height = bottom - list.box.y;
}

/** Not an item after all: its marker is text again. */
function withMarker(block: Block, marker: Marker): Block {
  return block.kind === 'paragraph' || block.kind === 'heading' ? withMarkerText(block, marker) : block;
}

/** How wide a gap behind a marker must be to stay one, in parts of the size. */
const STOP = 1.8;

export function withMarkerText<Kind extends Paragraph | Heading>(block: Kind, marker: Marker): Kind {
  const put = (runs: readonly Run[]): Run[] => {
    const [first, ...rest] = runs;
    return first ? [{ ...first, text: `${marker.text} ${first.text}` }, ...rest] : [...runs];
  };
  const [line, ...lines] = block.lines;
  return {
    ...block,
    runs: put(block.runs),
    lines: line ? [{ ...from(line, marker), runs: put(line.runs) }, ...lines] : [],
    box: reaching(block.box, marker),
  };
}

function reaching(box: Box, { left, direction }: Marker): Box {
  if (direction === 'rtl') return { ...box, width: Math.max(box.width, -left - box.x) };
  const x = Math.min(box.x, left);
  return { ...box, x, width: box.x + box.width - x };
}

function from(line: Line, marker: Marker): Line {
  const { text, left, direction } = marker;
  if (direction === 'rtl') return { ...line, box: reaching(line.box, marker) };
  const size = line.runs[0]?.style.size ?? 10;
  const shift = text.length + 1;
  const own = line.stops?.map((stop) => ({ ...stop, at: stop.at + shift })) ?? [];
  // How wide the marker is is not known: half its size a letter.
  const gap = line.box.x - left - text.length * size * 0.5;
  const stops = line.turn === 0 && gap > size * STOP ? [{ at: shift, x: line.box.x }, ...own] : own;
  return { ...line, box: reaching(line.box, marker), ...(stops.length > 0 ? { stops } : {}) };
}
