// What can be put on a page: a form XObject with its lower-left corner at the origin, and how large it is.

import type { PdfDocument } from '../document.ts';
import { boxArray, boxOf } from '../geometry/boxes.ts';
import { boxThrough, matrixOf } from '../geometry/matrix.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';

export interface Drawable {
  form: Ref;
  width: number;
  height: number;
}

/** A form that draws with these operators. */
export function addForm(
  doc: PdfDocument,
  box: readonly PdfValue[],
  operators: string,
  resources: Record<string, Dict>,
): Ref {
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [...box],
    Resources: Dict.of(resources),
  });
  return doc.addStream(dict, Buffer.from(`${operators}\n`, 'latin1'));
}

/** The same at an opacity, as one thing: where its parts lie on each other nothing shows twice. */
export function fade<D extends Drawable>(doc: PdfDocument, drawable: D, opacity: number): D {
  if (opacity >= 1) return drawable;
  const whole = doc.edit(drawable.form);
  whole.set('Group', Dict.of({ Type: name('Group'), S: name('Transparency') }));
  const box = boxOf(doc, whole.get('BBox') ?? null) ?? { left: 0, bottom: 0, right: 0, top: 0 };
  const around = boxArray(boxThrough(matrixOf(doc, whole.get('Matrix')), box));
  const state = Dict.of({ Type: name('ExtGState'), ca: opacity, CA: opacity });
  const form = addForm(doc, around, '/See gs /Whole Do', {
    ExtGState: Dict.of({ See: state }),
    XObject: Dict.of({ Whole: drawable.form }),
  });
  return { ...drawable, form };
}
