// Words within formulas: names of functions, and text.
import { around, built, type Element } from './signs.ts';

/** Letters of one word are nearer to each other, in parts of the size. */
const NEXT = 0.13;
const SPACE = 0.5;

/** Upright letters that follow one another are one word; italic ones are letters that are multiplied. */
export function joinNames(elements: readonly Element[]): Element[] {
  const sorted = elements.toSorted((a, b) => a.left - b.left);
  const kept: Element[] = [];
  for (const element of sorted) {
    if (!isWordLetter(element)) {
      kept.push(element);
      continue;
    }
    const at = kept.findLastIndex((other) => isSameLine(other, element));
    const before = kept[at];
    const gap = before ? element.begin - before.end : 0;
    if (
      before?.node.kind === 'name' &&
      gap < element.size * NEXT &&
      gap > -element.size * 0.3 &&
      isSameFace(before, element)
    ) {
      kept[at] = grown(before, element, before.node.text + element.text);
    } else kept.push(named(element));
  }
  return joinTexts(kept).map(asLetter);
}

const isWordLetter = ({ node, text }: Element): boolean =>
  node.kind === 'sign' &&
  (node.face === 'upright' || node.face === 'sans' || node.face === 'monospace' || node.face === 'bold') &&
  /^[A-Za-z\u00c0-\u024f]$/.test(text);

const isSameLine = (a: Element, b: Element): boolean =>
  !a.centred && Math.abs(a.level - b.level) < b.size * 0.05 && Math.abs(a.size - b.size) < 0.2;

const isSameFace = (a: Element, b: Element): boolean =>
  a.node.kind === 'name' && b.node.kind === 'sign' && a.node.face === b.node.face;

const named = (element: Element): Element =>
  element.node.kind === 'sign'
    ? { ...element, text: '', node: { kind: 'name', text: element.text, face: element.node.face } }
    : element;

const grown = (before: Element, element: Element, text: string): Element => ({
  ...built(
    { kind: 'name', text, face: before.node.kind === 'name' ? before.node.face : 'upright' },
    around([before, element]),
    { ...before, end: element.end },
  ),
});

/** Words of a text ("if and only if") are one; so is "arg max". */
function joinTexts(elements: readonly Element[]): Element[] {
  const kept: Element[] = [];
  for (const element of elements) {
    const before = kept.findLast((other) => isSameLine(other, element));
    const gap = before ? element.begin - before.end : Infinity;
    if (
      before?.node.kind === 'name' &&
      element.node.kind === 'name' &&
      before.node.face === element.node.face &&
      before.node.text.length + element.node.text.length > 2 &&
      gap >= element.size * NEXT &&
      gap < element.size * SPACE &&
      !(
        isFunction(before.node.text) &&
        isFunction(element.node.text) &&
        !/^(?:arg|lim|ess)$/.test(before.node.text)
      )
    )
      kept[kept.indexOf(before)] = grown(before, element, `${before.node.text} ${element.node.text}`);
    else kept.push(element);
  }
  return kept;
}

/** A letter alone is a letter. */
const asLetter = (element: Element): Element =>
  element.node.kind === 'name' && element.node.text.length === 1
    ? {
        ...element,
        text: element.node.text,
        node: { kind: 'sign', text: element.node.text, face: element.node.face },
      }
    : element;

const FUNCTIONS = new Set(
  (
    'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max ' +
    'min Pr sec sin sinh sup tan tanh'
  ).split(' '),
);

export const isFunction = (name: string): boolean => FUNCTIONS.has(name);
