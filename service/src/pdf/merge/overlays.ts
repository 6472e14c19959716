// Pages of other documents drawn over or under the pages of one.

import type { PdfDocument } from '../document.ts';
import { displayedPage } from '../geometry/displayed-page.ts';
import { Dict, type Ref } from '../objects.ts';
import { PageForms } from '../pages/page-form.ts';
import { mergeLayers } from './merge-layers.ts';

export type OverlayMode = 'SequentialOverlay' | 'InterleavedOverlay' | 'FixedRepeatOverlay';

/** A page of an overlay file, both counted from 0. */
export interface OverlayPage {
  file: number;
  page: number;
}

/** Which overlay page each base page gets; nothing where it stays untouched. */
export function overlayOrder(
  mode: OverlayMode,
  basePages: number,
  pageCounts: readonly number[],
  repeats: readonly number[],
): (OverlayPage | undefined)[] {
  const files = pageCounts.map((count, file) => Array.from({ length: count }, (_, page) => ({ file, page })));
  const bases = Array.from({ length: basePages }, (_, index) => index);
  if (mode === 'InterleavedOverlay') {
    // "the k files take turns on the base pages; a file gives its next page at each turn, wrapping"
    return bases.map((index) => {
      const pages = files[index % files.length] ?? [];
      return pages[Math.floor(index / files.length) % pages.length];
    });
  }
  if (mode === 'SequentialOverlay') {
    const all = files.flat();
    return bases.map((index) => all[index % all.length]);
  }
  // "file j's pages in turn, the whole file repeated counts[j] times, then the next file"
  const order: (OverlayPage | undefined)[] = [];
  files.forEach((pages, file) => {
    const turns = pages.length === 0 ? 0 : (repeats[file] ?? 0);
    for (let turn = 0; turn < turns && order.length < basePages; turn += 1) order.push(...pages);
  });
  return bases.map((index) => order[index]);
}

/** A document whose pages are drawn onto another's; each page is copied once, however often it is drawn. */
export class OverlaySource {
  private readonly doc: PdfDocument;
  private readonly overlay: PdfDocument;
  private readonly forms: PageForms;
  private readonly copies = new Map<number, Ref>();

  constructor(doc: PdfDocument, overlay: PdfDocument) {
    this.doc = doc;
    this.overlay = overlay;
    this.forms = new PageForms(overlay);
  }

  form(page: number): Ref | undefined {
    const ref = this.overlay.pages()[page];
    let copy = this.copies.get(page);
    if (!copy && ref) {
      copy = this.doc.copyFrom(this.overlay, this.forms.of(displayedPage(this.overlay, ref)));
      this.copies.set(page, copy);
    }
    return copy;
  }

  /** The overlay's catalog as far as it tells which layers are shown; its layers are those the forms name. */
  layers(): Dict | undefined {
    const properties = this.overlay.catalog.get('OCProperties');
    if (this.copies.size === 0 || !this.overlay.dict(properties)) return undefined;
    const holder = this.overlay.add(Dict.of({ OCProperties: properties }));
    return this.doc.dict(this.doc.copyFrom(this.overlay, holder));
  }
}

/** Layers of the overlays are listed with those of the document, shown or hidden as before. */
export function bringLayers(doc: PdfDocument, sources: readonly OverlaySource[]): void {
  const catalogs = sources.flatMap((source) => source.layers() ?? []);
  if (catalogs.length === 0) return;
  const part = (catalog: Dict) => ({ catalog, pages: [], outline: [], title: '' });
  mergeLayers(doc, [doc.catalog, ...catalogs].map(part));
}
