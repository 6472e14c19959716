// Pages cut into sections: each section is the page with smaller boxes, so that nothing about it is drawn anew.

import { LIMITS } from '../../contract/limits.ts';
import { invalidParameter } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, boxArray, boxOf, heightOf, intersection, widthOf } from '../geometry/boxes.ts';
import { type DisplayedPage, displayedPage } from '../geometry/displayed-page.ts';
import { boxThrough, IDENTITY, inverse } from '../geometry/matrix.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { copyPage } from '../page-tree/page-copies.ts';
import { DestinationMover } from '../structure/destination-moving.ts';
import { giveSharedAnnotationsToOne } from './n-up-sheets.ts';
import { readPageLabels, writePageLabels } from './page-labels.ts';

export interface Division {
  columns: number;
  rows: number;
}

/** A page of the result: which page it shows, and which section of it; both from 1. */
export interface Section {
  ref: Ref;
  page: number;
  section: number;
}

interface Piece {
  ref: Ref;
  box: Box;
}

/** Cuts the pages (numbers from 1) and makes the sections the document's pages; the other pages stay in place. */
export function cutIntoSections(doc: PdfDocument, numbers: readonly number[], division: Division): Section[] {
  const originals = [...doc.pages()];
  const cut = new Set(numbers);
  const each = division.columns * division.rows;
  if (originals.length + cut.size * (each - 1) > LIMITS.resultingPages)
    throw invalidParameter(
      `horizontalDivisions and verticalDivisions would make more than ${LIMITS.resultingPages} pages.`,
    );
  const labels = readPageLabels(doc);
  // Pushes inherited attributes down to the pages, for the copies to have them.
  doc.setPages(originals);
  giveSharedAnnotationsToOne(doc, originals);
  const pieces = new Map<string, Piece[]>();
  const sections = originals.flatMap((ref, index): Section[] => {
    const page = index + 1;
    if (!cut.has(page) || each === 1) return [{ ref, page, section: 1 }];
    const made = cutPage(doc, displayedPage(doc, ref), division);
    pieces.set(ref.key, made);
    return made.map((piece, at) => ({ ref: piece.ref, page, section: at + 1 }));
  });
  moveDestinations(doc, originals, pieces, sections);
  doc.linkPages(sections.map(({ ref }) => ref));
  if (labels)
    writePageLabels(
      doc,
      sections.map(({ page }) => labels[page - 1] ?? { number: page }),
    );
  return sections;
}

/** "Sections column by column, each top to bottom, of the page as displayed." */
function sectionBoxes(page: DisplayedPage, { columns, rows }: Division): Box[] {
  const back = inverse(page.matrix) ?? IDENTITY;
  const [width, height] = [page.width / columns, page.height / rows];
  return Array.from({ length: columns * rows }, (_, index) => {
    const column = Math.floor(index / rows);
    const row = index % rows;
    return boxThrough(back, {
      left: column * width,
      bottom: page.height - (row + 1) * height,
      right: (column + 1) * width,
      top: page.height - row * height,
    });
  });
}

function cutPage(doc: PdfDocument, page: DisplayedPage, division: Division): Piece[] {
  const boxes = sectionBoxes(page, division);
  const annotations = doc.array(doc.dict(page.ref)?.get('Annots')) ?? [];
  doc.edit(page.ref).delete('Annots');
  // The first section is the page itself: what belongs to the page, such as its tags, stays with it.
  const pieces = boxes.map((box, index) => ({
    ref: index === 0 ? page.ref : copyPage(doc, page.ref).copy,
    box,
  }));
  const lists = pieces.map((): PdfValue[] => []);
  for (const annotation of annotations) {
    const rect = boxOf(doc, doc.dict(annotation)?.get('Rect') ?? null);
    const at = rect ? pieceWithMost(pieces, rect) : 0;
    lists[at]?.push(annotation);
    const ref = pieces[at]?.ref;
    if (annotation instanceof Ref && ref && doc.dict(annotation)?.has('P'))
      doc.edit(annotation).set('P', ref);
  }
  pieces.forEach(({ ref, box }, index) => {
    const dict = doc.edit(ref);
    for (const key of ['BleedBox', 'TrimBox', 'ArtBox', 'Thumb']) dict.delete(key);
    dict.set('MediaBox', boxArray(box));
    dict.set('CropBox', boxArray(box));
    const own = lists[index] ?? [];
    if (own.length > 0) dict.set('Annots', own);
  });
  return pieces;
}

function pieceWithMost(pieces: readonly Piece[], rect: Box): number {
  const areas = pieces.map(({ box }) => {
    const shared = intersection(box, rect);
    return shared ? widthOf(shared) * heightOf(shared) : 0;
  });
  return Math.max(0, areas.indexOf(Math.max(...areas)));
}

/** Coordinates stay as they are: each place is now on the section that holds it. */
function moveDestinations(
  doc: PdfDocument,
  pages: readonly Ref[],
  pieces: ReadonlyMap<string, Piece[]>,
  sections: readonly Section[],
): void {
  const shown = new Map(pages.map((ref) => [ref.key, displayedPage(doc, ref)]));
  const mover = new DestinationMover(doc, pages, (key, x, y) => {
    const list = pieces.get(key);
    const [first] = list ?? [];
    const page = shown.get(key);
    if (!list || !first || !page) return undefined;
    const found = list.find(({ box }) => holds(box, x, y)) ?? first;
    return { sheet: found.ref, page: { ...page, box: found.box }, matrix: IDENTITY, alone: true };
  });
  mover.moveAll();
  for (const { ref } of sections) {
    for (const annotation of doc.array(doc.dict(ref)?.get('Annots')) ?? []) {
      const dict = annotation instanceof Ref ? undefined : doc.resolve(annotation);
      if (annotation instanceof Ref && doc.get(annotation) instanceof Dict)
        mover.moveHolder(doc.edit(annotation));
      else if (dict instanceof Dict) mover.moveHolder(dict);
    }
  }
}

/** A place at the line between two sections belongs to the lower one, whose upper edge it is. */
const holds = ({ left, bottom, right, top }: Box, x: number | undefined, y: number | undefined): boolean =>
  (x === undefined || (left <= x && x < right)) && (y === undefined || (bottom < y && y <= top));
