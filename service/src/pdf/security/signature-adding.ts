// A signature field and its empty signature, added to a document (ISO 32000-2, 12.7.5.5 and 12.8.1).

import { boxThrough, IDENTITY, inverse } from '../content/matrix.ts';
import type { PdfDocument } from '../document.ts';
import { formOf } from '../forms/form-tree.ts';
import { momentOf, pdfDate } from '../metadata/pdf-dates.ts';
import { Dict, name, type PdfValue, Ref } from '../objects.ts';
import { type Box, boxArray } from '../pages/boxes.ts';
import { displayedPage, turnMatrix } from '../pages/displayed-page.ts';
import { formatNumber } from '../syntax.ts';
import { drawText } from '../text/drawn-text.ts';
import type { LaidOutText } from '../text/drawn-text-shapes.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';
import { textString } from '../text-strings.ts';

export interface NewSignature {
  subFilter: 'ETSI.CAdES.detached' | 'adbe.pkcs7.detached';
  date: Date;
  name: string;
  reason: string | undefined;
  location: string | undefined;
  /** The page whose annotation the field is. */
  page: Ref;
  /** What the box shows; absent: the signature is not seen. */
  look: LaidOutText | undefined;
}

/** Operations: "visible box, 200 × 50 pt, at the lower-left of the page". */
export const SIGNATURE_BOX: Box = { left: 0, bottom: 0, right: 200, top: 50 };
export const BOX_MARGIN = 4;

/** Print and locked: nobody is meant to move it (ISO 32000-1, table 165). */
const WIDGET_FLAGS = 4 | 128;
/** The form has signatures, and is only to be appended to (table 219). */
const SIGNATURE_FLAGS = 1 | 2;

/** Adds the field; the reference is that of the signature dictionary, which lacks ByteRange and Contents. */
export function addSignature(doc: PdfDocument, wanted: NewSignature): Ref {
  const text = (value: string | undefined) => (value === undefined ? undefined : textString(value));
  const signature = doc.add(
    Dict.of({
      Type: name('Sig'),
      Filter: name('Adobe.PPKLite'),
      SubFilter: name(wanted.subFilter),
      M: textString(pdfDate(momentOf(wanted.date))),
      Name: textString(wanted.name),
      Reason: text(wanted.reason),
      Location: text(wanted.location),
    }),
  );
  const widget = doc.add(
    Dict.of({
      Type: name('Annot'),
      Subtype: name('Widget'),
      FT: name('Sig'),
      T: textString(freeFieldName(doc)),
      V: signature,
      P: wanted.page,
      F: WIDGET_FLAGS,
      ...appearance(doc, wanted),
    }),
  );
  addToPage(doc, wanted.page, widget);
  addToForm(doc, widget);
  return signature;
}

function freeFieldName(doc: PdfDocument): string {
  const taken = new Set<string | undefined>();
  for (const field of doc.array(formOf(doc)?.get('Fields')) ?? [])
    taken.add(doc.text(doc.dict(field)?.get('T')));
  let number = 1;
  while (taken.has(`Signature${number}`)) number += 1;
  return `Signature${number}`;
}

function appearance(doc: PdfDocument, { page, look }: NewSignature): Record<string, PdfValue> {
  if (!look) return { Rect: [0, 0, 0, 0] };
  const shown = displayedPage(doc, page);
  const rect = boxThrough(inverse(shown.matrix) ?? IDENTITY, SIGNATURE_BOX);
  const fonts = new EmbeddedFonts(doc);
  const drawn = drawText(look, fonts);
  const { right, top } = SIGNATURE_BOX;
  const y = (top - look.height) / 2;
  const frame = `q 1 g 0.4 G 0.5 w 0.25 0.25 ${formatNumber(right - 0.5)} ${formatNumber(top - 0.5)} re B Q`;
  const operators = `${frame}\nq 0 g 1 0 0 1 ${BOX_MARGIN} ${formatNumber(y)} cm\n${drawn.operators}\nQ\n`;
  const form = doc.addStream(
    Dict.of({
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: boxArray(SIGNATURE_BOX),
      // Upright for the reader of a turned page (operations 1.5).
      Matrix: [...(inverse(turnMatrix(shown.turn)) ?? IDENTITY)],
      Resources: Dict.of({ Font: drawn.fonts }),
    }),
    Buffer.from(operators, 'latin1'),
  );
  fonts.finish();
  return { Rect: boxArray(rect), AP: Dict.of({ N: form }) };
}

/** Lists that are objects of their own are changed there, so that the page stays as it is. */
function addToPage(doc: PdfDocument, page: Ref, widget: Ref): void {
  const held = doc.dict(page)?.get('Annots');
  const list = [...(doc.array(held) ?? []), widget];
  if (held instanceof Ref && doc.array(held)) doc.replace(held, list);
  else doc.edit(page).set('Annots', list);
}

function addToForm(doc: PdfDocument, field: Ref): void {
  const held = doc.catalog.get('AcroForm');
  const found = formOf(doc);
  const form = found && held instanceof Ref ? doc.edit(held) : new Dict(found ?? []);
  const fields = form.get('Fields');
  const list = [...(doc.array(fields) ?? []), field];
  if (fields instanceof Ref && doc.array(fields)) doc.replace(fields, list);
  else form.set('Fields', list);
  form.set('SigFlags', (doc.number(form.get('SigFlags')) ?? 0) | SIGNATURE_FLAGS);
  if (found && held instanceof Ref) return;
  doc.edit(doc.catalogRef).set('AcroForm', form);
}
