// Lists in text boxes: items that stand under each other are one box, each with its marker where it stood.
import type { Box, Flow, Line, List } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { boxAround, gapBetween, type SetParagraph, type TypesetText, typesetText } from './set-text.ts';

export interface Item {
  flow: Flow;
  marker?: string;
  markerLeft?: number;
}

/** How far before its text a marker stands whose place is not known, in points. */
const HANG = 14;
/** A marker that its text hangs behind is so far before it. */
const LEAST_HANG = 3;
/** Items of one box are no further apart, in heights of a line. */
const FAR = 4;

export function groupItems(list: List): Item[][] {
  const groups: { items: Item[]; box: Box }[] = [];
  for (const item of itemsOf(list)) {
    const box = boxAround(item.flow.lines);
    const group = groups.at(-1);
    const last = group?.items.at(-1)?.flow.lines.at(-1);
    if (group && last && isBelow(group.box, last, item.flow.lines[0])) {
      group.items.push(item);
      group.box = boxAround([group, { box }]);
    } else groups.push({ items: [item], box });
  }
  return groups.map(({ items }) => items);
}

function itemsOf({ items }: List): Item[] {
  return items.flatMap(({ marker, markerLeft, blocks }) =>
    blocks.flatMap((block, index): Item[] => {
      if (block.kind === 'list') return itemsOf(block);
      if ((block.kind !== 'paragraph' && block.kind !== 'heading') || block.lines.length === 0) return [];
      if (index > 0 || marker === '') return [{ flow: block }];
      return [{ flow: block, marker, ...(markerLeft === undefined ? {} : { markerLeft }) }];
    }),
  );
}

/** In the same column, not far below. */
function isBelow(box: Box, last: Line, next: Line | undefined): boolean {
  if (next?.turn !== 0 || last.turn !== 0) return false;
  const shared = Math.min(box.x + box.width, next.box.x + next.box.width) - Math.max(box.x, next.box.x);
  const step = next.box.y - last.box.y;
  return shared > 0 && step > 0 && step < last.box.height * FAR;
}

export function typesetItems(items: readonly Item[], letters: Letters): TypesetText | undefined {
  const sets = items.flatMap((item) => {
    const set = typesetText(item.flow, letters);
    return set ? [{ item, set }] : [];
  });
  if (sets.length === 0) return undefined;
  const inner = boxAround(sets.map(({ set }) => set));
  const left = Math.min(inner.x, ...sets.map(({ item, set }) => markerLeftOf(item, set)));
  const paragraphs = sets.flatMap(({ item, set }, i) => {
    const above = sets[i - 1]?.item.flow.lines.at(-1);
    const below = item.flow.lines[0];
    return set.paragraphs.map((paragraph, k): SetParagraph => {
      const shifted = { ...paragraph, left: set.box.x - left + paragraph.left };
      if (k > 0) return shifted;
      const before = above && below ? gapBetween(above, below, paragraph.pitch) : 0;
      if (item.marker === undefined) return { ...shifted, before };
      return { ...marked(shifted, item.marker, markerLeftOf(item, set) - left), before };
    });
  });
  return { paragraphs, box: { ...inner, x: left, width: inner.x + inner.width - left }, wraps: true };
}

const markerLeftOf = ({ marker, markerLeft }: Item, { box }: TypesetText): number =>
  marker === undefined ? box.x : (markerLeft ?? box.x - HANG);

function marked(paragraph: SetParagraph, text: string, markerLeft: number): SetParagraph {
  const { left, first } = paragraph;
  const hangs = markerLeft < left - LEAST_HANG && Math.abs(first) < LEAST_HANG;
  return {
    ...paragraph,
    marker: { text, hangs },
    first: Math.min(markerLeft, left + first) - left,
    tabs: hangs ? [{ x: left, align: 'left' }] : [],
  };
}
