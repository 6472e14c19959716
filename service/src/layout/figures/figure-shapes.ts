// What is drawn on a page apart from its text, and how much each piece speaks for a figure: a curve does, a box
// behind a word does not.
import { areaOf, boxAround, holdsMiddle, isNear, sharedArea } from '../box-geometry.ts';
import type { Box } from '../model.ts';
import type { PageItems, Rule } from '../page-items.ts';
import type { PageText } from './figure-labels.ts';

export interface Shape {
  box: Box;
  kind: 'curve' | 'area' | 'rule';
  /** How much it speaks for a figure. */
  worth: number;
  /** There is text in it, which may be what it is for. */
  holdsText?: boolean;
}

/** What covers more of the page lies behind it. */
const BACKGROUND = 0.7;
/** Where more of the text in a box is running text, the box belongs to the text. */
const MOSTLY = 0.5;
/** Text that fills this part of a box, or is this part as wide as it, is what the box is for. */
const FILLED = 0.15;
const WIDE = 0.45;
/** A box around one line is no higher, in parts of the size. */
const ONE_LINE = 2.4;
/** Marks of forms and lists are no larger, in points. */
const SMALL = 16;
const LARGE = 40;
/** What is thinner is a line. */
const THIN = 2.5;
const HAIR = 1.6;
const FRAME = 4;
const SAME_CORNER = 2;
/** So many alike in a row are a line of dots. */
const DOTS = 8;
const MAX_PAIRS = 2_000_000;
const WORTH = { curve: 1, large: 1.5, small: 0.1, arrow: 0.3, area: 0.7, rule: 0.15 } as const;
/** Pale areas are fields and shaded rows more often than bars. */
const PALE = 225;
/** Underlines are so near to the text they belong to, in parts of its size. */
const UNDER_TEXT = 0.35;

export function findShapes(items: PageItems, texts: readonly PageText[], tables: readonly Box[]): Shape[] {
  const { width, height } = items;
  const largest = width * height * BACKGROUND;
  const isOwn = ({ box }: Shape): boolean =>
    areaOf(box) <= largest && !tables.some((table) => holdsMiddle(table, box));
  const rules = items.rules
    .filter(({ color }) => color !== WHITE)
    .map((rule): Shape => ({ box: ruleBox(rule), kind: 'rule', worth: WORTH.rule }));
  const areas = items.fills
    .filter(({ color }) => color !== WHITE)
    .map(({ box, color }) => areaShape(box, color));
  const sides = items.curves.filter(isThin);
  const curves = items.curves.map((box) => curveShape(box, sides.length >= FRAME));
  const lines = [...rules, ...[...areas, ...curves].filter(({ kind }) => kind === 'rule')].filter(
    (rule) => isOwn(rule) && !isUnderText(rule.box, texts),
  );
  const filled = areas.filter(({ kind }) => kind === 'area');
  const rounded = curves.filter(({ kind }) => kind === 'curve');
  const drawn = countedOnce([...rounded, ...filled].filter(isOwn)).flatMap((shape) => {
    const use = useFor(shape, texts);
    return use === 'text'
      ? []
      : [{ ...shape, holdsText: use !== 'itself', worth: use === 'label' ? 0 : shape.worth }];
  });
  const apart = withoutBoxes(withoutDots(drawn), lines);
  return [...withArrows(apart, lines), ...lines];
}

const WHITE = '#ffffff';

/** Sides of frames that look raised or sunk have slanted ends: there are several. */
const isThin = ({ width, height }: Box): boolean =>
  Math.min(width, height) < HAIR && Math.max(width, height) > SMALL / 2;

function curveShape(box: Box, isFramed: boolean): Shape {
  if (isFramed && isThin(box)) return { box, kind: 'rule', worth: WORTH.rule };
  const side = Math.max(box.width, box.height);
  return { box, kind: 'curve', worth: side < SMALL ? WORTH.small : side < LARGE ? WORTH.curve : WORTH.large };
}

function areaShape(box: Box, color: string): Shape {
  if (Math.min(box.width, box.height) < THIN) return { box, kind: 'rule', worth: WORTH.rule };
  if (Math.max(box.width, box.height) < SMALL) return { box, kind: 'area', worth: WORTH.small };
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return { box, kind: 'area', worth: Math.min(red, green, blue) >= PALE ? 0 : WORTH.area };
}

/** Shadows, bevels and the steps of a gradient lie on each other: those that begin, or end, near one corner count once. */
function countedOnce(shapes: readonly Shape[]): Shape[] {
  const seen = new Set<string>();
  return shapes.map((shape) => {
    if (shape.worth === WORTH.small) return shape;
    const { x, y, width, height } = shape.box;
    const corners = [corner(shape.kind, x, y), corner(`${shape.kind} to`, x + width, y + height)];
    const isKnown = corners.some(({ near }) => near.some((key) => seen.has(key)));
    for (const { key } of corners) seen.add(key);
    return isKnown ? { ...shape, worth: 0 } : shape;
  });
}

