// Tall delimiters and what they hold: a row, or rows and columns.
import { type MathNode, Unclear } from './formula.ts';
import { around, built, centreOf, type Element, middleOf } from './signs.ts';

export type Parse = (elements: readonly Element[]) => MathNode;

const OPEN = /^[([{⟨⌊⌈]$/;
const CLOSE = /^[)\]}⟩⌋⌉]$/;
const EITHER = /^[|∥]$/;

/** Delimiters that are written as they are where they hold one row of usual height. */
export const isTall = ({ text, centred }: Element): boolean =>
  centred && (OPEN.test(text) || CLOSE.test(text) || EITHER.test(text));

export function composeFences(elements: readonly Element[], parse: Parse): Element[] {
  let parts = elements.toSorted((a, b) => a.left - b.left);
  for (;;) {
    const pair = innermost(parts);
    if (!pair) break;
    parts = replaced(parts, pair.open, pair.close, parse);
  }
  // An opening one alone holds what follows it: cases.
  const alone = parts.filter((part) => isTall(part) && !EITHER.test(part.text));
  for (const fence of alone.toReversed()) {
    if (!parts.includes(fence)) continue;
    if (fence.text !== '{') throw new Unclear('a delimiter without its other half');
    parts = replaced(parts, fence, undefined, parse);
  }
  return parts;
}

/** A closing one, and the nearest before it that opens and is about as tall. */
function innermost(parts: readonly Element[]): { open: Element; close: Element } | undefined {
  for (const [at, close] of parts.entries()) {
    if (!isTall(close) || OPEN.test(close.text)) continue;
    for (let i = at - 1; i >= 0; i -= 1) {
      const open = parts[i] as Element;
      if (!isTall(open) || !isSameHeight(open, close)) continue;
      if (EITHER.test(close.text) ? open.text === close.text : OPEN.test(open.text)) return { open, close };
      if (EITHER.test(open.text) && CLOSE.test(close.text)) continue;
      if (EITHER.test(close.text)) continue;
      break;
    }
  }
  return undefined;
}

function isSameHeight(a: Element, b: Element): boolean {
  const [one, two] = [a.bottom - a.top, b.bottom - b.top];
  return (
    Math.abs(one - two) < Math.max(one, two) * 0.25 && Math.abs(centreOf(a) - centreOf(b)) < a.size * 0.5
  );
}

function replaced(
  parts: readonly Element[],
  open: Element,
  close: Element | undefined,
  parse: Parse,
): Element[] {
  const inside = parts.filter(
    (part) =>
      part !== open &&
      part !== close &&
      middleOf(part) > open.right - open.size * 0.1 &&
      (!close || middleOf(part) < close.left + open.size * 0.1) &&
      centreOf(part) > open.top - open.size * 0.4 &&
      centreOf(part) < open.bottom + open.size * 0.4,
  );
  if (inside.length === 0) throw new Unclear('delimiters around nothing');
  const used = new Set([open, ...(close ? [close] : []), ...inside]);
  const content = parse(inside);
  if (!close && content.kind !== 'matrix') throw new Unclear('a delimiter without its other half');
  const node: MathNode = { kind: 'fence', open: open.text, close: close?.text ?? '', inside: content };
  const extent = around([...used]);
  const element = built(node, extent, { size: open.size, level: open.level, centred: true });
  // The size of what grows is that of the letters beside it.
  const size = Math.max(...inside.map((part) => part.size));
  return [...parts.filter((part) => !used.has(part)), { ...element, size }].sort((a, b) => a.left - b.left);
}
