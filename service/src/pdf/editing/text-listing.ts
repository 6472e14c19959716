// The strings of a page, glyph by glyph and in the order of drawing, with the texts that marked content puts in their place.

import type { ContentVisitor } from '../content/content-visitor.ts';
import type { PdfDocument } from '../document.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { type Box, intersection } from '../geometry/boxes.ts';
import { Dict, type PdfValue, type Ref } from '../objects.ts';
import { ElementCount, elementInterpreter } from './element-visitor.ts';
import { type Position, readShown, type State } from './shown-text.ts';
import type { ShownElement } from './written-text.ts';

const NOWHERE: Box = { left: 0, bottom: 0, right: 0, top: 0 };

/** Marked content with a text of its own: from one glyph of the page to another, the last not included. */
export interface SpokenRange {
  text: string;
  from: number;
  to: number;
}

export interface ListedText {
  elements: ShownElement[];
  spoken: SpokenRange[];
}

export function listText(doc: PdfDocument, page: Ref, fonts: GlyphFonts): ListedText {
  const listing = new TextListing(doc, fonts);
  elementInterpreter(doc, page).run(listing);
  return { elements: listing.elements, spoken: listing.spoken };
}

class TextListing implements ContentVisitor<State> {
  readonly elements: ShownElement[] = [];
  readonly spoken: SpokenRange[] = [];
  readonly fonts: GlyphFonts;
  readonly paths = 'bounds';
  private readonly doc: PdfDocument;
  private readonly count = new ElementCount();
  private readonly open: (SpokenRange | undefined)[] = [];
  private glyphs = 0;

  constructor(doc: PdfDocument, fonts: GlyphFonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  showText(items: readonly PdfValue[], _: unknown, at: Position): void {
    const shown = readShown(items, at);
    if (!shown || shown.glyphs.length === 0) return;
    this.glyphs += shown.glyphs.length;
    this.elements.push({ ...shown, number: this.count.next(at), state: { ...at.state } });
  }

  /** Where text can be seen at all is told by the clip. */
  paintPath(_painting: unknown, _operation: unknown, { state, path }: Position): void {
    if (path.clipping !== '') state.clip = intersection(state.clip, path.bounds ?? NOWHERE) ?? NOWHERE;
  }

  drawImage(_ref: unknown, _dict: unknown, _operation: unknown, at: Position): void {
    this.count.next(at);
  }

  drawInlineImage(_dict: unknown, { data }: { data?: unknown }, at: Position): void {
    if (data) this.count.next(at);
  }

  beginMarkedContent(properties: PdfValue | undefined): void {
    const dict = this.doc.resolve(properties);
    const text = dict instanceof Dict ? this.doc.text(dict.get('ActualText')) : undefined;
    this.open.push(text === undefined ? undefined : { text, from: this.glyphs, to: this.glyphs });
  }

  endMarkedContent(): void {
    const range = this.open.pop();
    if (range && this.glyphs > range.from) this.spoken.push({ ...range, to: this.glyphs });
  }
}
