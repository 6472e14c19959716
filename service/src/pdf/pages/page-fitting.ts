// Pages scaled into rectangles, their aspect kept.

import { type Box, heightOf, widthOf } from '../geometry/boxes.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import type { Matrix } from '../geometry/matrix.ts';

/** Fits the page as displayed into the cell, centred; `factor` on top of the fit. */
export function fitInto(
  cell: Box,
  { width, height }: Pick<DisplayedPage, 'width' | 'height'>,
  factor = 1,
): Matrix {
  const scale = Math.min(widthOf(cell) / width, heightOf(cell) / height) * factor;
  return [
    scale,
    0,
    0,
    scale,
    (cell.left + cell.right - width * scale) / 2,
    (cell.bottom + cell.top - height * scale) / 2,
  ];
}
