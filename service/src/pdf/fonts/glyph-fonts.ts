// What strings in a font say: as its ToUnicode map has it, as its encoding has it. The two may differ, by accident or
// to deceive; both are looked through.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref, Stream } from '../objects.ts';
import { FontMeasures, type MeasuredFont } from './glyph-widths.ts';
import { cmapDecoder } from './predefined-cmaps.ts';
import { simpleCharacters } from './simple-encodings.ts';
import { codeNumber, toUnicodeOf } from './to-unicode.ts';

export interface CodeText {
  /** What a reader would copy. */
  text: string | undefined;
  /** What the code means by the font's encoding, where that is known and different. */
  encoded: string | undefined;
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
    const texts = new Map<string, CodeText>();
    return {
      ...this.measures.of(value),
      read(code) {
        const key = Buffer.from(code).toString('latin1');
        let read = texts.get(key);
        if (!read) {
          read = bothTexts(toUnicode?.get(codeNumber(code)), encoded(code));
          texts.set(key, read);
        }
        return read;
      },
    };
  }

  private encoding(font: Dict): (code: Uint8Array) => string | undefined {
    if (this.doc.name(font.get('Subtype')) === 'Type0') return this.composite(font);
    const table = simpleCharacters(this.doc, font);
    return ([code = 0]) => table[code];
  }

  private composite(font: Dict): (code: Uint8Array) => string | undefined {
    const encoding = font.get('Encoding');
    if (this.doc.resolve(encoding) instanceof Stream) return () => undefined;
    return cmapDecoder(this.doc.name(encoding) ?? '') ?? (() => undefined);
  }
}

function bothTexts(mapped: string | undefined, encoded: string | undefined): CodeText {
  // Codes that are mapped to nothing, or to marks for "unknown", are read by the encoding.
  const text = mapped === undefined || /^[\0\ufffd]*$/.test(mapped) ? encoded : mapped;
  return { text, encoded: encoded === text ? undefined : encoded };
}
