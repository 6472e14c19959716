// A composite font with another program: a CMap of its own leads from the document's codes to the glyphs.

import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import type { PdfDocument } from '../document.ts';
import { writeCidCmap } from '../fonts/cmap-writer.ts';
import { codeMapOf } from '../fonts/cmaps.ts';
import { fontDescriptor } from '../fonts/font-descriptor.ts';
import { CffFont } from '../fonts/programs/cff.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { readSoundSfnt, writeSfnt } from '../fonts/programs/sfnt.ts';
import { identityCollection, type0Font } from '../fonts/type0-font.ts';
import { Dict, name, type PdfValue, type Ref } from '../objects.ts';
import type { MeantCode } from './code-characters.ts';
import { drawn, type FoundFont, round, setWidths, substituteName, toUnicodeFor } from './substitute-parts.ts';

const CMAP_NAME = 'Archived';

interface Program {
  /** What a glyph is called in the font dictionary. */
  cid(code: number, glyph: number): number;
  file: Record<string, Ref>;
  cidToGidMap?: Ref;
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
  const fontName = substituteName(font, codes);
  const widths: PdfValue[] = codes.flatMap((each) => [
    program.cid(each.code, glyphOf(each.code)),
    [round(program.width(each, glyphOf(each.code)))],
  ]);
  const descriptor = doc.add(fontDescriptor(font, fontName, program.file));
  const cmap = writeCidCmap(
    codes.map(({ code, length }) => ({ code, length, cid: program.cid(code, glyphOf(code)) })),
    { name: CMAP_NAME, isVertical },
  );
  const encoding = doc.addStream(
    Dict.of({
      Type: name('CMap'),
      CMapName: name(CMAP_NAME),
      CIDSystemInfo: identityCollection(),
      WMode: isVertical ? 1 : 0,
    }),
    cmap,
  );
  const made = type0Font(doc, {
    baseFont: fontName,
    descriptor,
    cidToGidMap: program.cidToGidMap,
    encoding,
    defaultWidth: 1000,
    widths,
    toUnicode: toUnicodeFor(codes),
  });
  doc.replace(ref, made);
}

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
    cidToGidMap: doc.addStream(new Dict(), map),
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
    width(_code, glyph) {
      const place = read.isCid ? read.byCid.get(cidOf(glyph)) : glyph;
      return place === undefined ? 1000 : (read.width(place) ?? 1000);
    },
  };
}
