// What codes mean in fonts that a document only names: by ToUnicode, by names of glyphs, by encodings every reader has.

import type { FontFacts } from '../conformance/font-facts.ts';
import { charactersOf, STANDARD_NAMES } from '../conformance/glyph-names.ts';
import type { PdfDocument } from '../document.ts';
import { PdfString } from '../objects.ts';
import { codeMapOf } from '../text/character-codes.ts';
import { FontMeasures } from '../text/font-measures.ts';
import { textOf } from '../text-strings.ts';

export interface MeantCode {
  code: number;
  /** Bytes of the code. */
  length: number;
  character: string;
  /** How far it moves on, in thousandths of the size; `OWN_WIDTH` where the document does not say. */
  width: number;
}

/** The width of the glyph that is drawn. */
export const OWN_WIDTH = -1;

/** Symbol's own encoding, from code 0x20 and from 0xa0. */
const SYMBOL_LOW =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const SYMBOL_HIGH =
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u0000〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** Codes of ZapfDingbats that do not follow the order of Unicode. */
const DINGBATS_ODD: Readonly<Record<number, number>> = {
  32: 0x20,
  37: 0x260e,
  42: 0x261b,
  43: 0x261e,
  72: 0x2605,
  108: 0x25cf,
  110: 0x25a0,
  115: 0x25b2,
  116: 0x25bc,
  117: 0x25c6,
  119: 0x25d7,
  168: 0x2663,
  169: 0x2666,
  170: 0x2665,
  171: 0x2660,
  213: 0x2192,
  214: 0x2194,
  215: 0x2195,
};

/** Every code that is shown; undefined where one of them means nothing that is known. */
export function meantCodes(doc: PdfDocument, facts: FontFacts): MeantCode[] | undefined {
  const texts = [...facts.use.visible, ...facts.use.invisible];
  const codes =
    facts.subtype === 'Type0' ? compositeCodes(doc, facts, texts) : simpleCodes(doc, facts, texts);
  return codes?.every(({ character }) => character !== '') ? codes : undefined;
}

function simpleCodes(doc: PdfDocument, facts: FontFacts, texts: readonly string[]): MeantCode[] {
  const measured = new FontMeasures(doc).of(facts.font);
  const isSigns = !facts.font.has('Widths') && /Symbol|Dingbats|^ZaDb/.test(facts.baseFont ?? '');
  const codes = new Set<number>();
  for (const text of texts) for (let at = 0; at < text.length; at += 1) codes.add(text.charCodeAt(at));
  return [...codes].map((code) => ({
    code,
    length: 1,
    character: simpleCharacter(facts, code) ?? '',
    width: isSigns ? OWN_WIDTH : (measured.glyphs(Uint8Array.of(code))[0]?.advance ?? 0) * 1000,
  }));
}

function simpleCharacter(facts: FontFacts, code: number): string | undefined {
  const name = facts.encoding.nameOf(code);
  const listed = name === undefined ? undefined : (charactersOf(name) ?? dingbatNamed(name));
  if (listed !== undefined) return listed;
  const base = facts.baseFont ?? '';
  if (/^(?:[A-Z]{6}\+)?Symbol/.test(base)) return symbol(code);
  if (/ZapfDingbats|^ZaDb/.test(base)) return dingbat(code);
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

function symbol(code: number): string | undefined {
  const character = code >= 0xa0 ? SYMBOL_HIGH[code - 0xa0] : SYMBOL_LOW[code - 0x20];
  return character === '\u0000' ? undefined : character;
}

function dingbat(code: number): string | undefined {
  const odd = DINGBATS_ODD[code];
  if (odd !== undefined) return String.fromCodePoint(odd);
  const inOrder = (first: number, last: number, start: number): string | undefined =>
    code >= first && code <= last ? String.fromCodePoint(start + code - first) : undefined;
  return (
    inOrder(0x21, 0x7e, 0x2701) ??
    inOrder(0xa1, 0xa7, 0x2761) ??
    inOrder(0xac, 0xb5, 0x2460) ??
    inOrder(0xb6, 0xd4, 0x2776) ??
    inOrder(0xd8, 0xef, 0x2798) ??
    inOrder(0xf1, 0xfe, 0x27b1)
  );
}

/** Names that forms use for check marks. */
const DINGBAT_NAMES: Readonly<Record<string, string>> = {
  a19: '✓',
  a20: '✔',
  a22: '✖',
  a24: '✘',
  a35: '★',
  a71: '●',
  a73: '■',
  a78: '◆',
};

const dingbatNamed = (name: string): string | undefined => DINGBAT_NAMES[name];

/** Encodings of the CMaps every reader has, by the names browsers have for them. */
const DECODERS: readonly [RegExp, string][] = [
  [/^Uni.*-(?:UCS2|UTF16)/, 'utf-16be'],
  [/RKSJ/, 'shift_jis'],
  [/^(?:GB|UniGB)/, 'gbk'],
  [/^(?:B5|ETen|HKscs|CNS)/, 'big5'],
  [/^KSC/, 'euc-kr'],
  [/^(?:EUC-)?[HV]$/, 'euc-jp'],
];

function compositeCodes(
  doc: PdfDocument,
  facts: FontFacts,
  texts: readonly string[],
): MeantCode[] | undefined {
  const encoding = doc.name(facts.font.get('Encoding')) ?? '';
  const label = DECODERS.find(([pattern]) => pattern.test(encoding))?.[1];
  // JIS codes without the high bits of EUC.
  const isPlainJis = encoding === 'H' || encoding === 'V';
  const decoder = label === undefined ? undefined : new TextDecoder(label);
  const map = codeMapOf(doc, facts.font.get('Encoding'));
  const measured = new FontMeasures(doc).of(facts.font);
  const codes = new Map<number, MeantCode>();
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1');
    for (let at = 0; at < bytes.length; ) {
      const length = Math.max(1, map.next(bytes, at).length);
      const piece = bytes.subarray(at, at + length);
      at += length;
      const code = piece.reduce((sum, byte) => sum * 256 + byte, 0);
      if (codes.has(code)) continue;
      const decoded = decoder?.decode(isPlainJis ? piece.map((byte) => byte | 0x80) : piece) ?? '';
      const character = facts.toUnicode?.get(code) ?? (decoded.includes('\ufffd') ? '' : decoded);
      const width = map.vertical ? 1000 : (measured.glyphs(piece)[0]?.advance ?? 1) * 1000;
      codes.set(code, { code, length, character: character.replace(/\0/g, ''), width });
    }
  }
  return [...codes.values()];
}
