// Page boxes as rectangles with their corners in order.
import type { PdfDocument } from '../document.ts';
import type { Dict, PdfObject, PdfValue } from '../objects.ts';

export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** The same in pixels of an image: rows count from the top, so that `top` is the smaller. */
export type PixelBox = Box;

/** What readers take for a page without a usable media box. */
export const LETTER_BOX: Box = { left: 0, bottom: 0, right: 612, top: 792 };

export const widthOf = (box: Box): number => tidy(box.right - box.left);
export const heightOf = (box: Box): number => tidy(box.top - box.bottom);

/** Subtraction leaves dust such as 600.1999999999999; a ten-thousandth of a point is nothing. */
const tidy = (length: number): number => Math.round(length * 10_000) / 10_000;

export function boxOf(doc: PdfDocument, value: PdfObject): Box | undefined {
  const corners = doc.array(value)?.map((corner) => doc.number(corner));
  const [x1, y1, x2, y2] = corners ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  const box = {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
  return box.right > box.left && box.top > box.bottom ? box : undefined;
}

export const mediaBox = (doc: PdfDocument, page: Dict): Box =>
  boxOf(doc, doc.inherited(page, 'MediaBox')) ?? LETTER_BOX;

/** The part of the media box that is shown: the whole of it where there is no crop box or it lies outside. */
export function cropBox(doc: PdfDocument, page: Dict): Box {
  const media = mediaBox(doc, page);
  const crop = boxOf(doc, doc.inherited(page, 'CropBox'));
  return (crop && intersection(crop, media)) ?? media;
}

export function intersection(a: Box, b: Box): Box | undefined {
  const box = {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
  return box.right > box.left && box.top > box.bottom ? box : undefined;
}

/** As a file writes it. */
export const boxArray = ({ left, bottom, right, top }: Box): PdfValue[] => [left, bottom, right, top];

export const isInside = (box: Box, keep: Box): boolean =>
  box.left >= keep.left && box.right <= keep.right && box.bottom >= keep.bottom && box.top <= keep.top;
