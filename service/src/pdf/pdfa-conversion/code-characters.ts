// What codes mean in fonts that a document only names: by ToUnicode, by names of glyphs, by encodings every reader has.

import type { FontFacts } from '../conformance/fonts/font-under-test.ts';
import type { PdfDocument } from '../document.ts';
import { codeMapOf, codesIn } from '../fonts/cmaps.ts';
import { FLAG } from '../fonts/font-descriptor.ts';
import { charactersOf } from '../fonts/glyph-names.ts';
import { FontMeasures } from '../fonts/glyph-widths.ts';
import { cmapDecoder } from '../fonts/predefined-cmaps.ts';
import { STANDARD_NAMES } from '../fonts/simple-encodings.ts';
import { dingbatNamed, type SymbolFont, symbolFontOf } from '../fonts/symbol-and-dingbats.ts';
import { codeNumber } from '../fonts/to-unicode.ts';
import { PdfString } from '../objects.ts';
import { textOf } from '../text-strings.ts';

export interface MeantCode {
  code: number;
  /** Bytes of the code. */
  length: number;
  /** What is drawn. */
  character: string;
  /** What is read, where that is something else. */
  reads?: string;
  /** How far it moves on, in thousandths of the size; `OWN_WIDTH` where the document does not say. */
  width: number;
}

/** The width of the glyph that is drawn. */
export const OWN_WIDTH = -1;

/** Every code that is shown; undefined where one of them means nothing that is known. */
export function meantCodes(doc: PdfDocument, facts: FontFacts): MeantCode[] | undefined {
  const texts = [...facts.use.visible, ...facts.use.invisible];
  const codes =
    facts.subtype === 'Type0' ? compositeCodes(doc, facts, texts) : simpleCodes(doc, facts, texts);
  return codes?.every(({ character }) => character !== '') ? codes : undefined;
}

function simpleCodes(doc: PdfDocument, facts: FontFacts, texts: readonly string[]): MeantCode[] {
  const measured = new FontMeasures(doc).of(facts.font);
  const signs = symbolFontOf(facts.baseFont);
  const isSigns = !facts.font.has('Widths') && signs !== undefined;
  const codes = new Set<number>();
  for (const text of texts) for (let at = 0; at < text.length; at += 1) codes.add(text.charCodeAt(at));
  return [...codes].map((code) => {
    const character = (signs ? sign(signs, facts, code) : simpleCharacter(facts, code)) ?? '';
    const width = isSigns
      ? (signs.widthOf(character) ?? OWN_WIDTH)
      : (measured.glyphs(Uint8Array.of(code))[0]?.advance ?? 0) * 1000;
    const reads = signs && isReadAsLetter(doc, facts, code) ? simpleCharacter(facts, code) : undefined;
    return { code, length: 1, character, width, ...(reads === undefined ? {} : { reads }) };
  });
}

/** Readers draw a sign here and call it by the letter that the encoding names. */
function isReadAsLetter(
  doc: PdfDocument,
  { encoding, subtype, descriptor }: FontFacts,
  code: number,
): boolean {
  const flags = (doc.number(descriptor?.get('Flags')) ?? 0) & (FLAG.symbolic | FLAG.nonsymbolic);
  return (
    encoding.differences.has(code) ||
    (encoding.isThere && subtype === 'TrueType') ||
    (encoding.isThere && flags === FLAG.nonsymbolic)
  );
}

/** Readers ignore encodings of letters here: the font has none of them. Names of its own glyphs count. */
function sign(signs: SymbolFont, facts: FontFacts, code: number): string | undefined {
  const named = facts.encoding.differences.get(code);
  const own = named === undefined ? undefined : signs.named(named);
  // Nothing is drawn for codes that have no glyph.
  return own ?? signs.character(code) ?? facts.toUnicode?.get(code) ?? ' ';
}

function simpleCharacter(facts: FontFacts, code: number): string | undefined {
  const name = facts.encoding.nameOf(code);
  const listed = name === undefined ? undefined : (charactersOf(name) ?? dingbatNamed(name));
  if (listed !== undefined) return listed;
  const said = facts.toUnicode?.get(code);
  if (said !== undefined) return said;
  if (name !== undefined && name !== '.notdef') return undefined;
  // Nothing is drawn for codes that have no glyph.
  return readersCharacter(facts.encoding.base, code) ?? ' ';
}

/** What readers take a code for where the font's encoding is none they know. */
function readersCharacter(base: string | undefined, code: number): string | undefined {
  if (base === 'PDFDocEncoding') return textOf(new PdfString(Uint8Array.of(code)));
  const standard = KNOWN_ENCODINGS.includes(base ?? '') ? undefined : STANDARD_NAMES[code];
  return standard === undefined ? undefined : charactersOf(standard);
}

const KNOWN_ENCODINGS = ['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding', 'StandardEncoding'];

function compositeCodes(
  doc: PdfDocument,
  facts: FontFacts,
  texts: readonly string[],
): MeantCode[] | undefined {
  const decode = cmapDecoder(doc.name(facts.font.get('Encoding')) ?? '');
  const map = codeMapOf(doc, facts.font.get('Encoding'));
  const measured = new FontMeasures(doc).of(facts.font);
  const codes = new Map<number, MeantCode>();
  for (const text of texts) {
    for (const { bytes } of codesIn(map, Buffer.from(text, 'latin1'))) {
      const code = codeNumber(bytes);
      if (codes.has(code)) continue;
      const character = facts.toUnicode?.get(code) ?? decode?.(bytes) ?? '';
      const width = map.vertical ? 1000 : (measured.glyphs(bytes)[0]?.advance ?? 1) * 1000;
      codes.set(code, { code, length: bytes.length, character: character.replace(/\0/g, ''), width });
    }
  }
  return [...codes.values()];
}
