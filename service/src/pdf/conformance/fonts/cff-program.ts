// Compact Font Format programs (Adobe technical note 5176): names or CIDs of glyphs, codes, widths.
import { CFF_STRINGS } from '../../fonts/programs/cff-strings.ts';
import { charstringWidth } from './charstring-width.ts';

export interface CffProgram {
  isCid: boolean;
  glyphCount: number;
  /** By glyph: names, where the font is not CID-keyed. */
  names: string[];
  /** Glyphs by CID, where it is. */
  byCid: ReadonlyMap<number, number>;
  /** The font's own encoding: codes to glyphs. */
  encoding: ReadonlyMap<number, number>;
  /** Without an encoding of its own it has StandardEncoding. */
  isStandardEncoded: boolean;
  /** In thousandths of the size. */
  width(glyph: number): number | undefined;
}

interface Index {
  count: number;
  item(index: number): Uint8Array;
  end: number;
}

type TopDict = ReadonlyMap<number, number[]>;

/** Glyphs of the predefined charset ISOAdobe, which has the first strings in order. */
const ISO_ADOBE_COUNT = 229;
const CHARSET = 15;
const ENCODING = 16;
const CHARSTRINGS = 17;
const PRIVATE = 18;
const SUBRS = 19;
const DEFAULT_WIDTH = 20;
const NOMINAL_WIDTH = 21;
const ESCAPE = 1200;
const FONT_MATRIX = ESCAPE + 7;
const ROS = ESCAPE + 30;
const FD_ARRAY = ESCAPE + 36;
const FD_SELECT = ESCAPE + 37;

const EMPTY: Index = { count: 0, item: () => new Uint8Array(), end: 0 };

export function readCff(bytes: Uint8Array): CffProgram | undefined {
  try {
    return read(bytes);
  } catch {
    // Offsets that lead out of the file.
    return undefined;
  }
}

function read(bytes: Uint8Array): CffProgram | undefined {
  const names = readIndex(bytes, bytes[2] ?? 4);
  const tops = readIndex(bytes, names.end);
  const strings = readIndex(bytes, tops.end);
  const globals = readIndex(bytes, strings.end);
  const top = readDict(tops.item(0));
  const charstringsAt = top.get(CHARSTRINGS)?.[0];
  if (charstringsAt === undefined) return undefined;
  const charstrings = readIndex(bytes, charstringsAt);
  const isCid = top.has(ROS);
  const charset = readCharset(bytes, top.get(CHARSET)?.[0] ?? 0, charstrings.count);
  const text = (sid: number): string =>
    CFF_STRINGS[sid] ?? Buffer.from(strings.item(sid - CFF_STRINGS.length)).toString('latin1');
  const fonts = isCid ? fontDicts(bytes, top) : [top];
  const select = isCid ? fontSelect(bytes, top.get(FD_SELECT)?.[0] ?? 0, charstrings.count) : () => 0;
  const privates = fonts.map((font) => readPrivate(bytes, font));
  const encodingAt = top.get(ENCODING)?.[0] ?? 0;
  return {
    isCid,
    glyphCount: charstrings.count,
    names: isCid ? [] : charset.map(text),
    byCid: new Map(isCid ? charset.map((cid, glyph) => [cid, glyph]) : []),
    encoding: encodingAt > 1 ? readEncoding(bytes, encodingAt, charset) : new Map(),
    isStandardEncoded: encodingAt === 0,
    width(glyph) {
      if (glyph < 0 || glyph >= charstrings.count) return undefined;
      const which = select(glyph);
      const held = privates[which];
      if (!held) return undefined;
      const own = charstringWidth(charstrings.item(glyph), held.subrs, globals);
      const width = own === undefined ? held.defaultWidth : held.nominalWidth + own;
      const scale = (top.get(FONT_MATRIX)?.[0] ?? fonts[which]?.get(FONT_MATRIX)?.[0] ?? 0.001) * 1000;
      return width * scale;
    },
  };
}

function readIndex(bytes: Uint8Array, at: number): Index {
  const count = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  if (count === 0) return { ...EMPTY, end: at + 2 };
  const size = bytes[at + 2] ?? 1;
  const offsetAt = (index: number): number => unsigned(bytes, at + 3 + index * size, size);
  const base = at + 2 + (count + 1) * size;
  return {
    count,
    item: (index) =>
      index < 0 || index >= count
        ? new Uint8Array()
        : bytes.subarray(base + offsetAt(index), base + offsetAt(index + 1)),
    end: base + offsetAt(count),
  };
}

const unsigned = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0;
  for (let index = 0; index < size; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
};

