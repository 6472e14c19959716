// A scanned page: one image that covers it, and nothing else to be seen.

import { contentParts, joinedContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { filtersOf } from '../filters/stream-filters.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { IDENTITY, type Matrix, matrixOf, product } from '../geometry/matrix.ts';
import { pixelSize } from '../images/image-cutting.ts';
import { Dict, isName, Name, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';

export interface SoleImage {
  ref: Ref;
  width: number;
  height: number;
  /** From the unit square of the image to the page as displayed, lower-left corner at the origin. */
  matrix: Matrix;
  /** Its data is a JPEG file that shows what the page shows, the same side up. */
  isPlainJpeg: boolean;
}

const PAINTS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 's', 'sh', 'BI']);
const SHOWS_TEXT = new Set(['Tj', 'TJ', "'", '"']);
const MAX_NESTING = 6;
const MAX_OPERATIONS = 200_000;
/** Of the width and height of the page. */
const TOLERANCE = 0.03;

export function soleImage(doc: PdfDocument, page: Ref): SoleImage | undefined {
  const shown = displayedPage(doc, page);
  const resources = doc.dict(doc.inherited(doc.dict(page) ?? new Dict(), 'Resources')) ?? new Dict();
  const search = new ImageSearch(doc);
  search.content(joinedContent(doc, contentParts(doc, page)), resources, shown.matrix, 0);
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

class ImageSearch {
  found: { ref: Ref; matrix: Matrix } | undefined;
  /** Something else is painted. */
  isMixed = false;
  private readonly doc: PdfDocument;
  private operations = 0;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  content(bytes: Uint8Array, resources: Dict, around: Matrix, depth: number): void {
    const saved: { matrix: Matrix; unseen: boolean }[] = [];
    let matrix = around;
    let unseen = false;
    const reader = new ContentReader(bytes);
    for (let next = reader.next(); next && !this.isMixed; next = reader.next()) {
      const { operator, operands } = next;
      this.operations += 1;
      if (this.operations > MAX_OPERATIONS || PAINTS.has(operator)) this.isMixed = true;
      else if (SHOWS_TEXT.has(operator)) this.isMixed = !unseen;
      else if (operator === 'q') saved.push({ matrix, unseen });
      else if (operator === 'Q') ({ matrix, unseen } = saved.pop() ?? { matrix, unseen });
      else if (operator === 'cm') matrix = product(matrixOf(this.doc, operands), matrix);
      else if (operator === 'Tr') unseen = operands[0] === 3;
      else if (operator === 'Do') this.drawing(operands[0], resources, matrix, depth);
    }
  }

  private drawing(word: PdfValue | undefined, resources: Dict, matrix: Matrix, depth: number): void {
    const { doc } = this;
    const value = word instanceof Name ? doc.dict(resources.get('XObject'))?.get(word.value) : undefined;
    const stream = doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream)) return;
    if (isName(doc.resolve(stream.dict.get('Subtype')), 'Image')) {
      if (this.found) this.isMixed = true;
      this.found = { ref: value, matrix };
      return;
    }
    if (depth >= MAX_NESTING) {
      this.isMixed = true;
      return;
    }
    const own = doc.dict(stream.dict.get('Resources')) ?? resources;
    const inner = product(
      stream.dict.has('Matrix') ? matrixOf(doc, stream.dict.get('Matrix')) : IDENTITY,
      matrix,
    );
    this.content(contentOf(doc, value), own, inner, depth + 1);
  }
}
