// Pages become images of themselves; what is not to be seen on them is kept.
import { deflateSync } from 'node:zlib';
import type { Raster } from '../../contract/raster.ts';
import { AnnotationMover } from '../annotations/annotation-moving.ts';
import type { PdfDocument } from '../document.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { inverse, type Matrix, matrixText, product } from '../geometry/matrix.ts';
import type { ImageXObject } from '../images/image-xobjects.ts';
import { Dict, isName, type Ref } from '../objects.ts';

/** What tells of content that an image does not have. */
const OF_CONTENT = ['Thumb', 'PieceInfo', 'StructParents', 'Group', 'B', 'SeparationInfo', 'Tabs'];
const OF_DOCUMENT = ['AcroForm', 'StructTreeRoot', 'MarkInfo', 'OCProperties', 'SpiderInfo', 'Threads'];

/**
 * The page shows the image and nothing else, on all of it unless a matrix puts it elsewhere on the page as displayed;
 * its links stay. Boxes and /Rotate stay too, so that bookmarks and links still point right.
 */
export function showImage(
  doc: PdfDocument,
  ref: Ref,
  image: Ref,
  { matrix }: { matrix?: Matrix } = {},
): void {
  const page = displayedPage(doc, ref);
  const dict = doc.edit(ref);
  const upright = inverse(page.matrix) ?? page.matrix;
  const place = matrixText(product(matrix ?? [page.width, 0, 0, page.height, 0, 0], upright));
  const content = `q ${place} cm /Page Do Q\n`;
  dict.set('Contents', doc.addStream(new Dict(), Buffer.from(content, 'latin1')));
  dict.set('Resources', Dict.of({ XObject: Dict.of({ Page: image }) }));
  for (const key of OF_CONTENT) dict.delete(key);
  keepLinks(doc, dict);
}

/** How an image of the page lies on it: turned clockwise and smaller, about the middle. */
export interface TurnedImage {
  cos: number;
  sin: number;
  scale: number;
}

/** Links go where such an image shows what they lie on. */
export function moveLinks(doc: PdfDocument, ref: Ref, { cos, sin, scale }: TurnedImage): void {
  const page = displayedPage(doc, ref);
  const upright = inverse(page.matrix);
  if (!upright) return;
  const [x, y] = [page.width / 2, page.height / 2];
  const [along, across] = [scale * cos, scale * sin];
  const turned: Matrix = [
    along,
    -across,
    across,
    along,
    x - along * x - across * y,
    y + across * x - along * y,
  ];
  const move = {
    // No quarter turns: what links look like stays upright.
    page: { ...page, turn: 0 },
    sheet: ref,
    matrix: product(product(page.matrix, turned), upright),
    alone: true,
  };
  const mover = new AnnotationMover(doc);
  const links = doc.array(doc.dict(ref)?.get('Annots')) ?? [];
  if (links.length === 0) return;
  // Copies: pages may share them, and lie differently.
  const moved = links.map((link) => {
    const copy = new Dict(doc.dict(link));
    mover.move(copy, move);
    return doc.add(copy);
  });
  doc.edit(ref).set('Annots', moved);
}

function keepLinks(doc: PdfDocument, page: Dict): void {
  const links = (doc.array(page.get('Annots')) ?? []).filter((annotation) =>
    isName(doc.resolve(doc.dict(annotation)?.get('Subtype')), 'Link'),
  );
  page.put('Annots', links.length > 0 ? links : undefined);
}

/** Tags, layers, fields and threads without content go. To be called when every page is an image. */
export function forgetContent(doc: PdfDocument): void {
  const catalog = doc.edit(doc.catalogRef);
  for (const key of OF_DOCUMENT) catalog.delete(key);
}

/** Colours of drawings and text are few; photographs have more than this among a sample of their pixels. */
const MANY_COLOURS = 2000;
const SAMPLES = 50_000;

/** Whether a lossy coding serves the image better. */
export function isPhotographic({ rgba }: Raster): boolean {
  const pixels = rgba.length / 4;
  const step = Math.max(1, Math.floor(pixels / SAMPLES));
  const colours = new Set<number>();
  for (let pixel = 0; pixel < pixels && colours.size <= MANY_COLOURS; pixel += step) {
    const at = 4 * pixel;
    colours.add(((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0));
  }
  return colours.size > MANY_COLOURS;
}

/** Rows deflated without loss, each as its difference from the row above; grey where nothing is coloured. */
export function losslessImage({ width, height, rgba }: Raster): ImageXObject {
  const components = isGrey(rgba) ? 1 : 3;
  const rowBytes = width * components;
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    let to = y * (rowBytes + 1);
    rows[to] = UP;
    to += 1;
    for (let x = 0; x < width; x += 1) {
      const at = 4 * (y * width + x);
      const above = at - 4 * width;
      for (let part = 0; part < components; part += 1, to += 1)
        rows[to] = (rgba[at + part] ?? 0) - (y === 0 ? 0 : (rgba[above + part] ?? 0));
    }
  }
  return { width, height, orientation: 1, components, bits: 8, coding: 'png', data: deflateSync(rows) };
}

/** PNG's filter type "up". */
const UP = 2;

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4)
    if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false;
  return true;
}

/** A JPEG file of a page. */
export const jpegImage = (
  { width, height }: { width: number; height: number },
  data: Uint8Array,
  components: 1 | 3 = 3,
): ImageXObject => ({
  width,
  height,
  orientation: 1,
  components,
  bits: 8,
  coding: 'jpeg',
  data,
});
