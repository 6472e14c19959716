// Outlines of several documents, one after another or one below each file's name.

import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { topOfPage } from '../structure/destinations.ts';
import { everyNode, type OutlineNode, readEntry, readOutline, writeOutline } from '../structure/outlines.ts';
import type { MergePart } from './merge-part.ts';

const LINKS = ['Parent', 'Prev', 'Next', 'First', 'Last', 'Count'];

/**
 * Copies the outline of another document, whose pages were copied before. The entries travel side by side: an
 * engine that follows each entry to the next goes as deep as there are entries, and dies of it.
 */
export function copyOutline(doc: PdfDocument, other: PdfDocument): OutlineNode[] {
  const nodes = readOutline(other);
  if (nodes.length === 0) return [];
  const all = [...everyNode(nodes)];
  const held = other.add(all.map((node) => withoutLinks(other.dict(node.ref))));
  const copies = doc.array(doc.copyFrom(other, held)) ?? [];
  const copyOf = new Map(all.map((node, index) => [node, doc.dict(copies[index])]));
  const rebuild = (node: OutlineNode): OutlineNode => {
    const entry = copyOf.get(node) ?? new Dict();
    return {
      ...readEntry(doc, doc.add(entry), entry),
      open: node.open,
      children: node.children.map(rebuild),
    };
  };
  return nodes.map(rebuild);
}

function withoutLinks(entry: Dict | undefined): Dict {
  const copy = new Dict(entry ?? []);
  for (const key of LINKS) copy.delete(key);
  return copy;
}

/** Makes the outlines of all parts the document's; `byFile`: each below an entry for its file. */
export function mergeOutlines(doc: PdfDocument, parts: readonly MergePart[], byFile: boolean): void {
  if (byFile) {
    writeOutline(
      doc,
      parts.map((part) => fileNode(doc, part)),
    );
    return;
  }
  const [, ...others] = parts;
  if (others.some((part) => part.outline.length > 0))
    writeOutline(
      doc,
      parts.flatMap((part) => part.outline),
    );
}

function fileNode(doc: PdfDocument, { title, pages, outline }: MergePart): OutlineNode {
  const first = pages[0];
  return { title, open: false, children: outline, ...(first ? { dest: topOfPage(doc, first) } : {}) };
}
