// Fonts a document only names, embedded: another font that looks alike takes their place. Codes, widths and what the
// text reads as stay; only the shapes of the letters are those of the other font.
import type { FontFacts } from '../conformance/font-facts.ts';
import type { Subject } from '../conformance/validation-context.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, name, type Ref } from '../objects.ts';
import type { Typeface } from '../text/drawn-text-shapes.ts';
import { type MeantCode, meantCodes } from './code-characters.ts';
import { embedComposite } from './composite-substitute.ts';
import { embedSimple } from './simple-substitute.ts';

export interface WantedFont {
  look: 'helvetica' | 'times' | 'courier';
  bold: boolean;
  italic: boolean;
  /** For ideographs: whose forms. */
  region: 'JP' | 'KR' | 'SC' | 'TC' | undefined;
}

export interface FoundFont {
  font: Typeface;
  glyph(character: string): number;
}

/** A font with all of these characters, as near to the wanted look as there is one. */
export type FindFont = (wanted: WantedFont, characters: readonly string[]) => FoundFont | undefined;

const FIXED_PITCH = 1;
const SERIF = 2;
const ITALIC = 64;
const FORCE_BOLD = 1 << 18;

const BLANK: MeantCode = { code: 32, length: 1, character: ' ', width: 250 };

/** Fonts for which nothing fitting was found stay as they are. */
export function substituteFonts(doc: PdfDocument, subject: Subject, find: FindFont): void {
  for (const facts of subject.fonts) {
    const { ref } = facts.use;
    if (!ref || facts.subtype === 'Type3' || facts.program || !facts.isVisible) continue;
    const shown = meantCodes(doc, facts);
    // A font that shows an empty text is asked for all the same.
    const codes = shown?.length === 0 && facts.subtype !== 'Type0' ? [BLANK] : shown;
    if (!codes || codes.length === 0) continue;
    const characters = [...new Set(codes.map(({ character }) => drawn(character)))];
    const found = find(wantedFor(doc, facts), characters);
    if (found) embed(doc, ref, facts, codes, found);
  }
}

/** What is drawn for a code: the first character of those it stands for; blanks for what is not seen. */
export const drawn = (character: string): string => {
  const first = [...character.normalize('NFC')][0] ?? ' ';
  return /[\s\u00a0\u00ad\u200b-\u200f\ufeff]/u.test(first) ? (first === '\u00ad' ? '-' : ' ') : first;
};

function embed(
  doc: PdfDocument,
  ref: Ref,
  facts: FontFacts,
  codes: readonly MeantCode[],
  found: FoundFont,
): void {
  if (facts.subtype === 'Type0') embedComposite(doc, ref, facts, codes, found);
  else if (found.font.outlines === 'glyf') embedSimple(doc, ref, codes, found);
}

function wantedFor(doc: PdfDocument, facts: FontFacts): WantedFont {
  const base = facts.baseFont ?? '';
  const flags = doc.number(facts.descriptor?.get('Flags')) ?? 0;
  const weight = doc.number(facts.descriptor?.get('FontWeight')) ?? 400;
  const isMono = (flags & FIXED_PITCH) !== 0 || /courier|mono|consol|typewriter/i.test(base);
  const isSerif =
    /symbol|times|serif|roman|georgia|garamond|palatino|bookman|century|minion|cambria|ming|song|sung|batang|mincho/i.test(
      base,
    ) && !/sans/i.test(base);
  const isSans = /arial|helvet|sans|verdana|tahoma|calibri|lucida|gothic|gulim|hei/i.test(base);
  const look = isMono ? 'courier' : isSerif || (!isSans && (flags & SERIF) !== 0) ? 'times' : 'helvetica';
  return {
    look,
    bold: /bold|black|heavy|demi/i.test(base) || weight >= 600 || (flags & FORCE_BOLD) !== 0,
    italic: /ital|obli|slant/i.test(base) || (flags & ITALIC) !== 0,
    region: regionOf(doc, facts),
  };
}

const REGIONS: Readonly<Record<string, WantedFont['region']>> = {
  Japan1: 'JP',
  Korea1: 'KR',
  KR: 'KR',
  GB1: 'SC',
  CNS1: 'TC',
};

function regionOf(doc: PdfDocument, facts: FontFacts): WantedFont['region'] {
  const info = doc.dict(facts.descendant.get('CIDSystemInfo'));
  return facts.subtype === 'Type0' ? REGIONS[doc.text(info?.get('Ordering')) ?? ''] : undefined;
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
