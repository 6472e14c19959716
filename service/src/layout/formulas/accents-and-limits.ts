// What stands over or under a letter or sign: accents, and the limits of sums, products and limits themselves.
import type { Parse } from './bars.ts';
import { around, built, centreOf, type Element, middleOf, widthOf } from './signs.ts';

const ACCENT = /^(?:[ˆ˜¯˙¨ˇ˘´`˚]|\u20d7|\u20d6)$/;

export function attachAccents(elements: readonly Element[], parse: Parse): Element[] {
  let parts = [...elements];
  for (const accent of elements) {
    if (!ACCENT.test(accent.text) || !parts.includes(accent)) continue;
    const bases = basesOf(accent, parts);
    if (bases.length === 0) continue;
    const extent = around([accent, ...bases]);
    const [first] = bases as [Element];
    const wide = accent.grows || bases.length > 1;
    parts = parts.filter((part) => part !== accent && !bases.includes(part));
    parts.push(
      built({ kind: 'accent', mark: accent.text, base: parse(bases), wide }, extent, {
        size: first.size,
        level: first.level,
        centred: first.centred,
      }),
    );
  }
  return parts;
}

/** Accents over one letter are narrower, in sizes. */
const WIDE = 0.6;

function basesOf(accent: Element, parts: readonly Element[]): Element[] {
  const under = parts.filter(
    (part) =>
      part !== accent &&
      part.size > accent.size * 0.8 &&
      part.top > accent.top - accent.size * 0.1 &&
      centreOf(part) > centreOf(accent) &&
      part.top - accent.bottom < accent.size * 0.35 &&
      // A letter below, not a lower line.
      Math.abs(accent.bottom - part.top) < accent.size * 0.5,
  );
  const isWide = accent.grows || widthOf(accent) > accent.size * WIDE;
  const held = isWide
    ? under.filter((part) => middleOf(part) > accent.left - 1 && middleOf(part) < accent.right + 1)
    : [];
  if (held.length > 1) return held;
  const reach = (part: Element): number => widthOf(part) * 0.3 + accent.size * 0.08;
  const near = under
    .filter(
      (part) =>
        middleOf(accent) > part.left - reach(part) &&
        middleOf(accent) < part.right + reach(part) + part.size * 0.05,
    )
    .sort((a, b) => Math.abs(middleOf(a) - middleOf(accent)) - Math.abs(middleOf(b) - middleOf(accent)));
  return near.slice(0, 1);
}

const LARGE = /^[∑∏∐⋃⋂⋀⋁⨀⨁⨂⨄⨆∫∬∭∮]$/;
const WITH_LIMITS =
  /^(?:lim|max|min|sup|inf|limsup|liminf|lim sup|lim inf|argmax|argmin|arg max|arg min|det|gcd|Pr|ess sup|minimize|maximize)$/;
const ARROW = /^[=→⟶←∼≡]$/;

/** Limits stand within these parts of the size of their sign. */
const NEAR_SIGN = 0.75;
const BESIDE = 0.45;

export function attachLimits(elements: readonly Element[], parse: Parse): Element[] {
  let parts = [...elements];
  for (const operator of elements) {
    if (!parts.includes(operator) || !mayHaveLimits(operator)) continue;
    const small = parts.filter((part) => part !== operator && part.size < operator.size * 0.82);
    const over = limit(operator, small, -1);
    const under = limit(
      operator,
      small.filter((part) => !over.includes(part)),
      1,
    );
    if (over.length + under.length === 0) continue;
    const used = new Set([operator, ...over, ...under]);
    parts = parts.filter((part) => !used.has(part));
    parts.push({
      ...built(
        {
          kind: 'scripts',
          base: operator.node,
          limits: true,
          ...(under.length > 0 ? { sub: parse(under) } : {}),
          ...(over.length > 0 ? { sup: parse(over) } : {}),
        },
        around([...used]),
        operator,
      ),
    });
  }
  return parts;
}

function mayHaveLimits({ text, node }: Element): boolean {
  if (LARGE.test(text) || ARROW.test(text)) return true;
  return node.kind === 'name' && WITH_LIMITS.test(node.text);
}

/** The letters below (or above) a sign that are centred on it. */
function limit(operator: Element, small: readonly Element[], side: 1 | -1): Element[] {
  const gapTo = (part: Element): number =>
    side > 0 ? part.top - operator.bottom : operator.top - part.bottom;
  const near = small.filter(
    (part) => gapTo(part) > -operator.size * 0.12 && gapTo(part) < operator.size * NEAR_SIGN,
  );
  const taken = near.filter((part) => part.left < operator.right && operator.left < part.right);
  if (taken.length === 0) return [];
  for (let grown = true; grown; ) {
    grown = false;
    const { left, right, top, bottom } = around(taken);
    for (const part of small) {
      if (taken.includes(part)) continue;
      const reach = part.size * BESIDE;
      const isBeside = part.left < right + reach && left < part.right + reach;
      const isLevel = part.top < bottom + part.size * 0.2 && top < part.bottom + part.size * 0.2;
      if (!isBeside || !isLevel || gapTo(part) < -operator.size * 0.35) continue;
      taken.push(part);
      grown = true;
      break;
    }
  }
  const extent = around(taken);
  const off = Math.abs(middleOf(extent) - middleOf(operator));
  return off < Math.max(widthOf(operator), widthOf(extent)) * 0.25 + operator.size * 0.15 ? taken : [];
}
