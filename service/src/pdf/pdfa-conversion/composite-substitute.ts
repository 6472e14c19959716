// A composite font with another program: a CMap of its own leads from the document's codes to the glyphs.

import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import type { PdfDocument } from '../document.ts';
import { codeMapOf } from '../fonts/cmaps.ts';
import { CffFont } from '../fonts/programs/cff.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { readSoundSfnt, writeSfnt } from '../fonts/programs/sfnt.ts';
import { Dict, name, PdfString, type PdfValue, type Ref } from '../objects.ts';
import type { MeantCode } from './code-characters.ts';
import {
  descriptorOf,
  drawn,
  type FoundFont,
  round,
  setWidths,
  subsetName,
  toUnicodeOf,
} from './substitute-parts.ts';

interface Program {
  /** What a glyph is called in the font dictionary. */
  cid(code: number, glyph: number): number;
  file: Record<string, Ref>;
  entries: Dict;
  width(code: MeantCode, glyph: number): number;
}

export function embedComposite(
  doc: PdfDocument,
  ref: Ref,
  facts: FontFacts,
  codes: readonly MeantCode[],
  found: FoundFont,
): void {
  const { font } = found;
  const glyphs = new Map(codes.map(({ code, character }) => [code, found.glyph(drawn(character))]));
  const program = font.outlines === 'glyf' ? trueType(doc, codes, glyphs, found) : cff(doc, glyphs, found);
  if (!program) return;
  const glyphOf = (code: number): number => glyphs.get(code) ?? 0;
  const isVertical = codeMapOf(doc, facts.font.get('Encoding')).vertical;
  const fontName = subsetName(font, codes);
  const system = Dict.of({ Registry: ascii('Adobe'), Ordering: ascii('Identity'), Supplement: 0 });
  const widths: PdfValue[] = codes.flatMap((each) => [
    program.cid(each.code, glyphOf(each.code)),
    [round(program.width(each, glyphOf(each.code)))],
  ]);
  const descendant = Dict.of({
    Type: name('Font'),
    BaseFont: name(fontName),
    CIDSystemInfo: system,
    DW: 1000,
    W: widths,
    FontDescriptor: doc.add(descriptorOf(font, fontName, program.file)),
  });
  for (const [key, value] of program.entries) descendant.set(key, value);
  const cmap = cmapOf(codes, (code) => program.cid(code, glyphOf(code)), isVertical);
  const encoding = doc.addStream(
    Dict.of({
      Type: name('CMap'),
      CMapName: name('Archived'),
      CIDSystemInfo: system,
      WMode: isVertical ? 1 : 0,
    }),
    cmap,
  );
  doc.replace(
    ref,
    Dict.of({
      Type: name('Font'),
      Subtype: name('Type0'),
      BaseFont: name(fontName),
      Encoding: encoding,
      DescendantFonts: [doc.add(descendant)],
      ToUnicode: doc.addStream(new Dict(), toUnicodeOf(codes)),
    }),
  );
}

const ascii = (text: string): PdfString => new PdfString(Buffer.from(text, 'latin1'));

/** CIDs are counted through, the widths are the document's own. */
function trueType(
  doc: PdfDocument,
  codes: readonly MeantCode[],
  glyphs: ReadonlyMap<number, number>,
  { font }: FoundFont,
): Program | undefined {
  const widths = new Map(codes.map(({ code, width }) => [glyphs.get(code) ?? 0, width]));
  const { program } = font.subset(
    [...new Set(glyphs.values())].sort((a, b) => a - b),
    [],
  );
  const sfnt = readSoundSfnt(Buffer.from(program));
  if (!sfnt) return undefined;
  setWidths(sfnt.tables, widths, font.unitsPerEm);
  const made = writeSfnt(sfnt);
  const cids = new Map(codes.map(({ code }, index) => [code, index + 1]));
  const map = Buffer.alloc(2 * (codes.length + 1));
  for (const [code, cid] of cids) map.writeUInt16BE(glyphs.get(code) ?? 0, 2 * cid);
  return {
    cid: (code) => cids.get(code) ?? 0,
    file: { FontFile2: doc.addStream(Dict.of({ Length1: made.length }), made) },
    entries: Dict.of({ Subtype: name('CIDFontType2'), CIDToGIDMap: doc.addStream(new Dict(), map) }),
    width: (_code, glyph) => widths.get(glyph) ?? 1000,
  };
}

/** CIDs are those of the program, and so are the widths. */
function cff(
  doc: PdfDocument,
  glyphs: ReadonlyMap<number, number>,
  { font }: FoundFont,
): Program | undefined {
  const { program } = font.subset(
    [...new Set(glyphs.values())].sort((a, b) => a - b),
    [],
  );
  const read = unlessDamaged(() => new CffFont(Buffer.from(program)));
  if (!read) return undefined;
  const cidOf = (glyph: number): number => (font.outlines === 'cid' ? font.cid(glyph) : glyph);
  return {
    cid: (_code, glyph) => cidOf(glyph),
    file: { FontFile3: doc.addStream(Dict.of({ Subtype: name('CIDFontType0C') }), program) },
    entries: Dict.of({ Subtype: name('CIDFontType0') }),
    width(_code, glyph) {
      const place = read.isCid ? read.byCid.get(cidOf(glyph)) : glyph;
      return place === undefined ? 1000 : (read.width(place) ?? 1000);
    },
  };
}

function cmapOf(codes: readonly MeantCode[], cid: (code: number) => number, isVertical: boolean): Uint8Array {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const rows = codes.map(({ code, length }) => `<${hex(code, length * 2)}> ${cid(code)}`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100);
    blocks.push(`${block.length} begincidchar\n${block.join('\n')}\nendcidchar`);
  }
  return Buffer.from(`/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> def
/CMapName /Archived def
/CMapType 1 def
/WMode ${isVertical ? 1 : 0} def
${spacesOf(codes)}
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`);
}

/** Code spaces by the first byte: codes of one byte and of two may stand side by side. */
function spacesOf(codes: readonly MeantCode[]): string {
  const hex = (value: number): string => value.toString(16).padStart(2, '0');
  const spaces = new Set(
    codes.map(({ code, length }) => {
      const first = hex(Math.floor(code / 256 ** (length - 1)) & 0xff);
      return `<${first}${'00'.repeat(length - 1)}> <${first}${'ff'.repeat(length - 1)}>`;
    }),
  );
  const rows = [...spaces].sort();
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100);
    blocks.push(`${block.length} begincodespacerange\n${block.join('\n')}\nendcodespacerange`);
  }
  return blocks.join('\n');
}
