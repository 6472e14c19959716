// What the content of a page draws, piece by piece and in order: strings with all that places them, and images.

import type { ContentVisitor } from '../content/content-visitor.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import type { Matrix } from '../geometry/matrix.ts';
import { spellOut } from '../images/inline-images.ts';
import type { Dict, Name, PdfValue, Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { ElementCount, elementInterpreter } from './element-visitor.ts';
import { codeNumberOf, type Position, readShown, type State } from './shown-text.ts';
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

export function pageElements(doc: PdfDocument, page: Ref, fonts: GlyphFonts): PageElements {
  const walk = new ElementWalk(doc, fonts);
  elementInterpreter(doc, page).run(walk);
  return { texts: walk.texts, images: walk.images };
}

class ElementWalk implements ContentVisitor<State> {
  readonly texts: TextElement[] = [];
  readonly images: ImageElement[] = [];
  readonly fonts: GlyphFonts;
  private readonly doc: PdfDocument;
  private readonly count = new ElementCount();

  constructor(doc: PdfDocument, fonts: GlyphFonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  showText(items: readonly PdfValue[], _: unknown, at: Position): void {
    const shown = readShown(items, at);
    const placed = shown?.glyphs.map((glyph) => glyph.placed) ?? [];
    const element = placed.length > 0 ? elementOf(this.doc, placed, at.state) : undefined;
    if (!shown || !element) return;
    const codes = shown.glyphs.map(({ code }) => codeNumberOf(code));
    const isGuessed = shown.glyphs.some(({ text }) => text === undefined);
    this.texts.push({ ...element, text: shown.text, codes, isGuessed, zOrder: this.count.next(at) });
  }

  drawImage(ref: Ref, dict: Dict, { operands }: Operation, at: Position): void {
    this.add({ name: (operands[0] as Name).value, ref, inline: false }, dict, at);
  }

  drawInlineImage(inline: Dict, { data }: Operation, at: Position): void {
    if (!data) return;
    const dict = spellOut(this.doc, inline, at.resources);
    const ref = this.doc.addStream(dict, at.bytes.subarray(data.start, data.end));
    this.add({ name: undefined, ref, inline: true }, dict, at);
  }

  private add(image: Pick<ImageElement, 'name' | 'ref' | 'inline'>, dict: Dict, at: Position): void {
    const side = (key: string): number => Math.max(0, Math.trunc(this.doc.number(dict.get(key)) ?? 0));
    this.images.push({
      ...image,
      nativeWidth: side('Width'),
      nativeHeight: side('Height'),
      matrix: at.state.ctm,
      resources: at.resources,
      zOrder: this.count.next(at),
    });
  }
}
