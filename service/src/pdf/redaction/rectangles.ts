// Rectangles of a request, in the coordinates of their pages.
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { intersection } from '../geometry/boxes.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { boxThrough, inverse } from '../geometry/matrix.ts';
import type { Ref } from '../objects.ts';
import type { PaintedBox } from './box-drawing.ts';
import { quadOf } from './quads.ts';

/** Top-left origin, page as displayed, pages from 1. */
export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  page: number;
  color?: string | undefined;
}

/** By page index. "Rectangles are clipped to the page; no overlap ...: 400 naming the entry's index". */
export function boxesOnPages(doc: PdfDocument, rectangles: readonly Rectangle[]): Map<number, PaintedBox[]> {
  const boxes = new Map<number, PaintedBox[]>();
  rectangles.forEach(({ x, y, width, height, page, color }, entry) => {
    const ref = doc.pages()[page - 1];
    if (!ref)
      throw new Problem(
        'page_out_of_range',
        `redactions[${entry}].page is ${page}; the document has ${doc.pageCount} page(s).`,
      );
    const quad = quadOn(doc, ref, { x, y, width, height });
    if (!quad) throw invalidParameter(`redactions[${entry}] does not overlap page ${page} as displayed.`);
    const list = boxes.get(page - 1) ?? [];
    list.push({ quad, colour: colourOf(color) });
    boxes.set(page - 1, list);
  });
  return boxes;
}

function quadOn(
  doc: PdfDocument,
  ref: Ref,
  { x, y, width, height }: Pick<Rectangle, 'x' | 'y' | 'width' | 'height'>,
): PaintedBox['quad'] | undefined {
  const page = displayedPage(doc, ref);
  const asked = { left: x, right: x + width, top: page.height - y, bottom: page.height - y - height };
  const seen = intersection(asked, { left: 0, bottom: 0, right: page.width, top: page.height });
  const back = inverse(page.matrix);
  return seen && back ? quadOf(boxThrough(back, seen)) : undefined;
}

function colourOf(given: string | undefined): string {
  if (given === undefined) return '#000000';
  const hex = given.replace('#', '').toLowerCase();
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`;
}
