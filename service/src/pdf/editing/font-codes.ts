// The codes by which a font of the document can show a text: only those whose glyphs it surely has. A subset has what
// its document showed before; what else it has, its program tells.

import type { PdfDocument } from '../document.ts';
import { readEmbeddedFont } from '../fonts/embedded-font.ts';
import { descriptorOf, fontFileOf } from '../fonts/font-file.ts';
import type { GlyphFont } from '../fonts/glyph-fonts.ts';
import { cmapDecoder } from '../fonts/predefined-cmaps.ts';
import { unlessDamaged } from '../fonts/programs/damage.ts';
import { readFontProgram } from '../fonts/programs/font-program.ts';
import type { FontProgram } from '../fonts/programs/subset.ts';
import { simpleEncoding } from '../fonts/simple-encodings.ts';
import { toUnicodeOf } from '../fonts/to-unicode.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { codeNumberOf, type ShownGlyph } from './shown-text.ts';

/** A code, or a gap in the place of a blank that the font has no glyph for; both in thousandths of the size. */
export type TextPiece = { code: Uint8Array; text: string } | { gap: number; text: string };

/** A blank where nothing tells how wide the others are: as in most fonts for text. */
const USUAL_BLANK = 280;
/** No code stands for more than this. */
const LONGEST_TEXT = 8;
const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;
const TWO_BYTES = 0x1_0000;

/** What a reader takes for the same: ligatures for their letters, every blank for a blank. */
const plain = (text: string): string =>
  text.replace(/[\ufb00-\ufb06]/gu, (ligature) => ligature.normalize('NFKC')).replace(/[\s\u00a0]/gu, ' ');

export class FontCodes {
  private readonly doc: PdfDocument;
  private readonly value: PdfValue | undefined;
  private readonly dict: Dict;
  private readonly font: GlyphFont;
  /** How often each code was seen in pages, by its bytes. */
  private readonly seen = new Map<string, { code: Uint8Array; text: string; times: number }>();
  /** Every code that the font's maps tell of, by text. */
  private told: Map<string, Uint8Array[]> | undefined;
  private isDrawn: ((code: Uint8Array, text: string) => boolean) | undefined;

  constructor(doc: PdfDocument, value: PdfValue | undefined, font: GlyphFont) {
    this.doc = doc;
    this.value = value;
    this.dict = doc.dict(value) ?? new Dict();
    this.font = font;
  }

  /** What pages show, the font has. */
  see({ code, text }: ShownGlyph): void {
    if (text === undefined || text === '') return;
    const key = Buffer.from(code).toString('latin1');
    const known = this.seen.get(key);
    if (known) known.times += 1;
    else this.seen.set(key, { code: Uint8Array.from(code), text: plain(text), times: 1 });
  }

  /**
   * The text in codes; undefined where the font lacks a glyph. Codes of `around` come first: a font may have a letter
   * in several forms. `together`: letters may be shown by one glyph for several.
   */
  encode(text: string, around: readonly ShownGlyph[], together: boolean): TextPiece[] | undefined {
    const near = new Map<string, Uint8Array>();
    for (const glyph of around)
      if (glyph.text !== undefined && glyph.text !== '' && !near.has(plain(glyph.text)))
        near.set(plain(glyph.text), glyph.code);
    const wanted = plain(text.normalize('NFC')).replaceAll('\u2011', '-');
    const pieces: TextPiece[] = [];
    for (let at = 0; at < wanted.length; ) {
      const piece = this.longest(wanted, at, near, together);
      if (!piece) return undefined;
      pieces.push(piece);
      at += piece.text.length;
    }
    return pieces;
  }

  private longest(
    text: string,
    at: number,
    near: ReadonlyMap<string, Uint8Array>,
    together: boolean,
  ): TextPiece | undefined {
    const one = String.fromCodePoint(text.codePointAt(at) ?? 32);
    for (let length = together ? LONGEST_TEXT : one.length; length >= one.length; length -= 1) {
      const part = text.slice(at, at + length);
      // A glyph for several letters is taken where pages have it; a map may say anything.
      const code = part.length < length ? undefined : this.code(part, near, length > one.length);
      if (code) return { code, text: part };
    }
    return one === ' ' ? { gap: this.blank(), text: ' ' } : undefined;
  }

