// CFF font programs (Adobe Technical Note 5176): names or CIDs of glyphs, the built-in encoding, charstrings, widths.
// What lies outside of the program ends with a RangeError.

import { STANDARD_NAMES } from '../simple-encodings.ts';
import { CFF_STRINGS } from './cff-strings.ts';
import {
  type CffDict,
  type CffIndex,
  entryOf,
  readCffDict,
  readCffIndexes,
  readCharset,
  readEncoding,
  readFdSelect,
  readIndex,
} from './cff-structures.ts';
import { readCharstringWidth } from './type2-charstrings.ts';

/** Operators of the Top DICT and of Private DICTs. */
export const CFF_OPERATOR = {
  charset: 15,
  encoding: 16,
  charstrings: 17,
  private: 18,
  subrs: 19,
  defaultWidth: 20,
  nominalWidth: 21,
  charstringType: 0x0c06,
  fontMatrix: 0x0c07,
  ros: 0x0c1e,
  fdArray: 0x0c24,
  fdSelect: 0x0c25,
} as const;
/** Predefined charsets and encodings, which are not written out; of those with expert glyphs none is known here. */
const ISO_ADOBE = { charset: 0, glyphs: 229 } as const;
const LAST_PREDEFINED_CHARSET = 2;
const STANDARD_ENCODING = 0;
const EXPERT_ENCODING = 1;
const MAX_FONT_DICTS = 256;

interface PrivateDict {
  defaultWidth: number;
  nominalWidth: number;
  subrs: CffIndex | undefined;
}

interface FontDict {
  dict: CffDict;
  private: PrivateDict;
}

export class CffFont {
  readonly bytes: Buffer;
  readonly top: CffDict;
  readonly charstrings: CffIndex;
  readonly globalSubrs: CffIndex;
  readonly isCid: boolean;
  /** By glyph: numbers of names, or CIDs; undefined where they are predefined and not known here. */
  readonly charset: Uint16Array | undefined;
  /** By glyph; undefined where glyphs have CIDs. */
  readonly names: readonly string[] | undefined;
  private readonly glyphs = new Map<string, number>();
  private readonly encoding: (code: number) => number | undefined;
  /** Those of FDArray; a font without CIDs is its only one. */
  private readonly fontDicts: readonly FontDict[];
  private fdSelect: ((glyph: number) => number) | undefined;
  private cids: ReadonlyMap<number, number> | undefined;

  constructor(bytes: Buffer) {
    const { topDicts, strings, globalSubrs } = readCffIndexes(bytes);
    this.bytes = bytes;
    this.top = readCffDict(entryOf(bytes, topDicts, 0));
    this.globalSubrs = globalSubrs;
    const at = this.top.get(CFF_OPERATOR.charstrings)?.[0] ?? 0;
    if (at <= 0) throw new RangeError('the font has no charstrings');
    this.charstrings = readIndex(bytes, at);
    this.isCid = this.top.has(CFF_OPERATOR.ros);
    this.charset = this.readCharset();
    const nameOf = (number: number): string =>
      CFF_STRINGS[number] ?? entryOf(bytes, strings, number - CFF_STRINGS.length).toString('latin1');
    this.names = this.isCid ? undefined : this.charset && Array.from(this.charset, nameOf);
    for (const [glyph, name] of (this.names ?? []).entries())
      if (!this.glyphs.has(name)) this.glyphs.set(name, glyph);
    this.encoding = this.readEncoding(nameOf);
    const fonts = this.isCid ? this.readFdArray() : [this.top];
    this.fontDicts = fonts.map((dict) => ({ dict, private: this.readPrivate(dict) }));
  }

  get glyphCount(): number {
    return this.charstrings.count;
  }

  glyphNamed(name: string | undefined): number | undefined {
    return name === undefined ? undefined : this.glyphs.get(name);
  }

