// From the page's own coordinates to the page as displayed.
import type { Matrix } from '../../../pdf/geometry/matrix.ts';
import type { Library, Pointer } from '../library.ts';

export interface PageSpace {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  /** Page coordinates to points from the top-left corner as displayed, y downwards. */
  toDisplay: Matrix;
}

export function readPageSpace(library: Library, page: Pointer): PageSpace {
  const { native } = library;
  using scratch = library.borrow(16);
  const isTold = native.FPDF_GetPageBoundingBox(page, scratch.at);
  const [left = 0, top = 0, right = 0, bottom = 0] = isTold ? scratch.floats() : [0, 792, 612, 0];
  const quarter = ((native.FPDFPage_GetRotation(page) % 4) + 4) % 4;
  const [across, along] = [right - left, top - bottom];
  switch (quarter) {
    case 1:
      return { width: along, height: across, rotation: 90, toDisplay: [0, 1, 1, 0, -bottom, -left] };
    case 2:
      return { width: across, height: along, rotation: 180, toDisplay: [-1, 0, 0, 1, right, -bottom] };
    case 3:
      return { width: along, height: across, rotation: 270, toDisplay: [0, -1, -1, 0, top, right] };
    default:
      return { width: across, height: along, rotation: 0, toDisplay: [1, 0, 0, -1, -left, top] };
  }
}
