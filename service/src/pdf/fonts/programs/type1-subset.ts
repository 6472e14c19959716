// Subsets of Type 1 font programs: charstrings that are not wanted are left out, and the subroutines that only those call.

import { STANDARD_NAMES } from '../simple-encodings.ts';
import { NamedGlyphs } from './named-glyphs.ts';
import type { FontProgram, GlyphSelection, Shown, SubsetOptions, SubsetProgram } from './subset.ts';
import { decryptEntry, type Entry, nameOfCode, readType1, type Type1Font, withoutEntries } from './type1.ts';
import { type Called, readCalls } from './type1-charstrings.ts';
import { Type1Conversion } from './type1-conversion.ts';

/** Subroutines that every font has, and that interpreters know by their numbers. */
const LAST_COMMON_SUBR = 4;
/** What a CFF font takes less than this one, both packed: about half. */
const SPARED_BY_CONVERSION = 0.4;

export class Type1Program implements FontProgram {
  private readonly file: Buffer;
  private readonly font: Type1Font;
  private readonly names: NamedGlyphs;
  private conversion: Type1Conversion | undefined;
  private readonly calls = new Map<Entry, Called | undefined>();

  private constructor(file: Buffer, font: Type1Font) {
    this.file = file;
    this.font = font;
    const names = font.charstrings.map(({ name }) => name);
    this.names = new NamedGlyphs(names, (code) => {
      const glyph = names.indexOf(nameOfCode(font, code) ?? '');
      return glyph === -1 ? undefined : glyph;
    });
  }

  static read(file: Buffer): Type1Program | undefined {
    const font = readType1(file);
    return font?.faults.length === 0 ? new Type1Program(file, font) : undefined;
  }

  glyphsOf(shown: Shown): readonly number[] | undefined {
    return this.names.of(shown);
  }

  /** Subsets of Type 1 programs have no entries for what they lost. */
  draws(shown: Shown): boolean {
    return this.names.meant(shown).some((glyph) => this.font.charstrings[glyph]?.name !== '.notdef');
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined {
    const { charstrings, subrs } = this.font;
    const found = new Set(glyphs);
    const called = new Set<number>();
    for (const name of ['.notdef', 'space']) this.add(found, name);
    // What is added on the way is visited too.
    for (const glyph of found) if (!this.follow(charstrings[glyph], found, called)) return undefined;
    for (const subr of called) if (!this.follow(subrs.get(subr), found, called)) return undefined;
    const unused: Entry[] = charstrings.filter((_, glyph) => !found.has(glyph));
    for (const [number, subr] of subrs)
      if (number > LAST_COMMON_SUBR && !called.has(number)) unused.push(subr);
    const spared = unused.reduce((sum, { start, end }) => sum + end - start, 0);
    const sparedIfTight = Math.round((this.font.to - spared) * SPARED_BY_CONVERSION);
    const cut = (options?: SubsetOptions): SubsetProgram =>
      (options?.tight ? this.convertToCff(found) : undefined) ?? this.cutTo(found, unused);
    return { glyphs: found, spared, sparedIfTight, cut };
  }

  /** Whether it could be told what a charstring or a subroutine calls. */
  private follow(entry: Entry | undefined, glyphs: Set<number>, subrs: Set<number>): boolean {
    if (!entry) return true;
    if (!this.calls.has(entry)) this.calls.set(entry, readCalls(decryptEntry(this.font, entry)));
    const called = this.calls.get(entry);
    for (const code of called?.components ?? []) this.add(glyphs, STANDARD_NAMES[code]);
    for (const subr of called?.subrs ?? []) subrs.add(subr);
    return called !== undefined;
  }

  private add(glyphs: Set<number>, name: string | undefined): void {
    const glyph = this.names.get(name ?? '');
    if (glyph !== undefined) glyphs.add(glyph);
  }

  private charstringsOf(glyphs: ReadonlySet<number>): Type1Font['charstrings'] {
    return this.font.charstrings.filter((_, glyph) => glyphs.has(glyph));
  }

  private convertToCff(glyphs: ReadonlySet<number>): SubsetProgram | undefined {
    this.conversion ??= new Type1Conversion(this.font);
    const charstrings = this.charstringsOf(glyphs);
    const bytes = this.conversion.write(charstrings);
    return bytes && { bytes, kind: 'Type1C', names: charstrings.map(({ name }) => name) };
  }

  private cutTo(glyphs: ReadonlySet<number>, unused: readonly Entry[]): SubsetProgram {
    const [clear, encrypted, tail] = withoutEntries(this.file, this.font, unused);
    return {
      bytes: Buffer.concat([clear, encrypted, tail]),
      lengths: { Length1: clear.length, Length2: encrypted.length, Length3: tail.length },
      names: this.charstringsOf(glyphs).map(({ name }) => name),
    };
  }
}
