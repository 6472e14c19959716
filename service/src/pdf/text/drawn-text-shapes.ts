// What drawing text is about: fonts, glyphs in their places, lines. Made by the engine that lays text out.

/** A font as drawing needs it. Measures are in font units unless said otherwise. */
export interface Typeface {
  /** Tells it from every other font of the machine. */
  readonly key: string;
  readonly postScriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  /** Below the baseline, positive. */
  readonly descent: number;
  readonly capHeight: number;
  readonly italicAngle: number;
  readonly box: readonly [number, number, number, number];
  readonly class: 'sans' | 'serif' | 'mono';
  /** `cid`: a CFF font whose glyphs have numbers of their own, given by `cid`. */
  readonly outlines: 'glyf' | 'cff' | 'cid';
  cid(glyph: number): number;
  /**
   * The font program with these glyphs only, under their old numbers; a bare CFF for CFF outlines. TrueType
   * fonts get the composites too, as glyphs from `firstComposite` on.
   */
  subset(
    glyphs: readonly number[],
    composites: readonly CompositeGlyph[],
  ): { program: Uint8Array; firstComposite: number };
}

/** Several glyphs as one, in font units. */
export interface CompositeGlyph {
  parts: { glyph: number; x: number; y: number }[];
  width: number;
}

export interface ShapedGlyph {
  id: number;
  /** The glyph's own width, as the font states it. */
  width: number;
  /** How far the pen moves: the width, changed by kerning and marks. */
  advance: number;
  x: number;
  y: number;
}

/** Glyphs that together stand for some text: one letter, a ligature, a syllable. */
export interface ShapedCluster {
  text: string;
  /** From left to right. */
  glyphs: ShapedGlyph[];
}

/** A stretch of one font and one direction. */
export interface ShapedRun {
  font: Typeface;
  rightToLeft: boolean;
  /** From left to right. */
  clusters: ShapedCluster[];
  /** In points. */
  width: number;
}

export interface LaidOutLine {
  /** What it says, in logical order. */
  text: string;
  /** The start of its baseline, from the lower-left corner of the whole. */
  x: number;
  y: number;
  width: number;
  ascent: number;
  descent: number;
  runs: ShapedRun[];
}

/** Lines in a box whose lower-left corner is the origin; points, y upwards. */
export interface LaidOutText {
  size: number;
  width: number;
  height: number;
  lines: LaidOutLine[];
}
