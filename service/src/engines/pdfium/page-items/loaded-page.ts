// A page that PDFium has loaded, with what reads its text.
import type { Pointer } from '../library.ts';
import type { PageObjects } from '../page-objects.ts';
import type { GlyphCache } from './glyph-cache.ts';
import type { Lasting } from './glyph-rows.ts';

/** A loaded page, and what is known from earlier pages of its document. */
export interface LoadedPage {
  document: Pointer;
  page: Pointer;
  /** Undefined where there are too many to be looked at. */
  objects: PageObjects | undefined;
  glyphCache: GlyphCache;
  lasting: Lasting;
}
