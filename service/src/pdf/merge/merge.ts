// Several documents become one: pages in order, and all that hangs on them.
import type { PdfDocument } from '../document.ts';
import { Dict, name } from '../objects.ts';
import { pdfVersion } from '../pdf-version.ts';
import { sameValue } from '../same-value.ts';
import { readOutline } from '../structure/outlines.ts';
import { mergeForms } from './merge-forms.ts';
import { mergeLayers } from './merge-layers.ts';
import { repairLinks } from './merge-links.ts';
import { mergeNames } from './merge-names.ts';
import { mergeOutlines } from './merge-outlines.ts';
import { mergePageLabels } from './merge-page-labels.ts';
import type { MergePart, MergeSource } from './merge-part.ts';
import { mergeStructure } from './merge-structure.ts';
import { takeIn } from './take-in.ts';

/** Appends the others to the first, which keeps its metadata and settings. `taken` is told when one is no longer needed. */
export function mergeDocuments<S extends MergeSource>(
  first: S,
  rest: readonly S[],
  options: { outlineByFile: boolean; taken?: (source: S) => void },
): void {
  const { doc, title } = first;
  const pages = doc.pages();
  const others = rest.map((source) => {
    const part = takeIn(doc, source);
    options.taken?.(source);
    return part;
  });
  if (others.length > 0) doc.setPages([...pages, ...others.flatMap((part) => part.pages)]);
  const parts = [{ catalog: doc.catalog, pages, outline: readOutline(doc), title }, ...others];
  const renames = mergeNames(doc, parts);
  others.forEach((part, index) => {
    repairLinks(doc, part, renames[index + 1] ?? new Map());
  });
  mergeOutlines(doc, parts, options.outlineByFile);
  mergePageLabels(doc, parts);
  mergeForms(doc, parts);
  mergeLayers(doc, parts);
  mergeStructure(doc, parts);
  mergeCatalogs(doc, parts);
}

/** The rest of the catalogs: lists are joined, the version is the highest. */
function mergeCatalogs(doc: PdfDocument, parts: readonly MergePart[]): void {
  if (parts.length < 2) return;
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['Threads', 'AF']) {
    const lists = parts.map((part) => doc.array(part.catalog.get(key)) ?? []);
    if (lists.slice(1).some((list) => list.length > 0)) catalog.set(key, lists.flat());
  }
  const intents = parts.map((part) => part.catalog.get('OutputIntents'));
  if (intents.some((each) => !sameValue(doc, intents[0], each))) catalog.delete('OutputIntents');
  const extensions = new Dict();
  for (const part of [...parts].reverse()) {
    for (const [key, value] of doc.dict(part.catalog.get('Extensions')) ?? []) extensions.set(key, value);
  }
  if (extensions.size > 0) catalog.set('Extensions', extensions);
}

/** Sets the version where the document's own is lower. */
export function raiseVersion(doc: PdfDocument, header: string, version: number): void {
  if (version > pdfVersion(doc, header)) doc.edit(doc.catalogRef).set('Version', name(version.toFixed(1)));
}
