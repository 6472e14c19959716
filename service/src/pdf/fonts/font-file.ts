// The font program that a font brings along: FontFile, FontFile2 or FontFile3 of its descriptor (ISO 32000-1, 9.9).
import type { PdfDocument } from '../document.ts';
import { type Dict, type PdfValue, Ref, Stream } from '../objects.ts';

const KEYS = ['FontFile', 'FontFile2', 'FontFile3'] as const;

export interface FontFileEntry {
  key: (typeof KEYS)[number];
  ref: Ref;
  /** Of the stream. */
  dict: Dict;
}

/** The only entry of DescendantFonts; undefined for simple fonts. */
export const descendantOf = (doc: PdfDocument, font: Dict | undefined): Dict | undefined =>
  doc.dict(doc.array(font?.get('DescendantFonts'))?.[0]);

/** A composite font has it with its descendant. */
export const descriptorOf = (doc: PdfDocument, font: Dict | undefined): Dict | undefined =>
  doc.dict(font?.get('FontDescriptor')) ?? doc.dict(descendantOf(doc, font)?.get('FontDescriptor'));

export function fontFileOf(doc: PdfDocument, descriptor: Dict | undefined): FontFileEntry | undefined {
  for (const key of KEYS) {
    const ref = descriptor?.get(key);
    const stream = doc.resolve(ref);
    if (ref instanceof Ref && stream instanceof Stream) return { key, ref, dict: stream.dict };
  }
  return undefined;
}

/** Whether a font brings its program along. */
export const isEmbedded = (doc: PdfDocument, font: PdfValue | undefined): boolean =>
  fontFileOf(doc, descriptorOf(doc, doc.dict(font))) !== undefined;
