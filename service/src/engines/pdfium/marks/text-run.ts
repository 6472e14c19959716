// A text object in PDFium's memory: the codes it draws and where.
import type { Pointer } from '../library.ts';
import { OBJECT, type Words } from './memory.ts';

/** In words of four bytes from the start of a text object, and of its text state. */
const TEXT = { x: 24, y: 25, codes: 26, codesEnd: 27, places: 29, placesEnd: 30 } as const;
const STATE = { font: 2, size: 4, charSpace: 5, a: 8, c: 9, b: 10, d: 11 } as const;

/** No code but a gap between two strings. */
export const NO_CODE = 0xffff_ffff;

export interface TextRun {
  object: Pointer;
  font: Pointer;
  size: number;
  /** Between all its signs. */
  charSpace: number;
  /** Neither turned, slanted nor mirrored. */
  isUpright: boolean;
  /** The scales of its matrix. */
  a: number;
  d: number;
  x: number;
  y: number;
  count: number;
  /** Where in the memory, in words, the codes stand, and the places of all but the first (at 0) along the run. */
  codes: number;
  places: number;
}

/** Undefined where it does not look like one. */
export function textRunOf({ u, f }: Words, object: Pointer): TextRun | undefined {
  const at = object >> 2;
  const state = (u[at + OBJECT.textState] as number) >> 2;
  const codes = u[at + TEXT.codes] as number;
  const count = ((u[at + TEXT.codesEnd] as number) - codes) >> 2;
  const places = u[at + TEXT.places] as number;
  const placed = ((u[at + TEXT.placesEnd] as number) - places) >> 2;
  if (state === 0 || count < 1 || placed !== count - 1) return undefined;
  if ((codes >> 2) + count > u.length || (places >> 2) + placed > u.length) return undefined;
  const a = f[state + STATE.a] as number;
  const d = f[state + STATE.d] as number;
  const size = f[state + STATE.size] as number;
  return {
    object,
    font: u[state + STATE.font] as number,
    size,
    charSpace: f[state + STATE.charSpace] as number,
    isUpright: f[state + STATE.b] === 0 && f[state + STATE.c] === 0 && a > 0 && d > 0 && size > 0,
    a,
    d,
    x: f[at + TEXT.x] as number,
    y: f[at + TEXT.y] as number,
    count,
    codes: codes >> 2,
    places: places >> 2,
  };
}
