// What a font says of itself: names, style, measures.
import type { Typeface } from '../../pdf/text/drawn-text-shapes.ts';
import type { FaceTables, FontFile } from './font-file.ts';

export interface FaceFacts {
  family: string;
  postScriptName: string;
  weight: number;
  italic: boolean;
  /** 1 narrow to 9 wide; 5 is normal. */
  width: number;
  class: 'sans' | 'serif' | 'mono';
  outlines: 'glyf' | 'CFF ';
  /** Its glyphs are meant to be painted in colours; their outlines alone may say little. */
  colour: boolean;
  revision: number;
  unitsPerEm: number;
  ascent: number;
  descent: number;
  capHeight: number;
  italicAngle: number;
  box: [number, number, number, number];
}

/** A face of a font file, and what it says of itself. */
export interface FontFace {
  readonly path: string;
  /** Where the face begins in the file. */
  readonly offset: number;
  readonly facts: FaceFacts;
  /** How its glyphs are told: by their numbers, or by CIDs. */
  readonly outlines: Typeface['outlines'];
}

/** Fonts that draw a placeholder for every character. */
const PLACEHOLDERS = /last\s*resort|adobe blank|bmp fallback/i;

/** The facts, or nothing when the font cannot be drawn with: bitmaps only, or embedding not allowed. */
export function readFacts(file: FontFile, face: FaceTables): FaceFacts | undefined {
  const { tables } = face;
  const outlines =
    tables.has('glyf') && tables.has('loca') ? 'glyf' : tables.has('CFF ') ? 'CFF ' : undefined;
  const head = file.table(tables, 'head', 54);
  const hhea = file.table(tables, 'hhea', 36);
  const name = file.table(tables, 'name', 65536);
  if (!outlines || !head || !hhea || !name || !tables.has('cmap') || !tables.has('hmtx')) return undefined;
  const family = readName(name, 16) ?? readName(name, 1) ?? '';
  const os2 = file.table(tables, 'OS/2', 96);
  if (family === '' || PLACEHOLDERS.test(family) || !mayBeEmbedded(os2)) return undefined;
  const post = file.table(tables, 'post', 16);
  const unitsPerEm = head.readUInt16BE(18) || 1000;
  return {
    family,
    postScriptName: readName(name, 6) ?? family,
    weight: os2?.readUInt16BE(4) ?? (head.readUInt16BE(44) & 1 ? 700 : 400),
    italic: (head.readUInt16BE(44) & 2) !== 0,
    width: os2?.readUInt16BE(6) ?? 5,
    class: classOf(family, os2, post),
    outlines,
    colour: ['COLR', 'CBDT', 'sbix', 'SVG '].some((tag) => tables.has(tag)),
    revision: head.readInt32BE(4) / 65536,
    unitsPerEm,
    ...verticalMeasures(hhea, os2),
    capHeight:
      os2 && os2.length >= 90 && os2.readUInt16BE(0) >= 2 ? os2.readInt16BE(88) : hhea.readInt16BE(4),
    italicAngle: post ? post.readInt32BE(4) / 65536 : 0,
    box: [head.readInt16BE(36), head.readInt16BE(38), head.readInt16BE(40), head.readInt16BE(42)],
  };
}

function verticalMeasures(hhea: Buffer, os2: Buffer | undefined): { ascent: number; descent: number } {
  // fsSelection bit 7: the font asks for its typographic measures.
  if (os2 && os2.length >= 78 && os2.readUInt16BE(62) & 0x80) {
    return { ascent: os2.readInt16BE(68), descent: -os2.readInt16BE(70) };
  }
  return { ascent: hhea.readInt16BE(4), descent: -hhea.readInt16BE(6) };
}

/** OS/2 fsType: not when embedding is restricted, subsetting forbidden, or only bitmaps may be embedded. */
function mayBeEmbedded(os2: Buffer | undefined): boolean {
  if (!os2 || os2.length < 78) return true;
  const type = os2.readUInt16BE(8);
  return (type & 0x000f) !== 0x0002 && (type & 0x0300) === 0;
}

function classOf(family: string, os2: Buffer | undefined, post: Buffer | undefined): FaceFacts['class'] {
  if ((post && post.length >= 16 && post.readUInt32BE(12) !== 0) || /\bmono\b/i.test(family)) return 'mono';
  if (/\bserif\b/i.test(family)) return 'serif';
  if (/\bsans\b/i.test(family)) return 'sans';
  const panose = os2 && os2.length >= 42 ? [os2.readUInt8(32), os2.readUInt8(33)] : [0, 0];
  const [kind = 0, serif = 0] = panose;
  return kind === 2 && serif >= 2 && serif <= 10 ? 'serif' : 'sans';
}

/** A name in English, else in any language. */
function readName(table: Buffer, id: number): string | undefined {
  const count = Math.min(table.readUInt16BE(2), 2000);
  const storage = table.readUInt16BE(4);
  let other: string | undefined;
  for (let row = 6; row < 6 + 12 * count && row + 12 <= table.length; row += 12) {
    if (table.readUInt16BE(row + 6) !== id) continue;
    const platform = table.readUInt16BE(row);
    const start = storage + table.readUInt16BE(row + 10);
    const bytes = table.subarray(start, start + (table.readUInt16BE(row + 8) & ~(platform === 1 ? 0 : 1)));
    if (platform === 1) {
      other ??= bytes.toString('latin1');
      continue;
    }
    const text = Buffer.from(bytes).swap16().toString('utf16le');
    if (table.readUInt16BE(row + 4) === 0x409) return text;
    other ??= text;
  }
  return other;
}
