// What the page tree is read and settled by: the verbs of a document that know nothing of pages being repaired.
import type { Dict, PdfObject, PdfValue, Ref } from './objects.ts';

/** Trees (pages, names, outlines) are followed this deep; hostile files make cycles. */
export const MAX_TREE_DEPTH = 100;

export interface ObjectGraph {
  readonly catalogRef: Ref;
  readonly catalog: Dict;
  readonly trailer: Dict;
  get(ref: Ref): PdfObject;
  resolve(value: PdfObject | undefined): PdfObject;
  dict(value: PdfObject | undefined): Dict | undefined;
  array(value: PdfObject | undefined): PdfValue[] | undefined;
  number(value: PdfObject | undefined): number | undefined;
  pages(): readonly Ref[];
  edit(ref: Ref): Dict;
  add(value: PdfValue): Ref;
}
