// Annotations that stand under a box.

import type { PdfDocument } from '../document.ts';
import { boxOf } from '../geometry/boxes.ts';
import type { Point } from '../geometry/matrix.ts';
import type { Dict } from '../objects.ts';
import { indexOf } from './quad-index.ts';
import { areaOf, boundsOf, commonPart, type Quad, quadOf } from './quads.ts';

/** Square points that may overlap: neighbours touch each other. */
const TOUCHING = 0.5;

export function isUnder(doc: PdfDocument, annotation: Dict, quads: readonly Quad[]): boolean {
  // A note's window stands anywhere and goes with its note.
  if (quads.length === 0 || doc.name(annotation.get('Subtype')) === 'Popup') return false;
  return areasOf(doc, annotation).some((area) =>
    indexOf(quads)
      .near(boundsOf(area))
      .some((quad) => areaOf(commonPart(area, quad)) > TOUCHING),
  );
}

/** The marked words of highlights and the like, else the rectangle. */
function areasOf(doc: PdfDocument, annotation: Dict): Quad[] {
  const numbers = (doc.array(annotation.get('QuadPoints')) ?? []).map((each) => doc.number(each) ?? 0);
  const marked: Quad[] = [];
  for (let at = 0; at + 8 <= numbers.length; at += 8) {
    const points: Point[] = [0, 2, 4, 6].map((side) => ({
      x: numbers[at + side] ?? 0,
      y: numbers[at + side + 1] ?? 0,
    }));
    marked.push(quadOf(boundsOf(points)));
  }
  const rect = boxOf(doc, annotation.get('Rect') ?? null);
  return marked.length > 0 ? marked : rect ? [quadOf(rect)] : [];
}
