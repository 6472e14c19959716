// What simple and composite substitutes have in common: names, descriptors, widths, the ToUnicode map.
import { readMetrics, writeMetrics } from '../fonts/programs/hmtx-table.ts';
import { Dict, name, type Ref } from '../objects.ts';
import type { Typeface } from '../text/drawn-text-shapes.ts';
import { type MeantCode, OWN_WIDTH } from './code-characters.ts';

const FIXED_PITCH = 1;
const SERIF = 2;
const ITALIC = 64;

export interface FoundFont {
  font: Typeface;
  glyph(character: string): number;
}

/** What is drawn for a code: the first character of those it stands for; blanks for what is not seen. */
export const drawn = (character: string): string => {
  const first = [...character.normalize('NFC')][0] ?? ' ';
  return /[\s\u00a0\u00ad\u200b-\u200f\ufeff]/u.test(first) ? (first === '\u00ad' ? '-' : ' ') : first;
};

export const round = (width: number): number => Math.round(width * 100) / 100;

/** The advance of these glyphs becomes what the document says, in thousandths of the size. */
export function setWidths(
  tables: Map<string, Buffer>,
  widths: ReadonlyMap<number, number>,
  unitsPerEm: number,
): void {
  const [hmtx, maxp] = [tables.get('hmtx'), tables.get('maxp')];
  const metrics = readMetrics(tables);
  if (!metrics || !hmtx || hmtx.length < 4 || !maxp || maxp.length < 6) return;
  writeMetrics(tables, maxp.readUInt16BE(4), {
    advance(glyph) {
      const stated = widths.get(glyph);
      return stated === undefined || stated === OWN_WIDTH
        ? metrics.advance(glyph)
        : (stated * unitsPerEm) / 1000;
    },
    bearing: metrics.bearing,
  });
}

/** The descriptor of an embedded substitute. */
export function descriptorOf(font: Typeface, fontName: string, file: Record<string, Ref>): Dict {
  const per1000 = (value: number): number => Math.round((value * 1000) / font.unitsPerEm);
  const symbolic = 4;
  const flags =
    symbolic |
    (font.class === 'mono' ? FIXED_PITCH : 0) |
    (font.class === 'serif' ? SERIF : 0) |
    (font.italicAngle !== 0 ? ITALIC : 0);
  return Dict.of({
    Type: name('FontDescriptor'),
    FontName: name(fontName),
    Flags: flags,
    FontBBox: font.box.map(per1000),
    ItalicAngle: Math.round(font.italicAngle),
    Ascent: per1000(font.ascent),
    Descent: -per1000(font.descent),
    CapHeight: per1000(font.capHeight),
    StemV: 80,
    ...file,
  });
}

/** Six letters that tell one subset from another. */
export function subsetName(font: Typeface, codes: readonly MeantCode[]): string {
  let hash = 2166136261;
  for (const unit of Buffer.from(`${font.key}${codes.map(({ code }) => code).join()}`))
    hash = Math.imul(hash ^ unit, 16777619) >>> 0;
  let tag = '';
  for (let letter = 0; letter < 6; letter += 1) {
    tag += String.fromCharCode(65 + (hash % 26));
    hash = Math.floor(hash / 26);
  }
  return `${tag}+${font.postScriptName.replace(/[^!-~]|[[\](){}<>/%#]/g, '')}`;
}

/** What each code reads as, as a CMap. */
export function toUnicodeOf(codes: readonly MeantCode[]): Uint8Array {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const lengths = [...new Set(codes.map(({ length }) => length))].sort();
  const spaces = lengths.map((length) => `<${'00'.repeat(length)}> <${'ff'.repeat(length)}>`);
  const rows = codes.map(({ code, length, character, reads: text = character }) => {
    const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4));
    return `<${hex(code, length * 2)}> <${units.join('')}>`;
  });
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
${spaces.length} begincodespacerange
${spaces.join('\n')}
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`,
  );
}
