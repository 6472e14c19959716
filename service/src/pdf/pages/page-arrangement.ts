// Pages in a new order: some twice, some not at all.
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import { copyPage, type PageCopy } from '../page-tree/page-copies.ts';
import { nameNumberedPages } from '../structure/numbered-destinations.ts';
import { copyStructure } from '../structure/structure-copies.ts';
import { PageExtraction } from './page-extraction.ts';
import { readPageLabels, writePageLabels } from './page-labels.ts';

/** `order` holds page numbers from 1; a number that comes again makes a copy of the page. */
export function arrangePages(doc: PdfDocument, order: readonly number[]): void {
  const labels = readPageLabels(doc);
  const originals = doc.pages();
  nameNumberedPages(doc);
  // Pushes inherited attributes down to the pages, for the copies to have them.
  if (new Set(order).size < order.length) doc.setPages(originals);
  const used = new Set<number>();
  const copies: PageCopy[] = [];
  const arranged: Ref[] = [];
  for (const number of order) {
    const original = originals[number - 1];
    if (!original) continue;
    if (used.has(number)) {
      const copied = copyPage(doc, original);
      copies.push(copied);
      arranged.push(copied.copy);
    } else arranged.push(original);
    used.add(number);
  }
  copyStructure(doc, copies);
  if (used.size === originals.length) doc.setPages(arranged);
  else {
    if (copies.length > 0) doc.setPages([...originals, ...copies.map(({ copy }) => copy)]);
    new PageExtraction(doc).keep(arranged);
  }
  // Every page keeps its own label.
  if (labels)
    writePageLabels(
      doc,
      order.flatMap((number) => labels[number - 1] ?? []),
    );
}

/** Leaves all pages but these (numbers from 1). */
export function removePages(doc: PdfDocument, numbers: readonly number[]): void {
  const gone = new Set(numbers);
  new PageExtraction(doc).keep(doc.pages().filter((_, index) => !gone.has(index + 1)));
}
