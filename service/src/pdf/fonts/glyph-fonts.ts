// What strings in a font say: as its ToUnicode map has it, as its encoding has it. The two may differ, by accident or
// to deceive; both are looked through.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { readEmbeddedCmap } from './cmaps.ts';
import { withoutSubsetTag } from './font-descriptor.ts';
import { descendantOf, fontFileOf } from './font-file.ts';
import { FontMeasures, type MeasuredFont } from './glyph-widths.ts';
import { cmapDecoder } from './predefined-cmaps.ts';
import { characterOfNumber, simpleCharacters, simpleEncoding } from './simple-encodings.ts';
import { texMathEncoding } from './tex-math-encodings.ts';
import { codeNumber, toUnicodeOf } from './to-unicode.ts';
import { decideLetters, saysSomething } from './told-letters.ts';

export interface CodeText {
  /** What a reader would copy. */
  text: string | undefined;
  /** What else the code may mean: by the font's encoding, or by its map where that was not followed. */
  encoded: string | undefined;
  /** Nothing at all says what it means, to no reader. */
  isUnknown?: boolean;
}

export interface GlyphFont extends MeasuredFont {
  read(code: Uint8Array): CodeText;
}

export class GlyphFonts {
  private readonly doc: PdfDocument;
  private readonly measures: FontMeasures;
  private readonly known = new Map<string, GlyphFont>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.measures = new FontMeasures(doc);
  }

  of(font: PdfValue | undefined): GlyphFont {
    const known = font instanceof Ref ? this.known.get(font.key) : undefined;
    if (known) return known;
    const made = this.make(font);
    if (font instanceof Ref) this.known.set(font.key, made);
    return made;
  }

  private make(value: PdfValue | undefined): GlyphFont {
    const { doc } = this;
    const font = doc.dict(value) ?? new Dict();
    const toUnicode = toUnicodeOf(doc, font.get('ToUnicode'));
    const encoded = this.encoding(font);
    const baseFont = withoutSubsetTag(doc.name(font.get('BaseFont')) ?? '');
    const hasKnownNames = font.has('Encoding') && texMathEncoding(baseFont) !== undefined;
    const isKnownToOthers = this.isKnownToOthers(font);
    const texts = new Map<string, CodeText>();
    return {
      ...this.measures.of(value),
      read(code) {
        const key = Buffer.from(code).toString('latin1');
        let read = texts.get(key);
        if (!read) {
          read = bothTexts(toUnicode?.get(codeNumber(code)), encoded(code), hasKnownNames);
          if (read.text === undefined && !isKnownToOthers) read.isUnknown = true;
          texts.set(key, read);
        }
        return read;
      },
    };
  }

  /**
   * Renderers know what its glyphs are: by the character collection, or by the names in a Type 1 font program. Without a
   * program they take the codes of a composite font for characters, in what they show as in what they read.
   */
  private isKnownToOthers(font: Dict): boolean {
    const { doc } = this;
    if (doc.name(font.get('Subtype')) === 'Type1' && !font.has('Encoding')) return true;
    const descendant = descendantOf(doc, font);
    if (descendant && !fontFileOf(doc, doc.dict(descendant.get('FontDescriptor')))) return true;
    const info = doc.dict(descendant?.get('CIDSystemInfo'));
    return /^(?:GB1|CNS1|Japan1|Japan2|Korea1|KR)$/.test(doc.text(info?.get('Ordering')) ?? '');
  }

  private encoding(font: Dict): (code: Uint8Array) => string | undefined {
    if (this.doc.name(font.get('Subtype')) === 'Type0') return this.composite(font);
    const table = simpleCharacters(this.doc, font);
    const { differences } = simpleEncoding(this.doc, font);
    return ([code = 0]) => table[code] ?? characterOfNumber(differences.get(code), code);
  }

  private composite(font: Dict): (code: Uint8Array) => string | undefined {
    const encoding = font.get('Encoding');
    // One of the document's own means what the one means that it builds on, but for codes that it gives other glyphs.
    const own = readEmbeddedCmap(this.doc, encoding);
    const decode = cmapDecoder(own ? (own.uses ?? '') : (this.doc.name(encoding) ?? ''));
    return (code) => (own?.ranges[code.length]?.length ? undefined : decode?.(code));
  }
}

function bothTexts(
  mapped: string | undefined,
  encoded: string | undefined,
  hasKnownNames: boolean,
): CodeText {
  const { text } = decideLetters(mapped, encoded, hasKnownNames);
  const other = text === encoded ? mapped : encoded;
  return { text, encoded: saysSomething(other) && other !== text ? other : undefined };
}
