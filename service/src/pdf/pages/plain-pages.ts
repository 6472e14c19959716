// Pages that need not be read to know what belongs to them: their resources hold nothing that weighs and that other
// pages list, too, and nothing that draws with resources of its own.

import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { isEmbedded } from '../fonts/font-file.ts';
import { type Dict, isName, Name, type PdfValue, Ref } from '../objects.ts';
import type { PageParcel } from '../page-tree/page-objects.ts';
import { RESOURCE_CATEGORIES } from '../syntax/content-names.ts';

export class PlainPages {
  private readonly doc: PdfDocument;
  /** By how many pages each object is listed in their resources. */
  private readonly listings = new Map<string, number>();
  private readonly plain = new Map<PageParcel, boolean>();
  private readonly plainResources = new Map<string, boolean>();

  constructor(doc: PdfDocument, pages: Iterable<PageParcel>) {
    this.doc = doc;
    for (const { dict } of pages) {
      const resources = doc.dict(dict.get('Resources'));
      for (const category of RESOURCE_CATEGORIES)
        for (const value of doc.dict(resources?.get(category))?.values() ?? [])
          if (value instanceof Ref) this.listings.set(value.key, (this.listings.get(value.key) ?? 0) + 1);
    }
  }

  has(page: PageParcel): boolean {
    return computeOnce(
      this.plain,
      page,
      () => this.arePlain(page.dict.get('Resources')) && !this.mayBeDrawnByOthers(page),
    );
  }

  private arePlain(held: PdfValue | undefined): boolean {
    if (!(held instanceof Ref)) return this.lookAt(this.doc.dict(held));
    return computeOnce(this.plainResources, held.key, () => this.lookAt(this.doc.dict(held)));
  }

  private lookAt(resources: Dict | undefined): boolean {
    if (!resources) return true;
    const isPlain: Readonly<Record<string, (value: PdfValue) => boolean>> = {
      XObject: (value) => this.isOwnImage(value),
      Font: (value) => this.isPlainFont(value),
      ExtGState: (value) => this.isPlainState(value),
    };
    return RESOURCE_CATEGORIES.every((category) => {
      for (const value of this.doc.dict(resources.get(category))?.values() ?? [])
        if (!isPlain[category]?.(value)) return false;
      return true;
    });
  }

  private isOwn(value: PdfValue): boolean {
    return value instanceof Ref && (this.listings.get(value.key) ?? 0) <= 1;
  }

  private isOwnImage(value: PdfValue): boolean {
    return this.isOwn(value) && isName(this.doc.dict(value)?.get('Subtype'), 'Image');
  }

  private isPlainFont(value: PdfValue): boolean {
    const font = this.doc.dict(value);
    if (!font || this.doc.name(font.get('Subtype')) === 'Type3') return false;
    return this.isOwn(value) || !isEmbedded(this.doc, font);
  }

  private isPlainState(value: PdfValue): boolean {
    const state = this.doc.dict(value);
    const mask = this.doc.resolve(state?.get('SMask'));
    return state !== undefined && !state.has('Font') && (mask === null || mask instanceof Name);
  }

  /** Appearances draw with resources of their own. */
  private mayBeDrawnByOthers({ dict, annotations }: PageParcel): boolean {
    const listed = this.doc.array(dict.get('Annots')) ?? [];
    // Some are written in the page itself.
    if (listed.length > annotations.length) return true;
    return annotations.some((annotation) => annotation.dict.has('AP') || annotation.dict.has('MK'));
  }
}
