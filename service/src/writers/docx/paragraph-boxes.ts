// Boxes that are drawn around paragraphs become their borders: they grow and move with the text.
import type { Box, Page } from '../../layout/model.ts';
import type { Border, Flowing } from './borders.ts';
import type { Column, Item } from './column-bands.ts';
import type { PagePlan } from './fit-pages.ts';
import { bottomOf, rightOf } from './heights.ts';
import type { Place } from './indents.ts';
import { flattenItem } from './lay-out.ts';

type Rule = NonNullable<Page['background']>['lines'][number];

/** Lines that meet within this are the corners of a box, in points. */
const CORNER = 2;
/** Word keeps no more between a text and its border. */
const MOST_SPACE = 31;
/** Paragraphs that begin within this of each other may share a border. */
const SAME_EDGE = 3;
/** More lines than this are a grid. */
const MOST_LINES = 200;
/** A border thicker than this is an area. */
const THICKEST = 6;

/** The plan with borders, and without the lines that they are now. */
export function withParagraphBoxes(plan: PagePlan): PagePlan {
  const { page, places } = plan;
  const lines = page.background?.lines ?? [];
  if (!page.background || lines.length < 4 || lines.length > MOST_LINES) return plan;
  const borders = new Map<Item, Border>();
  const used = new Set<Rule>();
  for (const { sides, box } of boxesOf(lines)) {
    if (sides.some((side) => used.has(side))) continue;
    const inside = blocksIn(page, box, lines, sides);
    const border = inside && borderOf(inside, box, sides[0] as Rule, places);
    if (!border) continue;
    for (const block of inside) borders.set(block, border);
    for (const side of sides) used.add(side);
  }
  if (used.size === 0) return plan;
  const background = { ...page.background, lines: lines.filter((line) => !used.has(line)) };
  const set = new Map(places);
  for (const { columns } of plan.bands) for (const column of columns) makeRoom(column, borders, set);
  return { ...plan, page: { ...page, background }, places: set, borders };
}

/** What a border takes above and below its text, it takes of the space there. */
function makeRoom({ items }: Column, borders: ReadonlyMap<Item, Border>, places: Map<Item, Place>): void {
  let taken = 0;
  for (const item of items) {
    if (item.kind === 'beside') for (const column of item.columns) makeRoom(column, borders, places);
    const first = flattenItem(item)[0]?.block;
    const place = first && places.get(first);
    const border = borders.get(item);
    if (first && place) {
      const above = border?.first === item ? border.space.top + border.thickness : 0;
      const spaced = { ...place, before: Math.max(0, place.before - above - taken) };
      places.set(first, border ? within(spaced, border) : spaced);
    }
    taken = border?.last === item ? border.space.bottom + border.thickness : 0;
  }
}

const within = (place: Place, { left, right, space }: Border): Place => ({
  ...place,
  left,
  right: place.columnLeft + place.columnWidth - right + space.right,
});

interface DrawnBox {
  sides: Rule[];
  box: Box;
}

/** Two level lines and two upright ones whose ends meet. */
function boxesOf(lines: readonly Rule[]): DrawnBox[] {
  const level = lines.filter(({ axis, thickness }) => axis === 'horizontal' && thickness < THICKEST);
  const upright = lines.filter(({ axis, thickness }) => axis === 'vertical' && thickness < THICKEST);
  const meets = (a: number, b: number): boolean => Math.abs(a - b) <= CORNER;
  return level.flatMap((top) => {
    const bottom = level.find(
      (rule) => rule.at > top.at + CORNER * 2 && meets(rule.from, top.from) && meets(rule.to, top.to),
    );
    if (!bottom) return [];
    const sides = [top.from, top.to].map((x) =>
      upright.find((rule) => meets(rule.at, x) && meets(rule.from, top.at) && meets(rule.to, bottom.at)),
    );
    const [left, right] = sides;
    if (!left || !right || left === right) return [];
    const box = { x: left.at, y: top.at, width: right.at - left.at, height: bottom.at - top.at };
    return [{ sides: [top, bottom, left, right], box }];
  });
}

/** The paragraphs that it holds, one after another, and nothing else; undefined where it is no border of theirs. */
function blocksIn(
  { blocks }: Page,
  box: Box,
  lines: readonly Rule[],
  sides: readonly Rule[],
): Flowing[] | undefined {
  if (lines.some((line) => !sides.includes(line) && isInside(line, box))) return undefined;
  const within = blocks.filter((block) => touches(block.box, box));
  const inside = within.flatMap((block): Flowing[] =>
    block.kind === 'paragraph' || block.kind === 'heading' || block.kind === 'code' ? [block] : [],
  );
  const [first] = inside;
  if (!first || inside.length !== within.length) return undefined;
  const from = blocks.indexOf(first);
  const isRow = inside.every((block, i) => blocks[from + i] === block);
  const isHeld = inside.every(
    (block) =>
      block.lines.every(({ turn }) => turn === 0) &&
      block.box.x >= box.x - 1 &&
      rightOf(block.box) <= rightOf(box) + 1 &&
      block.box.y >= box.y - CORNER &&
      bottomOf(block.box) <= bottomOf(box) + CORNER &&
      !('dropCap' in block),
  );
  return isRow && isHeld ? inside : undefined;
}

const touches = (a: Box, b: Box): boolean =>
  a.x < rightOf(b) && b.x < rightOf(a) && a.y < bottomOf(b) && b.y < bottomOf(a);

function isInside({ axis, at, from, to }: Rule, box: Box): boolean {
  const [across, along] = axis === 'horizontal' ? [box.y, box.x] : [box.x, box.y];
  const [wide, long] = axis === 'horizontal' ? [box.height, box.width] : [box.width, box.height];
  return (
    at > across + CORNER && at < across + wide - CORNER && from < along + long - CORNER && to > along + CORNER
  );
}

/** Word draws one border around paragraphs only where all of them begin at one edge. */
function borderOf(
  inside: readonly Flowing[],
  box: Box,
  { thickness, color }: Rule,
  places: PagePlan['places'],
): Border | undefined {
  const [first, last] = [inside[0] as Flowing, inside.at(-1) as Flowing];
  const set = inside.map((block) => places.get(block));
  const left = set[0]?.left ?? 0;
  const isOne = set.every((place) => place && Math.abs(place.left - left) < SAME_EDGE && !place.narrowed);
  if (!isOne || (inside.length > 1 && inside.some(hangs))) return undefined;
  const between = (space: number): number => Math.round(Math.max(0, Math.min(space, MOST_SPACE)));
  const space = {
    top: between(first.box.y - box.y - thickness),
    left: between((set[0]?.columnLeft ?? 0) + left - box.x),
    bottom: between(bottomOf(box) - bottomOf(last.box) - thickness),
    right: RIGHT_SPACE,
  };
  return { thickness, color, space, right: rightOf(box), left, first, last };
}

/** Word counts what hangs out as the edge of its paragraph. */
const hangs = (block: Flowing): boolean => block.kind === 'paragraph' && block.firstLineIndent < -SAME_EDGE;

const RIGHT_SPACE = 4;
