// How wide the glyphs of a font's codes are: they are written into a text object, and their places looked at.
import type { Library, Pointer } from '../library.ts';
import { wordsOf } from './pdfium-memory.ts';
import { TextRun } from './text-run.ts';

/** In points; all that is learnt is in parts of it. */
export const SHOWN_SIZE = 10;

export function writeCodes(library: Library, holder: Pointer, codes: readonly number[]): boolean {
  using list = library.borrow(codes.length * 4);
  wordsOf(library).u.set(codes, list.at >> 2);
  const isWritten = library.native.FPDFText_SetCharcodes(holder, list.at, codes.length);
  return Boolean(isWritten);
}

/** As far as a second one stands from the first, in parts of the size; 0 where the font has no such code. */
export function widthOfCode(library: Library, holder: Pointer, code: number): number {
  const run = new TextRun();
  if (!writeCodes(library, holder, [code, code]) || !run.read(wordsOf(library), holder)) return 0;
  return inThousandths(run.lastPlace(wordsOf(library).f) / SHOWN_SIZE);
}

/** The same of a font that nobody holds: by a text object of its own. */
export function widthsOfFont(library: Library, document: Pointer, font: Pointer): (code: number) => number {
  const { native } = library;
  const known = new Map<number, number>();
  return (code) => {
    let width = known.get(code);
    if (width === undefined) {
      const object = native.FPDFPageObj_CreateTextObj(document, font, SHOWN_SIZE);
      width = object === 0 ? 0 : widthOfCode(library, object, code);
      if (object !== 0) native.FPDFPageObj_Destroy(object);
      known.set(code, width);
    }
    return width;
  };
}

/** Fonts are measured in thousandths; what is off by less than this part of one is off by calculating. */
const ROUNDED = 0.05;

export function inThousandths(measure: number): number {
  const whole = Math.round(measure * 1000);
  return Math.abs(measure * 1000 - whole) < ROUNDED ? whole / 1000 : measure;
}
