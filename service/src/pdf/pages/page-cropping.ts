// Pages cut to a box, with or without what lies outside it.
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import { contentParts, inheritedEntry, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, boxArray, boxOf, intersection } from '../geometry/boxes.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import { boxThrough, inverse } from '../geometry/matrix.ts';
import { Dict } from '../objects.ts';
import { pruneStructure } from '../structure/structure-losses.ts';
import { ContentCropper } from './content-cropping.ts';

export interface CroppedPage {
  page: DisplayedPage;
  /** Of the page as displayed, lower-left corner at the origin. */
  keep: Box;
}

/** The part of a rectangle that lies on the page as displayed; nothing where none does. */
export const onPage = (rectangle: Box, { width, height }: DisplayedPage): Box | undefined =>
  intersection(rectangle, { left: 0, bottom: 0, right: width, top: height });

export function cropPages(doc: PdfDocument, pages: readonly CroppedPage[], removeOutside: boolean): void {
  const boxes = new Map<string, Box>();
  for (const { page, keep } of pages) {
    const back = inverse(page.matrix);
    const box = back && intersection(boxThrough(back, keep), page.box);
    if (!box) continue;
    boxes.set(page.ref.key, box);
    setBoxes(doc.edit(page.ref), box);
  }
  if (removeOutside) removeContentOutside(doc, boxes);
}

function setBoxes(page: Dict, box: Box): void {
  page.set('MediaBox', boxArray(box));
  page.set('CropBox', boxArray(box));
  for (const key of ['BleedBox', 'TrimBox', 'ArtBox', 'Thumb']) page.delete(key);
}

function removeContentOutside(doc: PdfDocument, boxes: ReadonlyMap<string, Box>): void {
  const cropper = new ContentCropper(doc);
  const lost = new Map<string, ReadonlySet<number>>();
  for (const ref of doc.pages()) {
    const keep = boxes.get(ref.key);
    if (!keep) continue;
    const page = doc.edit(ref);
    // Private data of programs, such as a copy of the whole drawing.
    page.delete('PieceInfo');
    const parts = contentParts(doc, ref);
    if (parts.length === 0) continue;
    const resources = doc.dict(inheritedEntry(doc, page, 'Resources')) ?? new Dict();
    const cropped = cropper.crop(joinContent(doc, parts), resources, keep);
    page.set('Contents', doc.addStream(new Dict(), cropped.content));
    page.set('Resources', cropped.resources);
    lost.set(ref.key, cropped.lost);
  }
  const gone = removeAnnotations(doc, (annotation, page) => {
    const keep = boxes.get(page.key);
    const rect = boxOf(doc, annotation.get('Rect') ?? null);
    return keep !== undefined && rect !== undefined && !intersection(rect, keep);
  });
  pruneStructure(doc, {
    isLost: (page, mcid) => lost.get(page)?.has(mcid) ?? false,
    isGone: (key) => gone.has(key),
    form: (key) => cropper.cutForms.get(key) ?? (cropper.droppedForms.has(key) ? 'dropped' : undefined),
  });
}
