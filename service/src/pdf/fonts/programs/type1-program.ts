// Type 1 font programs. Outlines that are not wanted are left out, and the shared pieces that only those call.

import { NamedGlyphs, standardName } from './named-glyphs.ts';
import type { CutOptions, CutProgram, FontProgram, GlyphSelection, Shown } from './program.ts';
import { type Called, readCalls } from './type1-charstrings.ts';
import { Type1Conversion } from './type1-conversion.ts';
import { type BuiltInEncoding, readBuiltInEncoding } from './type1-dictionaries.ts';
import { type Entry, programOf, readType1, type Type1Layout, without } from './type1-layout.ts';

/** Pieces that every font has, and that interpreters know by their numbers. */
const LAST_COMMON_PIECE = 4;
/** What a CFF font takes less than this one, both packed: about half. */
const SPARED_BY_CONVERSION = 0.4;

export class Type1Program implements FontProgram {
  private readonly file: Buffer;
  private readonly layout: Type1Layout;
  private readonly names: NamedGlyphs;
  private readonly encoding: BuiltInEncoding;
  private conversion: Type1Conversion | undefined;
  private readonly calls = new Map<Entry, Called | undefined>();

  private constructor(file: Buffer, layout: Type1Layout) {
    this.file = file;
    this.layout = layout;
    const names = layout.outlines.map(({ name }) => name);
    this.encoding = readBuiltInEncoding(this.clearText());
    const { isStandard, names: builtIn } = this.encoding;
    this.names = new NamedGlyphs(names, (code) => {
      const glyph = names.indexOf((isStandard ? standardName(code) : builtIn.get(code)) ?? '');
      return glyph === -1 ? undefined : glyph;
    });
  }

  static read(file: Buffer): Type1Program | undefined {
    const layout = readType1(file);
    return layout && new Type1Program(file, layout);
  }

  glyphsOf(shown: Shown): readonly number[] | undefined {
    return this.names.of(shown);
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined {
    const { outlines, pieces } = this.layout;
    const found = new Set(glyphs);
    const called = new Set<number>();
    for (const name of ['.notdef', 'space']) this.add(found, name);
    // What is added on the way is visited too.
    for (const glyph of found) if (!this.follow(outlines[glyph], found, called)) return undefined;
    for (const piece of called) if (!this.follow(pieces.get(piece), found, called)) return undefined;
    const unused: Entry[] = outlines.filter((_, glyph) => !found.has(glyph));
    for (const [number, piece] of pieces)
      if (number > LAST_COMMON_PIECE && !called.has(number)) unused.push(piece);
    const spared = unused.reduce((sum, { start, end }) => sum + end - start, 0);
    const sparedIfTight = Math.round((this.layout.to - spared) * SPARED_BY_CONVERSION);
    const cut = (options?: CutOptions): CutProgram =>
      (options?.tight ? this.converted(found) : undefined) ?? this.cutTo(found, unused);
    return { glyphs: found, spared, sparedIfTight, cut };
  }

  /** Whether it could be told what an outline or a piece calls. */
  private follow(entry: Entry | undefined, glyphs: Set<number>, pieces: Set<number>): boolean {
    if (!entry) return true;
    if (!this.calls.has(entry)) this.calls.set(entry, readCalls(programOf(this.layout, entry)));
    const called = this.calls.get(entry);
    for (const code of called?.components ?? []) this.add(glyphs, standardName(code));
    for (const piece of called?.pieces ?? []) pieces.add(piece);
    return called !== undefined;
  }

  private add(glyphs: Set<number>, name: string | undefined): void {
    const glyph = this.names.get(name ?? '');
    if (glyph !== undefined) glyphs.add(glyph);
  }

  private clearText(): string {
    return this.file.toString('latin1', 0, this.layout.from);
  }

  private outlinesOf(glyphs: ReadonlySet<number>): Type1Layout['outlines'] {
    return this.layout.outlines.filter((_, glyph) => glyphs.has(glyph));
  }

  private converted(glyphs: ReadonlySet<number>): CutProgram | undefined {
    this.conversion ??= new Type1Conversion(this.clearText(), this.layout, this.encoding);
    const outlines = this.outlinesOf(glyphs);
    const bytes = this.conversion.write(outlines);
    return bytes && { bytes, kind: 'Type1C', names: outlines.map(({ name }) => name) };
  }

  private cutTo(glyphs: ReadonlySet<number>, unused: readonly Entry[]): CutProgram {
    const [clear, encrypted, tail] = without(this.file, this.layout, unused);
    return {
      bytes: Buffer.concat([clear, encrypted, tail]),
      lengths: { Length1: clear.length, Length2: encrypted.length, Length3: tail.length },
      names: this.outlinesOf(glyphs).map(({ name }) => name),
    };
  }
}
