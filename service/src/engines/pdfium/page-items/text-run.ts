// A text object in PDFium's memory: the codes it draws and where.
import type { Pointer } from '../library.ts';
import { OBJECT, TEXT_STATE, type Words } from './pdfium-memory.ts';

/** In words of four bytes from the start of a text object. */
const TEXT = { x: 24, y: 25, codes: 26, codesEnd: 27, places: 29, placesEnd: 30 } as const;

/** No code but a gap between two strings. */
export const NO_CODE = 0xffff_ffff;

/** How a form is put on its page, neither turned nor mirrored: stretched along both axes, and moved. */
export interface FormPlace {
  a: number;
  d: number;
  e: number;
  f: number;
}

/** One is filled again for each object of a page: there are thousands. */
export class TextRun {
  object: Pointer = 0;
  font: Pointer = 0;
  size = 0;
  /** Between all its glyphs. */
  charSpace = 0;
  /** Neither turned nor mirrored; it may be slanted. */
  isLevel = false;
  /** The scales of its matrix, and how much it is slanted. */
  a = 0;
  c = 0;
  d = 0;
  x = 0;
  y = 0;
  count = 0;
  /** Where in the memory, in words, the codes stand, and the places of all but the first (at 0) along the run. */
  codes = 0;
  places = 0;

  /** False where the object does not look like one. What stands in a form is told as it stands on the page. */
  read({ u, f }: Words, object: Pointer, place?: FormPlace): boolean {
    const at = object >> 2;
    const state = (u[at + OBJECT.textState] as number) >> 2;
    const codes = u[at + TEXT.codes] as number;
    const count = ((u[at + TEXT.codesEnd] as number) - codes) >> 2;
    const places = u[at + TEXT.places] as number;
    const placed = ((u[at + TEXT.placesEnd] as number) - places) >> 2;
    if (state === 0 || count < 1 || placed !== count - 1) return false;
    if ((codes >> 2) + count > u.length || (places >> 2) + placed > u.length) return false;
    this.object = object;
    this.font = u[state + TEXT_STATE.font] as number;
    this.size = f[state + TEXT_STATE.size] as number;
    this.charSpace = f[state + TEXT_STATE.charSpace] as number;
    this.a = f[state + TEXT_STATE.a] as number;
    this.c = f[state + TEXT_STATE.c] as number;
    this.d = f[state + TEXT_STATE.d] as number;
    this.isLevel = f[state + TEXT_STATE.b] === 0 && this.a > 0 && this.d > 0 && this.size > 0;
    this.x = f[at + TEXT.x] as number;
    this.y = f[at + TEXT.y] as number;
    if (place) this.put(place);
    this.count = count;
    this.codes = codes >> 2;
    this.places = places >> 2;
    return true;
  }

  private put({ a, d, e, f }: FormPlace): void {
    this.a *= a;
    this.c *= a;
    this.d *= d;
    this.x = a * this.x + e;
    this.y = d * this.y + f;
  }

  /** Where along the run its last glyph stands. */
  lastPlace(f: Float32Array): number {
    return this.count > 1 ? (f[this.places + this.count - 2] as number) : 0;
  }
}
