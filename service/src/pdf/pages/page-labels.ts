// Page labels: the number a reader shows for a page (ISO 32000-1, 12.4.2), one per page rather than by ranges.
import type { PdfDocument } from '../document.ts';
import { Dict, name, PdfString } from '../objects.ts';
import { buildNumberTree, type NumberEntry, readNumberTree } from '../structure/number-tree.ts';
import { textOf } from '../text-strings.ts';

export interface PageLabel {
  prefix?: PdfString;
  /** D decimal, R and r roman, A and a letters; absent: the prefix alone. */
  style?: string;
  number: number;
}

/** One label per page; nothing where the document has no labels. */
export function readPageLabels(doc: PdfDocument): PageLabel[] | undefined {
  const root = doc.catalog.get('PageLabels');
  if (!doc.dict(root)) return undefined;
  const starts = new Map(readNumberTree(doc, root).map(({ key, value }) => [key, doc.dict(value)]));
  const labels: PageLabel[] = [];
  // Pages before the first range have the label they would have without ranges.
  let range: { start: number; first: PageLabel } = { start: 0, first: { style: 'D', number: 1 } };
  for (let index = 0; index < doc.pageCount; index += 1) {
    const dict = starts.get(index);
    if (dict) range = { start: index, first: firstLabel(doc, dict) };
    labels.push({ ...range.first, number: range.first.number + index - range.start });
  }
  return labels;
}

function firstLabel(doc: PdfDocument, dict: Dict): PageLabel {
  const start = doc.number(dict.get('St')) ?? 1;
  const label: PageLabel = { number: Number.isSafeInteger(start) && start >= 1 ? start : 1 };
  const prefix = doc.resolve(dict.get('P'));
  const style = doc.name(dict.get('S'));
  if (prefix instanceof PdfString) label.prefix = prefix;
  if (style !== undefined && /^[DRrAa]$/.test(style)) label.style = style;
  return label;
}

/** Gives the pages these labels, in their order; `undefined` removes all labels. */
export function writePageLabels(doc: PdfDocument, labels: readonly PageLabel[] | undefined): void {
  const catalog = doc.edit(doc.catalogRef);
  if (!labels) {
    catalog.delete('PageLabels');
    return;
  }
  const entries: NumberEntry[] = [];
  labels.forEach((label, index) => {
    if (continues(labels[index - 1], label)) return;
    const { prefix, style, number } = label;
    const value = Dict.of({ S: style === undefined ? undefined : name(style), P: prefix });
    if (number !== 1) value.set('St', number);
    entries.push({ key: index, value });
  });
  catalog.set('PageLabels', buildNumberTree(doc, entries));
}

function continues(before: PageLabel | undefined, label: PageLabel): boolean {
  if (!before || before.style !== label.style || !samePrefix(before.prefix, label.prefix)) return false;
  return label.style === undefined || label.number === before.number + 1;
}

function samePrefix(a: PdfString | undefined, b: PdfString | undefined): boolean {
  return Buffer.compare(a?.bytes ?? Buffer.alloc(0), b?.bytes ?? Buffer.alloc(0)) === 0;
}

/** The label as a reader shows it. */
export function labelText({ prefix, style, number }: PageLabel): string {
  return `${prefix ? textOf(prefix) : ''}${numeral(style, number)}`;
}

function numeral(style: string | undefined, number: number): string {
  if (style === 'D') return String(number);
  if (style === 'R') return roman(number);
  if (style === 'r') return roman(number).toLowerCase();
  if (style === 'A') return letters(number);
  if (style === 'a') return letters(number).toLowerCase();
  return '';
}

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Numbers beyond what anyone writes in roman letters would make endless rows of M. */
const MAX_ROMAN = 100_000;

function roman(number: number): string {
  if (number > MAX_ROMAN) return String(number);
  let left = number;
  let text = '';
  for (const [value, letter] of ROMAN) {
    while (left >= value) {
      text += letter;
      left -= value;
    }
  }
  return text;
}

/** A to Z, then AA to ZZ, then AAA: one letter, repeated. */
function letters(number: number): string {
  const repeats = Math.min(Math.ceil(number / 26), 1000);
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(repeats);
}