  private code(
    text: string,
    near: ReadonlyMap<string, Uint8Array>,
    onlySeen: boolean,
  ): Uint8Array | undefined {
    const held = near.get(text) ?? this.mostSeen(text);
    if (held || onlySeen) return held;
    if (text === ' ' && this.seen.size > 20) return undefined;
    this.told ??= this.readTold();
    this.isDrawn ??= this.drawnBy();
    return this.told.get(text)?.find((code) => this.isDrawn?.(code, text) && this.advance(code) !== 0);
  }

  private mostSeen(text: string): Uint8Array | undefined {
    let best: { code: Uint8Array; times: number } | undefined;
    for (const each of this.seen.values())
      if (each.text === text && each.times > (best?.times ?? 0)) best = each;
    return best?.code;
  }

  private advance(code: Uint8Array): number {
    return this.font.glyphs(code).reduce((sum, { advance }) => sum + advance, 0);
  }

  private blank(): number {
    const space = this.mostSeen(' ');
    return space ? this.advance(space) * 1000 : USUAL_BLANK;
  }

  private readTold(): Map<string, Uint8Array[]> {
    const told = new Map<string, Uint8Array[]>();
    const add = (code: Uint8Array): void => {
      const text = this.font.read(code).text;
      if (text === undefined || text === '' || this.font.glyphs(code).length !== 1) return;
      const codes = told.get(plain(text));
      if (codes) codes.push(code);
      else told.set(plain(text), [code]);
    };
    if (this.doc.name(this.dict.get('Subtype')) !== 'Type0') {
      for (let code = 0; code < 256; code += 1) add(Uint8Array.of(code));
      return told;
    }
    const twoBytes = (code: number): Uint8Array => Uint8Array.of(code >> 8, code & 0xff);
    const map = toUnicodeOf(this.doc, this.dict.get('ToUnicode'));
    if (map) for (const code of map.all().keys()) if (code < TWO_BYTES) add(twoBytes(code));
    const cmap = this.doc.name(this.dict.get('Encoding')) ?? '';
    if (!map && cmapDecoder(cmap)) {
      for (let code = 0; code < 256; code += 1) add(Uint8Array.of(code));
      for (let code = 0; code < TWO_BYTES; code += 1) add(twoBytes(code));
    }
    return told;
  }

  /** Whether the font's program, or the reader that brings one, draws something for a code. */
  private drawnBy(): (code: Uint8Array, text: string) => boolean {
    const { doc, dict } = this;
    if (doc.name(dict.get('Subtype')) === 'Type3') {
      const { nameOf } = simpleEncoding(doc, dict);
      const drawings = doc.dict(dict.get('CharProcs'));
      return ([code = 0]) => drawings?.has(nameOf(code) ?? '') ?? false;
    }
    const file = fontFileOf(doc, descriptorOf(doc, dict));
    // Readers have the fonts that a document only names, or know what to take in their place.
    if (!file) return () => dict.has('BaseFont');
    const program = this.program(file.ref);
    const reading = this.value instanceof Ref ? readEmbeddedFont(doc, this.value) : undefined;
    if (!program || !reading) return () => false;
    const encoding = simpleEncoding(doc, dict);
    return (code, text) => {
      const number = reading.codesIn(code)?.[0];
      if (number === undefined) return false;
      const shown = reading.shown(number);
      const name = encoding.nameOf(codeNumberOf(code));
      const meant = shown.kind === 'simple' ? { ...shown, name, characters: [text] } : shown;
      return unlessDamaged(() => program.draws(meant)) ?? false;
    };
  }

  private program(ref: Ref): FontProgram | undefined {
    const { bytes, decoded } = this.doc.streamData(ref);
    if (!decoded || bytes.length > MAX_PROGRAM_BYTES) return undefined;
    return unlessDamaged(() => readFontProgram(Buffer.from(bytes)));
  }
}
