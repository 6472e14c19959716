// Found texts of a document replaced by others, page by page.

import type { PdfDocument } from '../document.ts';
import { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { settleStructure } from './edit-writing.ts';
import type { TextFinder } from './text-finding.ts';
import { replacePage } from './text-replacement.ts';
import { type Reword, TextRewriting } from './text-rewriting.ts';
import { type LayOutText, TextWriter } from './written-text.ts';

export class TextReplacement {
  readonly counts = { replaced: 0, left: 0, unseen: 0, unknown: 0 };
  /** What each changed page must say, how often; by index. */
  readonly written = new Map<number, ReadonlyMap<string, number>>();
  private readonly doc: PdfDocument;
  private readonly finder: TextFinder;
  private readonly fonts: GlyphFonts;
  private readonly writer: TextWriter;
  private readonly rewriting: TextRewriting;

  constructor(doc: PdfDocument, finder: TextFinder, layOut: LayOutText) {
    this.doc = doc;
    this.finder = finder;
    this.fonts = new GlyphFonts(doc);
    this.writer = new TextWriter(doc, layOut);
    this.rewriting = new TextRewriting(doc, this.fonts);
  }

  replacePage(index: number): void {
    const page = this.doc.pages()[index];
    if (!page) return;
    const { fonts, writer, finder, counts } = this;
    const { edits, written, unseen, left, unknown } = replacePage(this.doc, page, { fonts, writer, finder });
    counts.replaced += written.length;
    counts.left += left;
    counts.unseen += unseen;
    counts.unknown += unknown;
    if (edits.size === 0) return;
    this.rewriting.rewritePage(page, { edits, reword: this.reword });
    const times = new Map<string, number>();
    for (const text of written) times.set(text, (times.get(text) ?? 0) + 1);
    this.written.set(index, times);
  }

  /** To be called once, after all pages. */
  finish(): void {
    this.writer.finish();
    settleStructure(this.doc, this.rewriting, this.reword);
  }

  /** A text that stands for changed content and does not say what was looked for is no longer true. */
  private readonly reword: Reword = (entry, text) => {
    const now = this.finder.replaced(text);
    return now === text && entry === 'ActualText' ? undefined : now;
  };
}
