// Page labels of several documents, one after another (ISO 32000-1, 12.4.2).
import type { PdfDocument } from '../document.ts';
import { Dict, name } from '../objects.ts';
import { buildNumberTree, type NumberEntry, readNumberTree } from '../structure/number-tree.ts';
import type { MergePart } from './merge-part.ts';

/** Each part keeps its labels; where some have labels and others none, those count 1, 2, 3 by themselves. */
export function mergePageLabels(doc: PdfDocument, parts: readonly MergePart[]): void {
  const labels = parts.map((part) => readNumberTree(doc, part.catalog.get('PageLabels')));
  if (labels.every((entries) => entries.length === 0)) return;
  const merged: NumberEntry[] = [];
  let offset = 0;
  parts.forEach((part, index) => {
    const own = (labels[index] ?? []).filter(({ key }) => key >= 0 && key < part.pages.length);
    merged.push(...own.map(({ key, value }) => ({ key: key + offset, value })));
    // A tree must begin with page 0; of two entries for one page the first stays.
    merged.push({ key: offset, value: Dict.of({ S: name('D') }) });
    offset += part.pages.length;
  });
  doc.edit(doc.catalogRef).set('PageLabels', buildNumberTree(doc, merged));
}
