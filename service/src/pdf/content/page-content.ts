// The content streams of a page, and the entries it has from the page tree.
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { type Dict, type PdfValue, Ref, Stream } from '../objects.ts';

/** An attribute as it is written, by the page or by the tree above it. */
export function inheritedEntry(doc: PdfDocument, page: Dict, key: string): PdfValue | undefined {
  let node: Dict | undefined = page;
  for (let depth = 0; node && depth < MAX_TREE_DEPTH; depth += 1) {
    const value = node.get(key);
    if (value !== undefined && doc.resolve(value) !== null) return value;
    node = doc.dict(node.get('Parent'));
  }
  return undefined;
}

/** The streams of a page's content, in order. */
export function contentParts(doc: PdfDocument, page: Ref): Ref[] {
  const held = doc.dict(page)?.get('Contents');
  const parts = doc.array(held) ?? [held];
  return parts.filter((part): part is Ref => part instanceof Ref && doc.resolve(part) instanceof Stream);
}

/** All of a page's content; "the division between streams may occur only at the boundaries between tokens". */
export function joinContent(doc: PdfDocument, parts: readonly Ref[]): Uint8Array {
  const pieces = parts.flatMap((part) => [contentOf(doc, part), Buffer.from('\n')]);
  return pieces.length === 2 ? (pieces[0] ?? new Uint8Array()) : Buffer.concat(pieces);
}
