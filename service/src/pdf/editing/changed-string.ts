// What a string said and what it is to say: the glyphs that both have at their beginning and end stay as they are.

import type { Matrix } from '../geometry/matrix.ts';
import type { ElementEdit } from './element-edit.ts';
import type { ShownGlyph } from './shown-text.ts';
import type { ShownElement, TextWriter } from './written-text.ts';

interface StringChange {
  text: string;
  matrix?: Matrix;
}

/** Undefined where the new text cannot be written. `field` brought it: refusals name it. */
export function changedString(
  element: ShownElement,
  { text, matrix }: StringChange,
  writer: TextWriter,
  field: string,
): ElementEdit | undefined {
  const { glyphs, text: before } = element;
  const placed = matrix ? { matrix } : {};
  if (text === before) return { isGone: () => false, shift: () => 0, inserted: [], ...placed };
  const { first, last, middle, start, end } = changedPart(element, text);
  const written = middle === '' ? undefined : writer.write(middle, element, true, field);
  if (middle !== '' && !written) return undefined;
  const grown = (written?.advance ?? 0) - (end - start);
  const isGone = (glyph: number): boolean => glyph >= first && glyph < last;
  return {
    isGone,
    shift: (glyph) => (glyph >= last ? grown : 0),
    inserted: written ? [{ before: first, at: start, text: written, narrowing: 1 }] : [],
    said: { before, after: text },
    ...placed,
  };

  function changedPart({ text: old }: ShownElement, now: string) {
    const alike = commonBeginning(old, now);
    const tail = Math.min(commonEnd(old, now), old.length - alike, now.length - alike);
    // Glyphs go or stay as a whole.
    let head = 0;
    while (head < glyphs.length && endOf(glyphs[head]) <= alike) head += 1;
    let rest = glyphs.length;
    while (rest > head && (glyphs[rest - 1]?.from ?? 0) >= old.length - tail) rest -= 1;
    const [before, next, behind] = [glyphs[head - 1], glyphs[head], glyphs[rest]];
    const kept = head === 0 ? 0 : Math.max(endOf(before), Math.min(alike, next?.from ?? alike));
    const held = behind ? Math.min(tail, old.length - endOf(glyphs[rest - 1])) : tail;
    const left = Math.max(kept, now.length - Math.max(held, 0));
    // A blank may be a gap alone: it belongs to the side that keeps it.
    const isGapKept = kept > endOf(before);
    const from = head === 0 || isGapKept ? (next?.start ?? element.end) : (before?.end ?? 0);
    const isGapBehind = behind !== undefined && old.length - held < behind.from;
    const lastEnd = rest > head ? (glyphs[rest - 1]?.end ?? from) : from;
    const to = behind ? (isGapBehind ? lastEnd : behind.start) : lastEnd;
    return { first: head, last: rest, middle: now.slice(kept, left), start: from, end: to };
  }
}

const endOf = (glyph: ShownGlyph | undefined): number =>
  glyph ? glyph.from + (glyph.text ?? '\ufffd').length : 0;

function commonBeginning(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function commonEnd(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a.at(-1 - at) === b.at(-1 - at)) at += 1;
  return at;
}
