// What the content of a page draws, piece by piece and in order: strings with all that places them, and images.

import { pageInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { type GraphicsState, INITIAL_STATE } from '../content/graphics-state.ts';
import { INITIAL_TEXT, type PlacedGlyph } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFont, GlyphFonts } from '../fonts/glyph-fonts.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { spellOut } from '../images/inline-images.ts';
import { type Dict, type Name, PdfString, type PdfValue, type Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import type { TextElement } from './text-element.ts';
import { elementOf } from './text-measures.ts';

export interface ImageElement {
  name: string | undefined;
  /** An inline image has become an object of its own. */
  ref: Ref;
  inline: boolean;
  nativeWidth: number;
  nativeHeight: number;
  matrix: Matrix;
  resources: Dict;
  zOrder: number;
}

export interface PageElements {
  texts: TextElement[];
  images: ImageElement[];
}

/** Hostile content draws one form from another again and again. */
const MAX_ELEMENTS = 200_000;
/** A gap in TJ, in thousandths of the size, from which on a reader sees a blank. */
const BLANK_FROM = 180;

type State = GraphicsState<GlyphFont>;
type At = ContentPosition<State>;

export function pageElements(doc: PdfDocument, page: Ref, fonts: GlyphFonts): PageElements {
  const walk = new ElementWalk(doc, fonts);
  const text = { ...INITIAL_TEXT, font: undefined };
  pageInterpreter<State>(doc, page, { ...INITIAL_STATE, text }).run(walk);
  return { texts: walk.texts, images: walk.images };
}

class ElementWalk implements ContentVisitor<State> {
  readonly texts: TextElement[] = [];
  readonly images: ImageElement[] = [];
  readonly fonts: GlyphFonts;
  private readonly doc: PdfDocument;
  private order = 0;

  constructor(doc: PdfDocument, fonts: GlyphFonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  showText(items: readonly PdfValue[], _: unknown, at: At): void {
    const { text, ctm } = at.state;
    const { font } = text;
    if (!font) return;
    const placed: PlacedGlyph[] = [];
    const codes: number[] = [];
    let said = '';
    let isGuessed = false;
    for (const item of items) {
      if (typeof item === 'number') {
        at.cursor.adjust(item, text);
        if (-item > BLANK_FROM && said !== '' && !said.endsWith(' ')) said += ' ';
        continue;
      }
      if (!(item instanceof PdfString)) continue;
      let begin = 0;
      for (const glyph of at.cursor.show(item.bytes, text, ctm)) {
        const code = item.bytes.subarray(begin, begin + glyph.length);
        begin += glyph.length;
        placed.push(glyph);
        codes.push(code.reduce((sum, byte) => sum * 256 + byte, 0));
        const character = font.read(code).text;
        if (character === undefined) isGuessed = true;
        said += character ?? '\ufffd';
      }
    }
    const element = placed.length > 0 ? elementOf(this.doc, placed, at.state) : undefined;
    if (element) this.texts.push({ ...element, text: said, codes, isGuessed, zOrder: this.next(at) });
  }

  drawImage(ref: Ref, dict: Dict, { operands }: Operation, at: At): void {
    this.add({ name: (operands[0] as Name).value, ref, inline: false }, dict, at);
  }

  drawInlineImage(inline: Dict, { data }: Operation, at: At): void {
    if (!data) return;
    const dict = spellOut(this.doc, inline, at.resources);
    const ref = this.doc.addStream(dict, at.bytes.subarray(data.start, data.end));
    this.add({ name: undefined, ref, inline: true }, dict, at);
  }

  private add(image: Pick<ImageElement, 'name' | 'ref' | 'inline'>, dict: Dict, at: At): void {
    const side = (key: string): number => Math.max(0, Math.trunc(this.doc.number(dict.get(key)) ?? 0));
    this.images.push({
      ...image,
      nativeWidth: side('Width'),
      nativeHeight: side('Height'),
      matrix: at.state.ctm,
      resources: at.resources,
      zOrder: this.next(at),
    });
  }

  private next(at: At): number {
    this.order += 1;
    if (this.order > MAX_ELEMENTS) at.stop();
    return this.order;
  }
}
