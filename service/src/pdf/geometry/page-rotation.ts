// A page's rotation: clockwise quarter turns, its own or inherited from the page tree.
import type { PdfDocument } from '../document.ts';
import type { Dict, Ref } from '../objects.ts';

/** 0, 90, 180 or 270. A value that is no multiple of 90 counts as the quarter turn below, as viewers read it. */
export function rotationOf(doc: PdfDocument, page: Dict): number {
  return normalised(doc.number(doc.inherited(page, 'Rotate')) ?? 0);
}

export function rotatePage(doc: PdfDocument, ref: Ref, degrees: number): void {
  const page = doc.edit(ref);
  page.set('Rotate', normalised(rotationOf(doc, page) + degrees));
}

function normalised(degrees: number): number {
  const quarters = Number.isFinite(degrees) ? Math.trunc(degrees / 90) % 4 : 0;
  return ((quarters + 4) % 4) * 90;
}
