// Which glyphs a TrueType font has for characters and codes: its cmap and post tables.
import { characterOfGlyph } from '../simple-encodings.ts';

export type CharacterMap = ReadonlyMap<number, number>;

const MAX_MAPS = 32;
const MAX_ENTRIES = 400_000;

/** Every map of the font; undefined where one of them is of a kind not known here. */
export function readCharacterMaps(cmap: Buffer | undefined): CharacterMap[] | undefined {
  if (!cmap) return [];
  const offsets = new Set<number>();
  const count = cmap.readUInt16BE(2);
  if (count > MAX_MAPS) return undefined;
  for (let row = 4; row < 4 + 8 * count; row += 8) offsets.add(cmap.readUInt32BE(row + 4));
  const maps: CharacterMap[] = [];
  for (const offset of offsets) {
    const map = readMap(cmap.subarray(offset));
    if (!map) return undefined;
    maps.push(map);
  }
  return maps;
}

function readMap(table: Buffer): CharacterMap | undefined {
  const format = table.readUInt16BE(0);
  const map = new Map<number, number>();
  if (format === 0) for (let code = 0; code < 256; code += 1) map.set(code, table.readUInt8(6 + code));
  else if (format === 4) readSegments(table, map);
  else if (format === 6) {
    const first = table.readUInt16BE(6);
    const count = table.readUInt16BE(8);
    for (let index = 0; index < count; index += 1) map.set(first + index, table.readUInt16BE(10 + 2 * index));
  } else if (format === 12) readGroups(table, map);
  // Variants of characters (14) add glyphs only for sequences of characters, which no code of a PDF is.
  else if (format !== 14) return undefined;
  return map;
}

function readSegments(table: Buffer, map: Map<number, number>): void {
  const twice = table.readUInt16BE(6) & ~1;
  for (let at = 0; at < twice && map.size < MAX_ENTRIES; at += 2) {
    const last = table.readUInt16BE(14 + at);
    const first = table.readUInt16BE(16 + twice + at);
    const delta = table.readUInt16BE(16 + 2 * twice + at);
    const rangeAt = 16 + 3 * twice + at;
    const range = table.readUInt16BE(rangeAt);
    for (let code = first; code <= last; code += 1) {
      const place = rangeAt + range + 2 * (code - first);
      const listed =
        range === 0 || range === 0xffff ? code : place + 2 > table.length ? 0 : table.readUInt16BE(place);
      if (listed !== 0 || range === 0) map.set(code, (listed + delta) & 0xffff);
    }
  }
}

function readGroups(table: Buffer, map: Map<number, number>): void {
  const count = table.readUInt32BE(12);
  for (let group = 0; group < count && map.size < MAX_ENTRIES; group += 1) {
    const at = 16 + 12 * group;
    const first = table.readUInt32BE(at);
    const last = Math.min(table.readUInt32BE(at + 4), 0x10ffff);
    const glyph = table.readUInt32BE(at + 8);
    for (let code = first; code <= last && map.size < MAX_ENTRIES; code += 1)
      map.set(code, glyph + code - first);
  }
}

export interface GlyphNames {
  byName: ReadonlyMap<string, number>;
  /** By the character that a name stands for. */
  byCharacter: ReadonlyMap<string, readonly number[]>;
}

/** Names of the 258 glyphs every Macintosh font had: those beyond its character set. */
const MACINTOSH_MORE =
  'Lslash lslash Scaron scaron Zcaron zcaron brokenbar Eth eth Yacute yacute Thorn thorn minus multiply onesuperior twosuperior threesuperior onehalf onequarter threequarters franc Gbreve gbreve Idotaccent Scedilla scedilla Cacute cacute Ccaron ccaron dcroat'.split(
    ' ',
  );
const MACINTOSH_GLYPHS = 258;
const FIRST_MACINTOSH = 3;
const FIRST_MORE = 226;

function macintoshCharacter(index: number): string | undefined {
  if (index >= FIRST_MORE) return characterOfGlyph(MACINTOSH_MORE[index - FIRST_MORE] ?? '');
  // The letters of ASCII, without the last, then the upper half of the set.
  const code = index - FIRST_MACINTOSH + 0x20 + (index >= FIRST_MACINTOSH + 95 ? 1 : 0);
  return index < FIRST_MACINTOSH ? undefined : new TextDecoder('macintosh').decode(Uint8Array.of(code));
}

export function readGlyphNames(post: Buffer | undefined): GlyphNames {
  const byName = new Map<string, number>();
  const byCharacter = new Map<string, number[]>();
  const add = (character: string | undefined, glyph: number): void => {
    if (character === undefined) return;
    const held = byCharacter.get(character);
    if (held) held.push(glyph);
    else byCharacter.set(character, [glyph]);
  };
  const format = post && post.length >= 32 ? post.readUInt32BE(0) : 0;
  if (format === 0x00010000)
    for (let glyph = 0; glyph < MACINTOSH_GLYPHS; glyph += 1) add(macintoshCharacter(glyph), glyph);
  if (format !== 0x00020000 || !post) return { byName, byCharacter };
  const count = post.readUInt16BE(32);
  const own = pascalStrings(post.subarray(34 + 2 * count));
  for (let glyph = 0; glyph < count; glyph += 1) {
    const index = post.readUInt16BE(34 + 2 * glyph);
    if (index < MACINTOSH_GLYPHS) add(macintoshCharacter(index), glyph);
    const name = own[index - MACINTOSH_GLYPHS];
    if (name === undefined) continue;
    byName.set(name, glyph);
    add(characterOfGlyph(name), glyph);
  }
  return { byName, byCharacter };
}

function pascalStrings(bytes: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt8(at);
    strings.push(bytes.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return strings;
}