/** A place on a raster, and what is near it there. */
function corner(what: string, x: number, y: number): { key: string; near: string[] } {
  const [column, row] = [Math.round(x / SAME_CORNER), Math.round(y / SAME_CORNER)];
  const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${what} ${column + dx} ${row + dy}`));
  return { key: `${what} ${column} ${row}`, near };
}

/** Without dots and dashes that make up a line: many alike in a row, or one under the other. */
function withoutDots(shapes: readonly Shape[]): Shape[] {
  const rows = new Map<string, number>();
  const keysOf = ({ box: { x, y, width, height } }: Shape): string[] => {
    const size = `${Math.round(width * 2)} ${Math.round(height * 2)}`;
    return [`row ${Math.round(y * 2)} ${size}`, `column ${Math.round(x * 2)} ${size}`];
  };
  const isSmall = ({ worth }: Shape): boolean => worth === WORTH.small;
  for (const shape of shapes)
    if (isSmall(shape)) for (const key of keysOf(shape)) rows.set(key, (rows.get(key) ?? 0) + 1);
  return shapes.filter(
    (shape) => !isSmall(shape) || keysOf(shape).every((key) => (rows.get(key) ?? 0) < DOTS),
  );
}

/** A curve with text in it, and nothing else, is a box around that text. */
function withoutBoxes(shapes: readonly Shape[], lines: readonly Shape[]): Shape[] {
  const all = [...shapes, ...lines];
  const holding = shapes.filter(({ holdsText, worth }) => holdsText && worth > 0);
  if (holding.length * all.length > MAX_PAIRS) return [...shapes];
  const isAlike = (a: Box, b: Box): boolean => sharedArea(a, b) > 0.8 * Math.max(areaOf(a), areaOf(b));
  const boxes = new Set(
    holding.filter(({ box }) => !all.some((other) => isWithin(box, other) && !isAlike(box, other.box))),
  );
  return shapes.map((shape) => (boxes.has(shape) ? { ...shape, worth: 0 } : shape));
}

const isWithin = (box: Box, { box: other, kind }: Shape): boolean =>
  holdsMiddle(box, other) || (kind !== 'rule' && sharedArea(box, other) > areaOf(box) * 0.05);

/** Small curves at lines are the heads of arrows. */
function withArrows(shapes: readonly Shape[], lines: readonly Shape[]): Shape[] {
  const small = shapes.filter(({ kind, worth }) => kind === 'curve' && worth === WORTH.small);
  if (small.length === 0 || small.length * lines.length > MAX_PAIRS) return [...shapes];
  const long = lines.filter(({ box }) => Math.max(box.width, box.height) > SMALL);
  const arrows = new Set(small.filter(({ box }) => long.some((line) => isNear(box, line.box, 0.8))));
  return shapes.map((shape) => (arrows.has(shape) ? { ...shape, worth: WORTH.arrow } : shape));
}

export const ruleBox = ({ axis, at, from, to, thickness }: Rule): Box =>
  axis === 'horizontal'
    ? { x: from, y: at - thickness / 2, width: to - from, height: thickness }
    : { x: at - thickness / 2, y: from, width: thickness, height: to - from };

/** What a box is there for: running text or a caption, a label, itself, or perhaps a label too. */
function useFor({ box, kind }: Shape, texts: readonly PageText[]): 'text' | 'label' | 'both' | 'itself' {
  const inside = box.height < 5 || box.width < 5 ? [] : texts.filter((text) => holdsMiddle(box, text.box));
  if (inside.length === 0) return 'itself';
  const characters = inside.reduce((sum, text) => sum + text.characters, 0);
  const running = inside.reduce((sum, text) => sum + (text.kind === 'label' ? 0 : text.characters), 0);
  if (running > characters * MOSTLY) return 'text';
  // Cells and fields are areas with text; a sector of a pie has some too.
  if (kind === 'area' || inside.some(({ size }) => box.height < size * ONE_LINE)) return 'label';
  const filled = inside.reduce((sum, text) => sum + areaOf(text.box), 0);
  if (filled > areaOf(box) * FILLED) return 'label';
  return boxAround(inside.map((text) => text.box)).width > box.width * WIDE ? 'label' : 'both';
}

/** A line along the foot of a text underlines it, or is there to be written on. */
function isUnderText({ x, y, width, height }: Box, texts: readonly PageText[]): boolean {
  if (height > width) return false;
  return texts.some(({ box, size }) => {
    if (Math.abs(y + height / 2 - box.y - box.height) > size * UNDER_TEXT) return false;
    const shared = Math.min(x + width, box.x + box.width) - Math.max(x, box.x);
    return shared > width * 0.8;
  });
}