  /** By the encoding that the program brings along. */
  glyphOfCode(code: number): number | undefined {
    return this.encoding(code);
  }

  /** Glyphs by CID, where the font has CIDs. */
  get byCid(): ReadonlyMap<number, number> {
    this.cids ??= new Map(this.isCid ? [...(this.charset ?? [])].map((cid, glyph) => [cid, glyph]) : []);
    return this.cids;
  }

  /** Of a font without CIDs. */
  get localSubrs(): CffIndex | undefined {
    return this.fontDicts[0]?.private.subrs;
  }

  /** In thousandths of the size. */
  width(glyph: number): number | undefined {
    const { charstrings, top, bytes } = this;
    if (glyph < 0 || glyph >= charstrings.count) return undefined;
    const select = this.isCid ? (top.get(CFF_OPERATOR.fdSelect)?.[0] ?? 0) : 0;
    this.fdSelect ??= select > 0 ? readFdSelect(bytes, select) : () => 0;
    const font = this.fontDicts[this.fdSelect(glyph)];
    if (!font) return undefined;
    const { defaultWidth, nominalWidth, subrs } = font.private;
    const [start, end] = [charstrings.start(glyph), charstrings.start(glyph + 1)];
    const own = readCharstringWidth(bytes, { start, end }, subrs, this.globalSubrs);
    const [scale = 0.001] = top.get(CFF_OPERATOR.fontMatrix) ?? font.dict.get(CFF_OPERATOR.fontMatrix) ?? [];
    return (own === undefined ? defaultWidth : nominalWidth + own) * (scale * 1000);
  }

  private readCharset(): Uint16Array | undefined {
    const count = this.charstrings.count;
    const offset = this.top.get(CFF_OPERATOR.charset)?.[0] ?? ISO_ADOBE.charset;
    if (offset > LAST_PREDEFINED_CHARSET) return readCharset(this.bytes, offset, count);
    // CIDs that are not written out are the numbers of the glyphs.
    const isInOrder = this.isCid || (offset === ISO_ADOBE.charset && count <= ISO_ADOBE.glyphs);
    return isInOrder ? Uint16Array.from({ length: count }, (_, glyph) => glyph) : undefined;
  }

  private readEncoding(nameOf: (number: number) => string): (code: number) => number | undefined {
    const offset = this.top.get(CFF_OPERATOR.encoding)?.[0] ?? STANDARD_ENCODING;
    if (this.isCid || offset === EXPERT_ENCODING) return () => undefined;
    if (offset === STANDARD_ENCODING) return (code) => this.glyphNamed(STANDARD_NAMES[code]);
    const { glyphs, strings } = readEncoding(this.bytes, offset);
    return (code) => {
      const string = strings.get(code);
      return string === undefined ? glyphs.get(code) : this.glyphNamed(nameOf(string));
    };
  }

  private readFdArray(): CffDict[] {
    const { bytes } = this;
    const list = readIndex(bytes, this.top.get(CFF_OPERATOR.fdArray)?.[0] ?? 0);
    const count = Math.min(list.count, MAX_FONT_DICTS);
    return Array.from({ length: count }, (_, font) => readCffDict(entryOf(bytes, list, font)));
  }

  private readPrivate(dict: CffDict): PrivateDict {
    const [size = 0, offset = 0] = dict.get(CFF_OPERATOR.private) ?? [];
    if (offset + size > this.bytes.length) throw new RangeError('the Private DICT lies outside of the font');
    const held = readCffDict(this.bytes.subarray(offset, offset + size));
    const subrs = held.get(CFF_OPERATOR.subrs)?.[0];
    return {
      defaultWidth: held.get(CFF_OPERATOR.defaultWidth)?.[0] ?? 0,
      nominalWidth: held.get(CFF_OPERATOR.nominalWidth)?.[0] ?? 0,
      subrs: subrs === undefined ? undefined : readIndex(this.bytes, offset + subrs),
    };
  }
}
