// A scanned page: one image that covers it, and nothing else to be seen.

import { pageInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import type { PathPainting } from '../content/operators.ts';
import type { PdfDocument } from '../document.ts';
import { filtersOf } from '../filters/stream-filters.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { pixelSize } from '../images/image-cutting.ts';
import type { Dict, Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';

export interface SoleImage {
  ref: Ref;
  width: number;
  height: number;
  /** From the unit square of the image to the page as displayed, lower-left corner at the origin. */
  matrix: Matrix;
  /** Its data is a JPEG file that shows what the page shows, the same side up. */
  isPlainJpeg: boolean;
}

const MAX_OPERATIONS = 200_000;
/** Of the width and height of the page. */
const TOLERANCE = 0.03;

export function soleImage(doc: PdfDocument, page: Ref): SoleImage | undefined {
  const shown = displayedPage(doc, page);
  const search = new ImageSearch();
  pageInterpreter(doc, page, { ...INITIAL_STATE, ctm: shown.matrix }).run(search);
  const { found } = search;
  const dict = doc.dict(found?.ref);
  const size = dict && pixelSize(doc, dict);
  if (search.isMixed || !found || !dict || !size) return undefined;
  const [a, b, c, d, e, f] = found.matrix;
  const near = (value: number, wanted: number, side: number): boolean =>
    Math.abs(value - wanted) <= side * TOLERANCE;
  const { width, height } = shown;
  const isUpright = near(b, 0, height) && near(c, 0, width) && Math.abs(b) + Math.abs(c) < 0.5;
  const fits = near(a, width, width) && near(d, height, height) && near(e, 0, width) && near(f, 0, height);
  const area = Math.abs(a * d - b * c);
  if (area < width * height * (1 - TOLERANCE) ** 2) return undefined;
  return { ...found, ...size, isPlainJpeg: isUpright && fits && isPlainJpeg(doc, dict) };
}

function isPlainJpeg(doc: PdfDocument, dict: Dict): boolean {
  const filters = filtersOf(doc, dict) ?? [];
  if (filters.length !== 1 || filters[0]?.name !== 'DCTDecode') return false;
  if (['SMask', 'Mask', 'Decode', 'ImageMask', 'OC'].some((key) => doc.resolve(dict.get(key)) !== null))
    return false;
  const space = dict.get('ColorSpace');
  const family = doc.name(space) ?? doc.name(doc.array(space)?.[0]);
  const components = doc.number(doc.dict(doc.array(space)?.[1])?.get('N'));
  return (
    family === 'DeviceGray' ||
    family === 'DeviceRGB' ||
    family === 'CalGray' ||
    family === 'CalRGB' ||
    (family === 'ICCBased' && (components === 1 || components === 3))
  );
}

class ImageSearch implements ContentVisitor {
  found: { ref: Ref; matrix: Matrix } | undefined;
  /** Something else is painted. */
  isMixed = false;
  private operations = 0;

  operation(_: Operation, at: ContentPosition): void {
    this.operations += 1;
    if (this.operations > MAX_OPERATIONS) this.mix(at);
  }

  showText(_items: unknown, _: unknown, at: ContentPosition): void {
    if (at.state.renderingMode !== 3) this.mix(at);
  }

  paintPath({ fills, strokes }: PathPainting, _: unknown, at: ContentPosition): void {
    if (fills || strokes) this.mix(at);
  }

  paintShading(_shading: unknown, _: unknown, at: ContentPosition): void {
    this.mix(at);
  }

  drawInlineImage(_dict: unknown, _: unknown, at: ContentPosition): void {
    this.mix(at);
  }

  drawImage(ref: Ref, _dict: unknown, _: unknown, at: ContentPosition): void {
    if (this.found) this.mix(at);
    this.found = { ref, matrix: at.state.ctm };
  }

  private mix(at: ContentPosition): void {
    this.isMixed = true;
    at.stop();
  }
}
