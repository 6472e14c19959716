// Room for the glyphs of a page.
import type { Glyphs } from '../../../contract/page-marks.ts';

/** A page of so many glyphs is no page to be read. */
export const MAX_GLYPHS = 400_000;

export const emptyGlyphs = (count: number): Glyphs => ({
  count,
  codes: new Uint32Array(count),
  origins: new Float32Array(count * 2),
  ink: new Float32Array(count * 4),
  advances: new Float32Array(count),
  sizes: new Float32Array(count),
  turns: new Float32Array(count),
  lookOf: new Uint32Array(count),
  looks: [],
});

/** The first so many. */
export const cutGlyphs = (glyphs: Glyphs, count: number): Glyphs =>
  count === glyphs.count
    ? glyphs
    : {
        count,
        codes: glyphs.codes.subarray(0, count),
        origins: glyphs.origins.subarray(0, count * 2),
        ink: glyphs.ink.subarray(0, count * 4),
        advances: glyphs.advances.subarray(0, count),
        sizes: glyphs.sizes.subarray(0, count),
        turns: glyphs.turns.subarray(0, count),
        lookOf: glyphs.lookOf.subarray(0, count),
        looks: glyphs.looks,
      };
