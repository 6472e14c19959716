// Room for the glyphs of a page.
import type { Glyphs } from '../../../contract/page-items.ts';

/** A page of so many glyphs is no page to be read. */
export const MAX_GLYPHS = 400_000;

/** How long glyphs are wanted: for good, or until the next page is read into the same room. */
export type Lasting = 'for good' | 'briefly';

/** Words of four bytes that one glyph takes. */
const GLYPH_WORDS = 11;
const SHARED_GLYPHS = 32_768;
let shared: Glyphs | undefined;

/** For so many; every field of each is to be written. */
export function allocateGlyphs(count: number, lasting: Lasting): Glyphs {
  if (lasting === 'for good' || count > SHARED_GLYPHS) return newRoom(count);
  shared ??= newRoom(SHARED_GLYPHS);
  return shared;
}

export const emptyGlyphs = (): Glyphs => newRoom(0);

/** All rows in one piece of memory. */
function newRoom(count: number): Glyphs {
  const memory = new ArrayBuffer(count * GLYPH_WORDS * 4);
  const floats = (from: number, each: number) => new Float32Array(memory, count * from * 4, count * each);
  return {
    count,
    codes: new Uint32Array(memory, 0, count),
    lookOf: new Uint32Array(memory, count * 4, count),
    origins: floats(2, 2),
    ink: floats(4, 4),
    advances: floats(8, 1),
    sizes: floats(9, 1),
    turns: floats(10, 1),
    looks: [],
  };
}

/** The first so many. */
export const takeGlyphs = (glyphs: Glyphs, count: number, looks: Glyphs['looks']): Glyphs => ({
  count,
  codes: glyphs.codes.subarray(0, count),
  origins: glyphs.origins.subarray(0, count * 2),
  ink: glyphs.ink.subarray(0, count * 4),
  advances: glyphs.advances.subarray(0, count),
  sizes: glyphs.sizes.subarray(0, count),
  turns: glyphs.turns.subarray(0, count),
  lookOf: glyphs.lookOf.subarray(0, count),
  looks,
});
