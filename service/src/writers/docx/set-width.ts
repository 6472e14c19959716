// How wide a column's text was set: as wide as its longest line, and so narrow that the word that begins each line did
// not fit on the one before. Set as wide again, lines break where they broke.

import { runsText } from '../../layout/lines/runs.ts';
import type { Block, Flow, Heading, Paragraph } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import type { Column, Item } from './column-bands.ts';
import { rightOf } from './heights.ts';

/** Where the right edge may have been, on the page. */
interface Reach {
  least: number;
  most: number;
}

/** Widths are known to about this part. */
const EXACT = 0.004;
/** Typesetters draw words nearer to each other to fill a line; office programs need a little more room for them. */
const CLOSER = 6;
const MAX_DEPTH = 8;

const known = new WeakMap<Column, number | undefined>();

/** How far from the right edge of its column a block was set; undefined where nothing tells. */
export function findRightIndent(
  block: Paragraph | Heading,
  column: Column,
  letters: Letters,
): number | undefined {
  const reach = reachOf(block, letters);
  if (!reach) return undefined;
  const common = edgeOf(column, letters);
  const edge =
    common !== undefined && common >= reach.least && common < reach.most
      ? common
      : Math.min(reach.least + MOST_ROOM, (reach.least + reach.most) / 2);
  return Math.max(0, column.right - edge);
}

/** What a single paragraph gets beyond its longest line, in points. */
const MOST_ROOM = 6;

/** The edge that most of a column's text may have been set to. */
function edgeOf(column: Column, letters: Letters): number | undefined {
  if (known.has(column)) return known.get(column);
  const reaches = flowsIn(column.items, 0).flatMap((flow) => reachOf(flow, letters) ?? []);
  let best: { edge: number; count: number } | undefined;
  for (const { least } of reaches.slice(0, MOST_TRIED)) {
    const fitting = reaches.filter((reach) => least >= reach.least && least < reach.most);
    // As far right as all of them allow: letters may come out a little wider.
    const most = Math.min(...fitting.map((reach) => reach.most));
    const edge = Math.min(least + MOST_ROOM, (least + most) / 2);
    if (!best || fitting.length > best.count) best = { edge, count: fitting.length };
  }
  const edge = best && best.count > 1 ? best.edge : undefined;
  known.set(column, edge);
  return edge;
}

const MOST_TRIED = 200;

function flowsIn(items: readonly Item[], depth: number): (Paragraph | Heading)[] {
  return items.flatMap((item): (Paragraph | Heading)[] => {
    if (item.kind === 'paragraph' || item.kind === 'heading') return [item];
    if (item.kind !== 'list' || depth > MAX_DEPTH) return [];
    return flowsIn(
      item.items.flatMap(({ blocks }): Block[] => blocks),
      depth + 1,
    );
  });
}

function reachOf({ lines, align, direction }: Flow, letters: Letters): Reach | undefined {
  if (lines.length < 2 || direction === 'rtl' || (align !== 'left' && align !== 'justify')) return undefined;
  if (lines.some(({ turn }) => turn !== 0)) return undefined;
  const least = Math.max(...lines.map(({ box }) => rightOf(box)));
  // Lines that fill their width tell it.
  if (align === 'justify') return { least, most: least + CLOSER };
  let most = Infinity;
  for (const [i, { box }] of lines.slice(0, -1).entries()) {
    const next = lines[i + 1]?.runs ?? [];
    const [first] = next;
    const word = /^\s*(\S+)/.exec(runsText(next))?.[1];
    if (!first || word === undefined) continue;
    const reach = rightOf(box) + letters.widthOf(` ${word}`, first.style);
    // Where the word would have fitted, the line was ended on purpose.
    if (reach > least + 1) most = Math.min(most, reach);
  }
  const slack = EXACT * (least - (lines[0]?.box.x ?? least));
  return { least: least + slack, most: Math.max(most - slack, least + slack + 1) };
}
