// CFF outlines, alone in the file (Type1C, CIDFontType0C) or within an OpenType font. Outlines that are not wanted are
// overwritten where they lie: nothing in the file moves, and repeated bytes weigh nothing once packed.

import { type Called, CharstringReader } from './cff-charstrings.ts';
import { type CffIndex, entryOf, readCffDict, readCharset, readEncoding, readIndex } from './cff-data.ts';
import { CFF_STRINGS } from './cff-strings.ts';
import { NamedGlyphs, standardName } from './named-glyphs.ts';
import type { CutProgram, FontProgram, GlyphSelection, Shown } from './program.ts';

const TOP = {
  charset: 15,
  encoding: 16,
  charstrings: 17,
  private: 18,
  charstringType: 0x0c06,
  ros: 0x0c1e,
} as const;
const PRIVATE = { pieces: 19 } as const;
/** Charsets that are not written out; of the three only the first is common. */
const ISO_ADOBE = { charset: 0, glyphs: 229 } as const;
const STANDARD_ENCODING = 0;
const EXPERT_ENCODING = 1;

const END = 14;
const RETURN = 11;

export class CffProgram implements FontProgram {
  private readonly bytes: Buffer;
  private readonly outlines: CffIndex;
  private readonly global: CffIndex;
  private readonly local: CffIndex | undefined;
  private readonly glyphOfCid: ReadonlyMap<number, number> | undefined;
  private readonly names: NamedGlyphs | undefined;

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
    const strings = readIndex(bytes, readIndex(bytes, readIndex(bytes, bytes.readUInt8(2)).end).end);
    const top = readCffDict(entryOf(bytes, readIndex(bytes, readIndex(bytes, bytes.readUInt8(2)).end), 0));
    // Outlines in the manner of Type 1 are allowed for and never seen.
    if ((top.get(TOP.charstringType)?.[0] ?? 2) !== 2)
      throw new RangeError('the outlines are of no known kind');
    this.global = readIndex(bytes, strings.end);
    this.outlines = readIndex(bytes, offsetIn(top, TOP.charstrings));
    const { count } = this.outlines;
    const charset = charsetOf(bytes, top, count);
    if (top.has(TOP.ros)) {
      this.glyphOfCid = charset && new Map([...charset].map((cid, glyph) => [cid, glyph]));
      return;
    }
    this.local = piecesOf(bytes, top);
    if (!charset) return;
    const nameOf = (number: number): string =>
      CFF_STRINGS[number] ?? entryOf(bytes, strings, number - CFF_STRINGS.length).toString('latin1');
    const names = [...charset].map(nameOf);
    this.names = new NamedGlyphs(names, builtInEncoding(bytes, top, names, nameOf));
  }

  static read(bytes: Buffer): CffProgram | undefined {
    const program = new CffProgram(bytes);
    return program.outlines.count > 0 ? program : undefined;
  }

  glyphsOf(shown: Shown): readonly number[] | undefined {
    if (shown.kind === 'simple') return this.names?.of(shown);
    const mapped = this.glyphOfCid?.get(shown.cid);
    return [
      shown.cid,
      ...(mapped === undefined ? [] : [mapped]),
      ...(shown.glyph === undefined ? [] : [shown.glyph]),
    ];
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined {
    const { count, start, end } = this.outlines;
    const found = new Set([0, ...glyphs].filter((glyph) => glyph >= 0 && glyph < count));
    const space = this.names?.get('space');
    if (space !== undefined) found.add(space);
    const called = this.names && this.follow(found, this.names);
    // Fonts with CIDs have no accented letters put together from others.
    if (!called && !this.glyphOfCid) return undefined;
    let kept = 0;
    for (const glyph of found) kept += start(glyph + 1) - start(glyph);
    return { glyphs: found, spared: end - start(0) - kept, cut: () => this.cutTo(found, called) };
  }

  /** Adds what the glyphs are put together from; tells which shared pieces they call. */
  private follow(glyphs: Set<number>, names: NamedGlyphs): Called | undefined {
    const reader = new CharstringReader(this.bytes, this.local, this.global);
    // What is added on the way is visited too.
    for (const glyph of glyphs) {
      if (!reader.follow(this.outlines.start(glyph), this.outlines.start(glyph + 1))) return undefined;
      for (const code of reader.called.components) {
        const component = names.get(standardName(code) ?? '');
        if (component !== undefined) glyphs.add(component);
      }
    }
    return reader.called;
  }

  private cutTo(glyphs: ReadonlySet<number>, called: Called | undefined): CutProgram {
    const bytes = Buffer.from(this.bytes);
    blank(bytes, this.outlines, glyphs, END);
    if (called && this.local) blank(bytes, this.local, called.local, RETURN);
    if (called) blank(bytes, this.global, called.global, RETURN);
    return { bytes };
  }
}

function blank(bytes: Buffer, { count, start }: CffIndex, kept: ReadonlySet<number>, filler: number): void {
  for (let entry = 0; entry < count; entry += 1)
    if (!kept.has(entry)) bytes.fill(filler, start(entry), start(entry + 1));
}

function offsetIn(dict: ReadonlyMap<number, readonly number[]>, operator: number): number {
  const offset = dict.get(operator)?.[0] ?? 0;
  if (offset <= 0) throw new RangeError('the font has no such part');
  return offset;
}

type TopDict = ReadonlyMap<number, readonly number[]>;

/** Undefined where it is one of those that are not written out, but for the common one. */
function charsetOf(bytes: Buffer, top: TopDict, count: number): Uint16Array | undefined {
  const offset = top.get(TOP.charset)?.[0] ?? ISO_ADOBE.charset;
  if (offset > 2) return readCharset(bytes, offset, count);
  if (offset !== ISO_ADOBE.charset || top.has(TOP.ros) || count > ISO_ADOBE.glyphs) return undefined;
  return Uint16Array.from({ length: count }, (_, glyph) => glyph);
}

function piecesOf(bytes: Buffer, top: TopDict): CffIndex | undefined {
  const [size = 0, offset = 0] = top.get(TOP.private) ?? [];
  const held = readCffDict(bytes.subarray(offset, offset + size)).get(PRIVATE.pieces)?.[0];
  return held === undefined ? undefined : readIndex(bytes, offset + held);
}

function builtInEncoding(
  bytes: Buffer,
  top: TopDict,
  names: readonly string[],
  nameOf: (number: number) => string,
): (code: number) => number | undefined {
  const offset = top.get(TOP.encoding)?.[0] ?? STANDARD_ENCODING;
  const glyphNamed = (name: string | undefined): number | undefined => {
    const glyph = name === undefined ? -1 : names.indexOf(name);
    return glyph === -1 ? undefined : glyph;
  };
  if (offset <= EXPERT_ENCODING)
    return (code) => (offset === STANDARD_ENCODING ? glyphNamed(standardName(code)) : undefined);
  const { glyphs, strings } = readEncoding(bytes, offset);
  return (code) => {
    const string = strings.get(code);
    return string === undefined ? glyphs.get(code) : glyphNamed(nameOf(string));
  };
}
