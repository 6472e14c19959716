// One of the documents that are merged.
import type { PdfDocument } from '../document.ts';
import type { Dict, Ref } from '../objects.ts';
import type { OutlineNode } from '../structure/outlines.ts';

/** One of the documents, its objects already in the merged one. */
export interface MergePart {
  catalog: Dict;
  pages: readonly Ref[];
  outline: OutlineNode[];
  title: string;
}

export interface MergeSource {
  doc: PdfDocument;
  /** What the document is called in the outline. */
  title: string;
}
