// The parent tree: which structure element a mark in the content, or an annotation, belongs to.
import type { PdfDocument } from '../../document.ts';
import type { Dict, PdfValue } from '../../objects.ts';
import { readNumberTree } from '../../structure/number-tree.ts';

export class StructureParents {
  private readonly doc: PdfDocument;
  private entries: Map<number, PdfValue> | undefined;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** What the tree holds under a key: an element, or for pages and forms a list of them. */
  at(key: number): PdfValue | undefined {
    const { doc } = this;
    if (!this.entries) {
      const root = doc.dict(doc.catalog.get('StructTreeRoot'));
      this.entries = new Map();
      for (const entry of readNumberTree(doc, root?.get('ParentTree')))
        if (!this.entries.has(entry.key)) this.entries.set(entry.key, entry.value);
    }
    return this.entries.get(key);
  }

  /** The element of a mark in a page or form. */
  elementOf(holder: Dict, mark: number): Dict | undefined {
    const key = this.doc.number(holder.get('StructParents'));
    const listed = key === undefined ? undefined : this.doc.array(this.at(key));
    return this.doc.dict(listed?.[mark]);
  }
}
