// Bars: of fractions, of roots, over and under letters. The shortest first, for what stands on a longer one holds it.
import { type MathNode, Unclear } from './formula.ts';
import { AXIS, around, type Bar, built, centreOf, type Element, middleOf, widthOf } from './signs.ts';

export type Parse = (elements: readonly Element[]) => MathNode;

/** How far from its bar a part may stand, and how far its own parts from each other, in parts of the size. */
const NEAR_BAR = 0.62;
const WITHIN = 0.32;
const ASIDE = 0.2;
/** A line over letters is nearer to them than this. */
const HUGGING = 0.4;

export function composeBars(elements: readonly Element[], bars: readonly Bar[], parse: Parse): Element[] {
  let parts = [...elements];
  const open = bars.toSorted((a, b) => widthOf2(a) - widthOf2(b));
  while (open.length > 0) {
    const bar = open.shift() as Bar;
    const radical = parts.find((part) => part.text === '√' && beginsAt(bar, part));
    const { element, used } = radical
      ? root(bar, radical, parts, parse)
      : overAndUnder(bar, parts, open, parse);
    parts = [...parts.filter((part) => !used.has(part)), element];
  }
  return parts;
}

const widthOf2 = ({ left, right }: Bar): number => right - left;

const beginsAt = (bar: Bar, { right, top, size }: Element): boolean =>
  Math.abs(bar.left - right) < size * 0.2 && Math.abs(bar.y - top) < size * 0.2;

interface Composed {
  element: Element;
  used: Set<Element>;
}

function root(bar: Bar, radical: Element, parts: readonly Element[], parse: Parse): Composed {
  const inside = parts.filter(
    (part) =>
      part !== radical &&
      middleOf(part) > bar.left - 0.5 &&
      middleOf(part) < bar.right + 0.5 &&
      centreOf(part) > bar.y &&
      centreOf(part) < radical.bottom + radical.size * 0.3,
  );
  if (inside.length === 0) throw new Unclear('a root of nothing');
  const index = parts.filter((part) => isIndex(part, radical));
  const extent = around([radical, ...inside, ...index]);
  const content = parse(inside);
  const { size, level } = mainLine(inside);
  const node: MathNode =
    index.length > 0 ? { kind: 'root', of: content, index: parse(index) } : { kind: 'root', of: content };
  return {
    element: built(
      node,
      { ...extent, right: Math.max(extent.right, bar.right) },
      { size, level, centred: false },
    ),
    used: new Set([radical, ...inside, ...index]),
  };
}

/** The degree of a root stands in its hook. */
const isIndex = (part: Element, radical: Element): boolean =>
  part !== radical &&
  part.size < radical.size * 0.8 &&
  part.right > radical.left + widthOf(radical) * 0.1 &&
  middleOf(part) < middleOf(radical) &&
  part.bottom < radical.bottom - (radical.bottom - radical.top) * 0.25 &&
  part.bottom > radical.top;

/** The line that the largest letters stand on, or that is told by what stands around its axis. */
export function mainLine(elements: readonly Element[]): { size: number; level: number } {
  const size = elements.reduce((most, part) => Math.max(most, part.size), 0);
  const full = elements.filter((part) => part.size > size * 0.9);
  const plain = full.filter(({ centred }) => !centred).map(({ level }) => level);
  const levels = plain.length > 0 ? plain : full.map(({ level }) => level + AXIS * size);
  return { size, level: usual(levels, size * 0.1) };
}

/** The value that most are near to; the first of those that are equally so. */
function usual(values: readonly number[], near: number): number {
  let [best, most] = [values[0] as number, 0];
  for (const value of values) {
    const count = values.filter((other) => Math.abs(other - value) < near).length;
    if (count > most) [best, most] = [value, count];
  }
  return best;
}

function overAndUnder(bar: Bar, parts: readonly Element[], open: readonly Bar[], parse: Parse): Composed {
  const within = parts.filter((part) => {
    const aside = part.size * ASIDE;
    const middle = middleOf(part);
    return (
      part.left > bar.left - aside &&
      part.right < bar.right + aside &&
      middle > bar.left &&
      middle < bar.right
    );
  });
  const over = stack(within, bar, open, -1);
  const under = stack(within, bar, open, 1);
  if (over.length > 0 && under.length > 0) {
    const extent = around([...over, ...under]);
    const size = Math.max(...[...over, ...under].map((part) => part.size));
    return {
      element: built(
        { kind: 'fraction', over: parse(over), under: parse(under), bar: true },
        { ...extent, left: Math.min(extent.left, bar.left), right: Math.max(extent.right, bar.right) },
        { size, level: bar.y, centred: true },
      ),
      used: new Set([...over, ...under]),
    };
  }
  const lined = over.length > 0 ? over : under;
  if (lined.length === 0) return underscore(bar, parts);
  const extent = around(lined);
  const gap = over.length > 0 ? bar.y - extent.bottom : extent.top - bar.y;
  const { size, level } = mainLine(lined);
  if (gap > size * HUGGING) throw new Unclear('a bar far from everything');
  const where = over.length > 0 ? 'under' : 'over';
  return {
    element: built(
      { kind: 'line', base: parse(lined), where },
      { ...extent, top: Math.min(extent.top, bar.y), bottom: Math.max(extent.bottom, bar.y) },
      { size, level, centred: false },
    ),
    used: new Set(lined),
  };
}

/** A short bar between letters, at their feet. */
function underscore(bar: Bar, parts: readonly Element[]): Composed {
  const beside = parts.find(
    (part) =>
      Math.abs(part.right - bar.left) < part.size * 0.2 &&
      bar.y > part.level - part.size * 0.1 &&
      bar.y < part.level + part.size * 0.3,
  );
  if (!beside || bar.right - bar.left > beside.size * 0.7) throw new Unclear('a bar with nothing on it');
  const extent = { left: bar.left, right: bar.right, top: bar.y - 0.5, bottom: bar.y + 0.5 };
  const element = built({ kind: 'sign', text: '_', face: 'upright' }, extent, beside);
  return {
    element: { ...element, begin: bar.left, end: bar.right, text: '_', centred: false },
    used: new Set(),
  };
}

/** What stands on a bar, or hangs below it, one near the other, up to where another bar parts it. */
function stack(parts: readonly Element[], bar: Bar, open: readonly Bar[], side: 1 | -1): Element[] {
  const nearEdge = (part: Element): number => (side < 0 ? bar.y - part.bottom : part.top - bar.y);
  const farEdge = (part: Element): number => (side < 0 ? bar.y - part.top : part.bottom - bar.y);
  const stops = open
    .filter((other) => other.left < bar.right && bar.left < other.right)
    .map((other) => (other.y - bar.y) * side)
    .filter((distance) => distance > 0.5);
  const stop = Math.min(Infinity, ...stops);
  const candidates = parts
    .filter((part) => nearEdge(part) > -part.size * 0.12 && farEdge(part) < stop + 0.5)
    .sort((a, b) => nearEdge(a) - nearEdge(b));
  const taken: Element[] = [];
  let reach = 0;
  for (const part of candidates) {
    const gap = nearEdge(part) - reach;
    if (gap > part.size * (taken.length === 0 ? NEAR_BAR : WITHIN)) break;
    taken.push(part);
    reach = Math.max(reach, farEdge(part));
  }
  return taken;
}