function readDict(bytes: Uint8Array): TopDict {
  const entries = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte <= 21) {
      const escaped = byte === 12;
      entries.set(escaped ? ESCAPE + (bytes[at + 1] ?? 0) : byte, operands);
      operands = [];
      at += escaped ? 2 : 1;
    } else if (byte === 30) {
      const real = readReal(bytes, at + 1);
      operands.push(real.value);
      at = real.end;
    } else if (byte === 28) {
      operands.push(((unsigned(bytes, at + 1, 2) << 16) >> 16) | 0);
      at += 3;
    } else if (byte === 29) {
      operands.push(unsigned(bytes, at + 1, 4) | 0);
      at += 5;
    } else if (byte >= 32 && byte <= 246) {
      operands.push(byte - 139);
      at += 1;
    } else if (byte >= 247 && byte <= 254) {
      const low = bytes[at + 1] ?? 0;
      operands.push(byte <= 250 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108);
      at += 2;
    } else at += 1;
  }
  return entries;
}

const NIBBLES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-', ''];

function readReal(bytes: Uint8Array, from: number): { value: number; end: number } {
  let text = '';
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0xff;
    for (const nibble of [byte >> 4, byte & 15]) {
      if (nibble === 15) return { value: Number(text) || 0, end: at + 1 };
      text += NIBBLES[nibble] ?? '';
    }
  }
  return { value: 0, end: bytes.length };
}

function readPrivate(bytes: Uint8Array, font: TopDict) {
  const [size = 0, at = 0] = font.get(PRIVATE) ?? [];
  const dict = readDict(bytes.subarray(at, at + size));
  const subrsAt = dict.get(SUBRS)?.[0];
  return {
    defaultWidth: dict.get(DEFAULT_WIDTH)?.[0] ?? 0,
    nominalWidth: dict.get(NOMINAL_WIDTH)?.[0] ?? 0,
    subrs: subrsAt === undefined ? EMPTY : readIndex(bytes, at + subrsAt),
  };
}

function fontDicts(bytes: Uint8Array, top: TopDict): TopDict[] {
  const index = readIndex(bytes, top.get(FD_ARRAY)?.[0] ?? 0);
  return Array.from({ length: Math.min(index.count, 256) }, (_, at) => readDict(index.item(at)));
}

function fontSelect(bytes: Uint8Array, at: number, count: number): (glyph: number) => number {
  if (at === 0) return () => 0;
  if (bytes[at] === 0) return (glyph) => (glyph < count ? (bytes[at + 1 + glyph] ?? 0) : 0);
  const ranges = unsigned(bytes, at + 1, 2);
  return (glyph) => {
    for (let range = ranges - 1; range >= 0; range -= 1)
      if (unsigned(bytes, at + 3 + range * 3, 2) <= glyph) return bytes[at + 5 + range * 3] ?? 0;
    return 0;
  };
}

function readCharset(bytes: Uint8Array, at: number, count: number): number[] {
  // 0, 1 and 2 are charsets that every reader knows; the first numbers its glyphs in order.
  if (at <= 2) return Array.from({ length: Math.min(count, ISO_ADOBE_COUNT) }, (_, glyph) => glyph);
  const charset = [0];
  const format = bytes[at] ?? 0;
  let next = at + 1;
  while (charset.length < count && next < bytes.length) {
    const first = unsigned(bytes, next, 2);
    const left = format === 0 ? 0 : unsigned(bytes, next + 2, format);
    for (let index = 0; index <= left && charset.length < count; index += 1) charset.push(first + index);
    next += 2 + format;
  }
  return charset;
}

function readEncoding(bytes: Uint8Array, at: number, charset: readonly number[]): Map<number, number> {
  const encoding = new Map<number, number>();
  const format = (bytes[at] ?? 0) & 0x7f;
  const count = bytes[at + 1] ?? 0;
  let next = at + 2;
  let glyph = 1;
  for (let index = 0; index < count; index += 1) {
    const first = bytes[next] ?? 0;
    const left = format === 0 ? 0 : (bytes[next + 1] ?? 0);
    for (let step = 0; step <= left; step += 1, glyph += 1) encoding.set(first + step, glyph);
    next += 1 + format;
  }
  if (((bytes[at] ?? 0) & 0x80) === 0) return encoding;
  const supplements = bytes[next] ?? 0;
  for (let index = 0; index < supplements; index += 1) {
    const row = next + 1 + index * 3;
    encoding.set(bytes[row] ?? 0, charset.indexOf(unsigned(bytes, row + 1, 2)));
  }
  return encoding;
}
