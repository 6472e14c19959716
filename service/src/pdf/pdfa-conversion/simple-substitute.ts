// A simple font with a TrueType program made for it: one cmap that leads from each code to its glyph, and the widths
// that the document states.
import type { PdfDocument } from '../document.ts';
import { fontDescriptor } from '../fonts/font-descriptor.ts';
import { readSoundSfnt, writeSfnt } from '../fonts/programs/sfnt.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import type { MeantCode } from './code-characters.ts';
import { drawn, type FoundFont, round, setWidths, substituteName, toUnicodeFor } from './substitute-parts.ts';

const SYMBOL_CODES = 0xf000;

export function embedSimple(doc: PdfDocument, ref: Ref, codes: readonly MeantCode[], found: FoundFont): void {
  const { font } = found;
  const { glyphs, widths, program } = numbered(codes, found);
  const made = withCodes(Buffer.from(program), glyphs, widths, font.unitsPerEm);
  if (!made) return;
  const file = doc.addStream(Dict.of({ Length1: made.bytes.length }), made.bytes);
  const fontName = substituteName(font, codes);
  const [first, last] = [Math.min(...glyphs.keys()), Math.max(...glyphs.keys())];
  const listed: PdfValue[] = Array.from({ length: last - first + 1 }, (_, index) => {
    const glyph = glyphs.get(first + index);
    return glyph === undefined ? 0 : round(made.width(glyph));
  });
  doc.replace(
    ref,
    Dict.of({
      Type: name('Font'),
      Subtype: name('TrueType'),
      BaseFont: name(fontName),
      FirstChar: first,
      LastChar: last,
      Widths: listed,
      FontDescriptor: doc.add(fontDescriptor(font, fontName, { FontFile2: file })),
      ToUnicode: doc.addStream(new Dict(), toUnicodeFor(codes)),
    }),
  );
}

/** Codes and their glyphs. A glyph that is shown with several widths becomes several glyphs. */
function numbered(
  codes: readonly MeantCode[],
  found: FoundFont,
): { glyphs: Map<number, number>; widths: Map<number, number>; program: Uint8Array } {
  const { font } = found;
  const widths = new Map<number, number>();
  const glyphs = new Map<number, number>();
  const doubled: MeantCode[] = [];
  for (const each of codes) {
    const glyph = found.glyph(drawn(each.character));
    const known = widths.get(glyph);
    if (known !== undefined && Math.abs(known - each.width) > 0.5) doubled.push(each);
    else {
      widths.set(glyph, each.width);
      glyphs.set(each.code, glyph);
    }
  }
  const composites = doubled.map(({ character, width }) => ({
    parts: [{ glyph: found.glyph(drawn(character)), x: 0, y: 0 }],
    width: Math.round((Math.max(0, width) * font.unitsPerEm) / 1000),
  }));
  const { program, firstComposite } = font.subset(
    [...widths.keys()].sort((a, b) => a - b),
    composites,
  );
  for (const [index, { code, width }] of doubled.entries()) {
    glyphs.set(code, firstComposite + index);
    widths.set(firstComposite + index, width);
  }
  return { glyphs, widths, program };
}

function withCodes(
  program: Buffer,
  glyphs: ReadonlyMap<number, number>,
  widths: ReadonlyMap<number, number>,
  unitsPerEm: number,
): { bytes: Buffer; width(glyph: number): number } | undefined {
  const sfnt = readSoundSfnt(program);
  if (!sfnt) return undefined;
  const { tables } = sfnt;
  setWidths(tables, widths, unitsPerEm);
  tables.set('cmap', symbolCmap(glyphs));
  const hmtx = tables.get('hmtx');
  const own = (glyph: number): number => ((hmtx?.readUInt16BE(glyph * 4) ?? 0) * 1000) / unitsPerEm;
  return { bytes: writeSfnt(sfnt), width: own };
}

/** A (3,0) cmap of format 4, one segment for each code. */
export function symbolCmap(glyphs: ReadonlyMap<number, number>): Buffer {
  const codes = [...glyphs].sort(([a], [b]) => a - b);
  const segments = codes.length + 1;
  const length = 16 + segments * 8;
  const table = Buffer.alloc(12 + length);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt32BE(12, 8);
  const at = 12;
  const power = 2 ** Math.floor(Math.log2(segments));
  const head = [4, length, 0, segments * 2, power * 2, Math.log2(power), (segments - power) * 2];
  for (const [index, value] of head.entries()) table.writeUInt16BE(value, at + index * 2);
  const ends = at + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  for (const [index, [code, glyph]] of codes.entries()) {
    table.writeUInt16BE(SYMBOL_CODES + code, ends + index * 2);
    table.writeUInt16BE(SYMBOL_CODES + code, starts + index * 2);
    table.writeUInt16BE((glyph - SYMBOL_CODES - code) & 0xffff, deltas + index * 2);
  }
  table.writeUInt16BE(0xffff, ends + codes.length * 2);
  table.writeUInt16BE(0xffff, starts + codes.length * 2);
  table.writeUInt16BE(1, deltas + codes.length * 2);
  return table;
}
