// What stands beside each other on one line, with what is raised and lowered behind it.
import { mainLine } from './bars.ts';
import { type MathNode, Unclear } from './formula.ts';
import { AXIS, centreOf, type Element, widthOf } from './signs.ts';

export type Parse = (elements: readonly Element[]) => MathNode;

/** Nearer to the line than this part of the size, it stands on it. */
const ON_LINE = 0.16;
/** So it is for smaller letters. */
const SMALL_ON_LINE = 0.07;
const ON_AXIS = 0.3;
const BAR_ON_AXIS = 0.12;
/** Raised and lowered letters are smaller. */
const SMALL = 0.87;
/** In points. */
const SMALLEST = 6.5;
/** A gap wider than this part of the size is one that was meant. */
const WIDE = 0.75;
/** So is a space between words; signs have less around them. */
const WORD = 0.3;
/** Raised and lowered letters stand no further from their base. */
const ATTACHED = 0.6;

interface Based {
  base: Element | undefined;
  sub: Element[];
  sup: Element[];
}

export function parseRow(elements: readonly Element[], parse: Parse): MathNode {
  const sorted = elements.toSorted((a, b) => a.left - b.left);
  const line = mainLine(sorted);
  const groups: Based[] = [];
  for (const element of sorted) {
    const off = offLine(element, line);
    const group = groups.at(-1);
    if (off === 0) groups.push({ base: element, sub: [], sup: [] });
    else if (!group) groups.push({ base: undefined, sub: [], sup: [], [off > 0 ? 'sub' : 'sup']: [element] });
    else group[off > 0 ? 'sub' : 'sup'].push(element);
  }
  const items: MathNode[] = [];
  let right = -Infinity;
  let end = Infinity;
  let before: Element | undefined;
  for (const group of groups) {
    const { base } = group;
    const gap = base ? (base.begin - end) / line.size : 0;
    if (gap > WIDE) items.push({ kind: 'space', wide: true });
    else if (gap > WORD && isOrdinary(before) && isOrdinary(base)) items.push({ kind: 'space', wide: false });
    before = base;
    if (base) checkPlace(base, right, line.size);
    items.push(withScripts(group, line.size, parse));
    const all = [...(base ? [base] : []), ...group.sub, ...group.sup];
    end = Math.max(end === Infinity ? -Infinity : end, ...all.map((part) => part.end));
    right = Math.max(right, ...all.map((part) => part.right));
  }
  const [only] = items;
  return only && items.length === 1 ? only : { kind: 'row', items };
}

/** Below the line is positive; 0 on it. */
function offLine(element: Element, { level, size }: { level: number; size: number }): number {
  if (element.centred) {
    const off = element.level - (level - AXIS * size);
    const isLarge = element.bottom - element.top > size * 1.1;
    // The bar of a fraction is on the axis, or the fraction is raised.
    const isFraction = element.node.kind === 'fraction';
    const most = isFraction ? size * BAR_ON_AXIS : size * ON_AXIS + (isLarge ? size * 0.15 : 0);
    return Math.abs(off) < most ? 0 : off;
  }
  const off = element.level - level;
  const isSmall = element.size <= size * SMALL;
  if (Math.abs(off) < size * (isSmall ? SMALL_ON_LINE : ON_LINE)) return 0;
  // The smallest letters that there are have raised and lowered ones of the same size.
  const isSmallest = size < SMALLEST && Math.abs(off) < size * 0.6;
  if (!isSmall && !isSmallest) throw new Unclear('letters of full size off their line');
  return off;
}

const isOrdinary = (element: Element | undefined): boolean =>
  element !== undefined && (element.node.kind === 'name' || /^[\p{L}\p{N}]$/u.test(element.text));

/** Letters of one line do not stand on each other. */
function checkPlace(base: Element, right: number, size: number): void {
  if (right - base.left > Math.max(size * 0.35, widthOf(base) * 0.6)) throw new Unclear('letters on letters');
}

function withScripts({ base, sub, sup }: Based, size: number, parse: Parse): MathNode {
  const node: MathNode = base?.node ?? { kind: 'row', items: [] };
  if (sub.length + sup.length === 0) return node;
  for (const part of [...sub, ...sup]) {
    const edge = Math.max(
      base?.right ?? part.left,
      ...[...sub, ...sup].filter((other) => other.left < part.left).map(({ right }) => right),
    );
    if (part.left - edge > size * ATTACHED) throw new Unclear('raised letters far from everything');
  }
  if (base && isFarOff(base, sub, sup, size)) throw new Unclear('raised letters far from their base');
  const scripts = {
    ...(sub.length > 0 ? { sub: parse(sub) } : {}),
    ...(sup.length > 0 ? { sup: parse(sup) } : {}),
  };
  if (node.kind === 'scripts' && !(node.sub && scripts.sub) && !(node.sup && scripts.sup))
    return node.limits ? { kind: 'scripts', base: node, limits: false, ...scripts } : { ...node, ...scripts };
  return { kind: 'scripts', base: node, limits: false, ...scripts };
}

function isFarOff(base: Element, sub: readonly Element[], sup: readonly Element[], size: number): boolean {
  const reach = size * 0.75;
  return (
    sub.some((part) => part.top > base.bottom + reach || centreOf(part) < base.top) ||
    sup.some((part) => part.bottom < base.top - reach || centreOf(part) > base.bottom)
  );
}
