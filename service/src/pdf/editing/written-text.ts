// New text for a string of a page: in the string's own font where that has the glyphs, else in one that looks alike and
// is embedded.

import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { descriptorOf } from '../fonts/font-file.ts';
import { type FontLook, fontLook } from '../fonts/font-look.ts';
import type { GlyphFont } from '../fonts/glyph-fonts.ts';
import { nearestStandard } from '../fonts/standard-fonts.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { drawInLine } from '../text/drawn-text.ts';
import type { LaidOutText } from '../text/drawn-text-shapes.ts';
import { EmbeddedFonts } from '../text/font-embedding.ts';
import { FontCodes, type TextPiece } from './font-codes.ts';
import type { LineWriter } from './line-writer.ts';
import type { ShownText, State } from './shown-text.ts';

/** A string of a page, by its place among all that the page draws. */
export interface ShownElement extends ShownText {
  number: number;
  state: State;
}

export interface WrittenText {
  /** How far it moves on, in thousandths of the size of the text around. */
  advance: number;
  put(line: LineWriter): void;
}

/** Lays any Unicode text out with the fonts of the machine: the engine behind drawn text. */
export type LayOutText = (
  text: string,
  options: { size: number; family: FontLook['look']; bold: boolean; italic: boolean; field: string },
) => LaidOutText;

const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/u;
/** Letters that take other forms beside each other, or another order: codes alone do not write these. */
const SHAPED =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Mongolian}]/u;

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Characters in the other order, each with the accents it carries. */
export const reversed = (text: string): string =>
  (text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? []).reverse().join('');

export class TextWriter {
  private readonly doc: PdfDocument;
  private readonly layOut: LayOutText;
  private readonly embedded: EmbeddedFonts;
  /** By the key of the font's object, or by the font itself where it is none. */
  private readonly codes = new Map<unknown, FontCodes>();

  constructor(doc: PdfDocument, layOut: LayOutText) {
    this.doc = doc;
    this.layOut = layOut;
    this.embedded = new EmbeddedFonts(doc);
  }

  codesOf(value: PdfValue | undefined, font: GlyphFont): FontCodes {
    const key = value instanceof Ref ? value.key : value;
    return computeOnce(this.codes, key, () => new FontCodes(this.doc, value, font));
  }

  /**
   * `visual`: the text is given as it stands on the page, from left to right. Undefined where it cannot be written:
   * only a font of the document writes downwards.
   */
  write(text: string, element: ShownElement, visual: boolean, field: string): WrittenText | undefined {
    const { state } = element;
    const { font, size } = state.text;
    if (!font || size === 0) return undefined;
    const own = this.ownOrder(text, visual);
    const together = state.text.characterSpacing === 0;
    const pieces =
      own === undefined ? undefined : this.codesOf(state.font, font).encode(own, element.glyphs, together);
    if (pieces) return ownText(pieces, state.text);
    return font.vertical ? undefined : this.otherText(text, element, visual, field);
  }

  /** As codes are written, from left to right; undefined where codes alone will not do. */
  private ownOrder(text: string, visual: boolean): string | undefined {
    if (SHAPED.test(text)) return undefined;
    if (!isRightToLeft(text)) return text;
    if (visual) return text;
    return LEFT_TO_RIGHT.test(text.replace(/[\p{sc=Hebrew}]/gu, '')) ? undefined : reversed(text);
  }

  private otherText(text: string, element: ShownElement, visual: boolean, field: string): WrittenText {
    const { state } = element;
    const { size, rise } = state.text;
    const dict = this.doc.dict(state.font) ?? new Dict();
    const baseFont = this.doc.name(dict.get('BaseFont')) ?? '';
    const look = fontLook(this.doc, baseFont, descriptorOf(this.doc, dict));
    const ownSize = this.doc.name(dict.get('Subtype')) === 'Type3' ? seenSize(element, look) : size;
    const logical = visual && isRightToLeft(text) ? reversed(text) : text;
    const { family, ...style } = { family: look.look, bold: look.bold, italic: look.italic };
    const laidOut = this.layOut(logical, { size: Math.abs(ownSize), family, ...style, field });
    const runs = laidOut.lines.flatMap((line) => line.runs);
    const draw = (nameOf: (font: { name: string; ref: Ref }) => string) =>
      drawInLine(runs, ownSize, this.embedded, { rise, nameOf });
    const scale = ownSize / size;
    return {
      advance: draw(({ name }) => name).advance * scale,
      put: (line) => {
        const { operators, advance } = draw(({ name, ref }) => line.resources.add('Font', name, ref));
        line.through(operators, advance * scale);
      },
    };
  }

  /** To be called once, when everything was put. */
  finish(): void {
    this.embedded.finish();
  }
}

function ownText(pieces: readonly TextPiece[], text: State['text']): WrittenText {
  const { font, size, characterSpacing, wordSpacing } = text;
  const measured = pieces.map((piece) => {
    if ('gap' in piece) return { ...piece, advance: piece.gap };
    const advance = (font?.glyphs(piece.code) ?? []).reduce(
      (sum, glyph) => sum + glyph.advance + (characterSpacing + (glyph.isSpace ? wordSpacing : 0)) / size,
      0,
    );
    return { ...piece, advance: advance * 1000 };
  });
  return {
    advance: measured.reduce((sum, { advance }) => sum + advance, 0),
    put(line) {
      for (const piece of measured)
        if ('gap' in piece) line.gap(piece.gap);
        else line.show(piece.code, piece.advance);
    },
  };
}

/** Drawn glyphs have a size of their own: told by how wide their letters are beside those of a usual font. */
function seenSize({ glyphs, state }: ShownElement, look: FontLook): number {
  const standard = nearestStandard(look.look === 'helvetica' ? 'Helvetica' : look.look);
  let [own, usual] = [0, 0];
  for (const { text, start, end } of glyphs) {
    const width = text === undefined ? undefined : standard.width(text);
    if (width === undefined || text?.trim() === '') continue;
    own += (end - start) / 1000;
    usual += width;
  }
  return usual > 0 && own > 0 ? (state.text.size * own) / usual : state.text.size;
}
