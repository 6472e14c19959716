// Several documents become one: pages in order, and all that hangs on them.
import { topOfPage } from './destinations.ts';
import type { PdfDocument } from './document.ts';
import { mergeForms } from './merge-forms.ts';
import { mergeLayers } from './merge-layers.ts';
import { mendLinks } from './merge-links.ts';
import { mergeNames } from './merge-names.ts';
import { mergePageLabels } from './merge-page-labels.ts';
import { mergeStructure } from './merge-structure.ts';
import { Dict, name, type Ref } from './objects.ts';
import { type OutlineNode, readOutline, writeOutline } from './outlines.ts';
import { pdfVersion } from './pdf-version.ts';
import { sameValue } from './same-value.ts';

/** One of the documents, its objects already in the merged one. */
export interface MergePart {
  catalog: Dict;
  pages: readonly Ref[];
  title: string;
}

export interface MergeSource {
  doc: PdfDocument;
  /** What the document is called in the outline. */
  title: string;
}

/**
 * Appends the others to the first, which keeps its metadata and settings. The other documents must stay
 * open until the first is saved: their streams are read then.
 */
export function mergeDocuments(
  first: MergeSource,
  others: readonly MergeSource[],
  options: { outlineByFile: boolean },
): void {
  const { doc } = first;
  const parts: MergePart[] = [{ catalog: doc.catalog, pages: doc.pages(), title: first.title }];
  for (const other of others) parts.push(takeIn(doc, other));
  if (parts.length > 1) {
    doc.setPages(parts.flatMap((part) => part.pages));
    // Reading anew: the catalog may have been written since.
    parts[0] = { catalog: doc.catalog, pages: parts[0]?.pages ?? [], title: first.title };
  }
  const outlines = parts.map((part) => readOutline(doc, part.catalog));
  const renames = mergeNames(doc, parts);
  parts.forEach((part, index) => {
    if (index > 0) mendLinks(doc, part, renames[index] ?? new Map(), outlines[index] ?? []);
  });
  mergeOutlines(doc, parts, outlines, options.outlineByFile);
  mergePageLabels(doc, parts);
  mergeForms(doc, parts);
  mergeLayers(doc, parts);
  mergeStructure(doc, parts);
  mergeCatalogs(doc, parts);
}

/** Copies a document's pages, then its catalog with all it reaches: references to pages find the copies. */
function takeIn(doc: PdfDocument, { doc: other, title }: MergeSource): MergePart {
  // Pages leave their tree: what they inherit from it must stand in themselves.
  other.setPages(other.pages());
  const pages = other.pages().map((ref) => doc.copyFrom(other, ref));
  return { catalog: doc.dict(doc.copyFrom(other, other.catalogRef)) ?? new Dict(), pages, title };
}

function mergeOutlines(
  doc: PdfDocument,
  parts: readonly MergePart[],
  outlines: readonly OutlineNode[][],
  byFile: boolean,
): void {
  if (!byFile) {
    if (outlines.slice(1).some((nodes) => nodes.length > 0)) writeOutline(doc, outlines.flat());
    return;
  }
  const nodes = parts.map((part, index) => {
    const first = part.pages[0];
    const children = outlines[index] ?? [];
    return { title: part.title, open: false, children, ...(first ? { dest: topOfPage(doc, first) } : {}) };
  });
  writeOutline(doc, nodes);
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
