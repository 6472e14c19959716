// The text layers of a document: one font for all of them.

import type { PdfDocument } from '../document.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { PageOverlay } from '../pages/page-overlay.ts';
import { addGlyphlessFont } from './glyphless-font.ts';
import type { RecognisedPage } from './recognised.ts';
import { addTextLayer, charactersOf, type LayerKind } from './text-layer.ts';

interface ReadPage {
  page: RecognisedPage;
  /** From pixels, rows from the bottom, to the page as displayed. */
  matrix: Matrix;
}

/** By index of the page; pages without text get nothing. */
export function layTextOver(
  doc: PdfDocument,
  readings: ReadonlyMap<number, ReadPage | string>,
  kind: LayerKind,
): void {
  const read = [...readings]
    .flatMap(([index, reading]) => (typeof reading === 'string' ? [] : [{ index, ...reading }]))
    .filter(({ page }) => page.paragraphs.length > 0)
    .sort((a, b) => a.index - b.index);
  if (read.length === 0) return;
  const characters = new Set<string>();
  for (const { page } of read) for (const character of charactersOf(page)) characters.add(character);
  const font = addGlyphlessFont(doc, characters);
  const overlay = new PageOverlay(doc);
  for (const { index, page, matrix } of read) {
    const ref = doc.pages()[index];
    if (!ref) continue;
    const form = addTextLayer(doc, page, font, { kind, matrix });
    overlay.draw(displayedPage(doc, ref), [{ form, matrix }], { isRead: true });
  }
}
