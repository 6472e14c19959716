// Whole pages: "A whole page keeps its size and loses all content, annotations and fields."

import type { PdfDocument } from '../document.ts';
import { mediaBox } from '../geometry/boxes.ts';
import { Dict, type Ref } from '../objects.ts';
import { boxesText } from './box-drawing.ts';
import { quadOf } from './quads.ts';

/** What a page keeps: its place in the tree and its geometry. */
const KEPT = [
  'Type',
  'Parent',
  'MediaBox',
  'CropBox',
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Rotate',
  'UserUnit',
  'Annots',
  'Dur',
  'Trans',
];

/** Annotations are left to `removeAnnotations`, which knows the form. */
export function blankPage(doc: PdfDocument, ref: Ref, colour: string): void {
  const page = doc.edit(ref);
  const box = boxesText([{ quad: quadOf(mediaBox(doc, page)), colour }]);
  for (const key of [...page.keys()]) if (!KEPT.includes(key)) page.delete(key);
  page.set('Resources', new Dict());
  page.set('Contents', doc.addStream(new Dict(), Buffer.from(`/Artifact BMC q\n${box}\nQ EMC\n`, 'latin1')));
}
