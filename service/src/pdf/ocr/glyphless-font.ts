// A font of one empty glyph, for text that lies over an image of itself: every code has the same width and shows
// nothing, and reads as the character it stands for.
import type { PdfDocument } from '../document.ts';
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import { writeSfnt } from '../fonts/programs/sfnt.ts';
import { type0Font } from '../fonts/type0-font.ts';
import { Dict, name, type Ref } from '../objects.ts';

/** Of each character, in ems. */
export const GLYPHLESS_WIDTH = 0.5;
const UNITS = 1000;
const ASCENT = 750;
const DESCENT = 250;
const NAME = 'Unseen';
/** Codes have two bytes, and 0 stands for nothing. */
const MAX_CODES = 0xffff;

export interface GlyphlessFont {
  ref: Ref;
  /** The codes of a text, in hexadecimal digits; characters beyond the first 65 535 kinds are left out. */
  codes(text: string): string;
}

export function addGlyphlessFont(doc: PdfDocument, characters: ReadonlySet<string>): GlyphlessFont {
  const sorted = [...characters].sort().slice(0, MAX_CODES);
  const codes = new Map(sorted.map((character, index) => [character, index + 1]));
  const program = fontProgram();
  const descriptor = Dict.of({
    Type: name('FontDescriptor'),
    FontName: name(NAME),
    // Symbolic: its characters are its own.
    Flags: 4,
    FontBBox: [0, -DESCENT, UNITS * GLYPHLESS_WIDTH, ASCENT],
    ItalicAngle: 0,
    Ascent: ASCENT,
    Descent: -DESCENT,
    CapHeight: ASCENT,
    StemV: 80,
    FontFile2: doc.addStream(Dict.of({ Length1: program.length }), program),
  });
  const font = type0Font(doc, {
    baseFont: NAME,
    descriptor: doc.add(descriptor),
    cidToGidMap: doc.addStream(new Dict(), glyphNumbers(sorted.length)),
    defaultWidth: UNITS * GLYPHLESS_WIDTH,
    toUnicode: writeToUnicode(sorted.map((text, index) => ({ code: index + 1, length: 2, text }))),
  });
  const hex = (character: string): string => codes.get(character)?.toString(16).padStart(4, '0') ?? '';
  return { ref: doc.add(font), codes: (text) => [...text].map(hex).join('') };
}

/** Every code but 0 is drawn by the one glyph: that which stands for missing ones must not be used. */
function glyphNumbers(codes: number): Uint8Array {
  const map = Buffer.alloc(2 * (codes + 1));
  for (let code = 1; code <= codes; code += 1) map.writeUInt16BE(1, 2 * code);
  return map;
}

const GLYPHS = 2;

/** TrueType with the tables that PDF asks for, and the few more that strict readers want. */
function fontProgram(): Buffer {
  const head = table(54, [
    [0, 0x00010000],
    [4, 0x00010000],
    [12, 0x5f0f3cf5],
  ]);
  head.writeUInt16BE(UNITS, 18);
  head.writeInt16BE(-DESCENT, 38);
  head.writeInt16BE(UNITS * GLYPHLESS_WIDTH, 40);
  head.writeInt16BE(ASCENT, 42);
  head.writeUInt16BE(8, 46);
  head.writeInt16BE(2, 48);
  const hhea = table(36, [[0, 0x00010000]]);
  hhea.writeInt16BE(ASCENT, 4);
  hhea.writeInt16BE(-DESCENT, 6);
  hhea.writeUInt16BE(UNITS * GLYPHLESS_WIDTH, 10);
  hhea.writeUInt16BE(GLYPHS, 34);
  const maxp = table(32, [[0, 0x00010000]]);
  maxp.writeUInt16BE(GLYPHS, 4);
  maxp.writeUInt16BE(1, 14);
  const hmtx = Buffer.alloc(4 * GLYPHS);
  for (let glyph = 0; glyph < GLYPHS; glyph += 1) hmtx.writeUInt16BE(UNITS * GLYPHLESS_WIDTH, 4 * glyph);
  const post = table(32, [[0, 0x00030000]]);
  return writeSfnt({
    version: 0x00010000,
    tables: new Map([
      ['head', head],
      ['hhea', hhea],
      ['maxp', maxp],
      ['hmtx', hmtx],
      ['loca', Buffer.alloc(2 * (GLYPHS + 1))],
      // No outline at all; a table of no length upsets some readers.
      ['glyf', Buffer.alloc(4)],
      ['cmap', characterMap()],
      ['post', post],
    ]),
  });
}

function table(length: number, words: readonly (readonly [at: number, value: number])[]): Buffer {
  const made = Buffer.alloc(length);
  for (const [at, value] of words) made.writeUInt32BE(value, at);
  return made;
}

/** Format 6 for Windows, symbols: the code F001 is the one glyph. */
function characterMap(): Buffer {
  const made = Buffer.alloc(12 + 12);
  for (const [index, value] of [0, 1, 3, 0, 0, 12, 6, 12, 0, 0xf001, 1, 1].entries())
    made.writeUInt16BE(value, 2 * index);
  return made;
}
