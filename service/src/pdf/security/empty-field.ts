// A signature field that waits for its signature.
import type { Size } from '../../contract/raster.ts';
import type { PdfDocument } from '../document.ts';
import { everyField, readFormTree } from '../forms/form-tree.ts';
import { type Dict, Ref } from '../objects.ts';
import { sizeShown } from './signature-look.ts';

export interface EmptyField {
  ref: Ref;
  /** Where it shows: the field itself, or its first kid. */
  widget: Ref;
  page: Ref;
  /** On the page as displayed; nothing where it is not seen. */
  size: Size;
  lock: Dict | undefined;
}

/** The field of this full name; undefined where there is none, a word where it cannot be signed. */
export function emptyField(doc: PdfDocument, name: string): EmptyField | 'signed' | 'other' | undefined {
  const field = [...everyField(readFormTree(doc))].find((each) => each.name === name);
  if (!field) return undefined;
  if (field.type !== 'Sig' || field.fields.length > 0) return 'other';
  const dict = doc.dict(field.ref);
  if (doc.resolve(dict?.get('V')) !== null) return 'signed';
  const [first] = field.widgets;
  const widget = first ?? field.ref;
  const page = pageOf(doc, widget);
  if (!page) return 'other';
  return {
    ref: field.ref,
    widget,
    page,
    size: sizeShown(doc, page, doc.dict(widget)?.get('Rect')),
    lock: doc.dict(dict?.get('Lock')),
  };
}

function pageOf(doc: PdfDocument, widget: Ref): Ref | undefined {
  const pages = doc.pages();
  return (
    pages.find((page) =>
      doc
        .array(doc.dict(page)?.get('Annots'))
        ?.some((each) => each instanceof Ref && each.key === widget.key),
    ) ?? pages[0]
  );
}
