// Operations 1.5: "Page as displayed" = the crop box after /Rotate.

import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import { type Box, cropBox, heightOf, widthOf } from './boxes.ts';
import { type Matrix, translation } from './matrix.ts';
import { rotationOf } from './page-rotation.ts';

export interface DisplayedPage {
  ref: Ref;
  /** The crop box, in the page's own coordinates. */
  box: Box;
  /** Degrees clockwise: 0, 90, 180 or 270. */
  turn: number;
  width: number;
  height: number;
  /** Points of a unit; 1 nearly always. */
  userUnit: number;
  /** From the page's own coordinates to those of the page as displayed, lower-left corner at the origin. */
  matrix: Matrix;
}

export function displayedPage(doc: PdfDocument, ref: Ref): DisplayedPage {
  const page = doc.dict(ref) ?? new Dict();
  const box = cropBox(doc, page);
  const turn = rotationOf(doc, page);
  const lies = turn === 90 || turn === 270;
  return {
    ref,
    box,
    turn,
    width: lies ? heightOf(box) : widthOf(box),
    height: lies ? widthOf(box) : heightOf(box),
    userUnit: userUnitOf(doc, page),
    matrix: uprightMatrix(box, turn),
  };
}

export function uprightMatrix({ left, bottom, right, top }: Box, turn: number): Matrix {
  if (turn === 90) return [0, -1, 1, 0, -bottom, right];
  if (turn === 180) return [-1, 0, 0, -1, right, top];
  if (turn === 270) return [0, 1, -1, 0, top, -left];
  return translation(-left, -bottom);
}

function userUnitOf(doc: PdfDocument, page: Dict): number {
  const unit = doc.number(page.get('UserUnit')) ?? 1;
  return Number.isFinite(unit) && unit > 0 && unit <= 75_000 ? unit : 1;
}

/** A quarter turn clockwise `turn / 90` times, about the origin. */
export function turnMatrix(turn: number): Matrix {
  if (turn === 90) return [0, -1, 1, 0, 0, 0];
  if (turn === 180) return [-1, 0, 0, -1, 0, 0];
  return turn === 270 ? [0, 1, -1, 0, 0, 0] : [1, 0, 0, 1, 0, 0];
}
