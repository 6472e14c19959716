// Type 1 font programs. Outlines that are not wanted are left out, and the shared pieces that only those call.
import type { CutProgram, FontProgram, GlyphSelection, Shown } from './font-program.ts';
import { NamedGlyphs, standardName } from './named-glyphs.ts';
import { type Called, readCalls } from './type1-charstrings.ts';
import { type Entry, programOf, readType1, type Type1Layout, without } from './type1-layout.ts';

/** Pieces that every font has, and that interpreters know by their numbers. */
const LAST_COMMON_PIECE = 4;

export class Type1Program implements FontProgram {
  private readonly file: Buffer;
  private readonly layout: Type1Layout;
  private readonly names: NamedGlyphs;
  private readonly calls = new Map<Entry, Called | undefined>();

  private constructor(file: Buffer, layout: Type1Layout) {
    this.file = file;
    this.layout = layout;
    const names = layout.outlines.map(({ name }) => name);
    const encoding = builtInNames(file.toString('latin1', 0, layout.from));
    this.names = new NamedGlyphs(names, (code) => {
      const glyph = names.indexOf(encoding(code) ?? '');
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
    return { glyphs: found, spared, cut: () => this.cutTo(found, unused) };
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

  private cutTo(glyphs: ReadonlySet<number>, unused: readonly Entry[]): CutProgram {
    const [clear, encrypted, tail] = without(this.file, this.layout, unused);
    return {
      bytes: Buffer.concat([clear, encrypted, tail]),
      lengths: { Length1: clear.length, Length2: encrypted.length, Length3: tail.length },
      names: this.layout.outlines.filter((_, glyph) => glyphs.has(glyph)).map(({ name }) => name),
    };
  }
}

/** What codes are called by the font program itself. */
function builtInNames(clear: string): (code: number) => string | undefined {
  if (/\/Encoding\s+StandardEncoding\b/.test(clear)) return standardName;
  const names = new Map<number, string>();
  for (const [, base, digits = '', name = ''] of clear.matchAll(
    /\bdup\s+(?:(\d{1,2})#)?([0-9a-zA-Z]{1,5})\s*\/([^\s/[\](){}<>%]+)\s+put\b/g,
  ))
    names.set(Number.parseInt(digits, Number(base ?? 10)), name);
  return (code) => names.get(code);
}
