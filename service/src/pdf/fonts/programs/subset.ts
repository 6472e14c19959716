// What every font program can be asked, whatever its format.

export interface SubsetProgram {
  bytes: Uint8Array;
  /** Entries of the stream that tell lengths of its parts. */
  lengths?: Readonly<Record<string, number>>;
  /** Names of all glyphs that are left, where names are left out. */
  names?: readonly string[];
  /** It is no longer of the kind it was, but of this one (ISO 32000-1, 9.9: the Subtype of a FontFile3). */
  kind?: 'Type1C';
}

export interface FontProgram {
  /** Every glyph that some reader might draw for it; undefined where that cannot be told. */
  glyphsOf(shown: Shown): readonly number[] | undefined;
  /**
   * Whether something is surely drawn for it: subsets keep numbers and codes of glyphs they have lost. `characters` is
   * what the code means, and nothing else.
   */
  draws(shown: Shown): boolean;
  /** Undefined where it cannot be told what these glyphs need. */
  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined;
}

/** Glyphs of a program that are to stay, with all that they are put together from. */
export interface GlyphSelection {
  glyphs: ReadonlySet<number>;
  /** How many bytes the outlines of all other glyphs take. */
  spared: number;
  /** How many bytes more are spared where the program is to be tight, at least. */
  sparedIfTight?: number;
  /** The program with only these. */
  cut(options?: SubsetOptions): SubsetProgram;
}

/** A code as it is shown: all that a reader may go by to find its glyph. */
export type Shown =
  | {
      kind: 'simple';
      code: number;
      /** The name the font's dictionary gives to this very code. */
      name: string | undefined;
      /** What it may stand for, in whichever of the usual encodings. */
      characters: readonly string[];
      firstCode: number;
    }
  | { kind: 'cid'; cid: number /** As the font's dictionary maps it. */; glyph: number | undefined };

export interface SubsetOptions {
  /** Instructions that fit glyphs to pixels go, too, and what is written wastefully is written anew. */
  tight?: boolean;
}
