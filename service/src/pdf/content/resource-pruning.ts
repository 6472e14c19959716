// Pages that stay lose the resources that only pages left out use: one dictionary shared by all pages would
// otherwise bring every image of the document along.

import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { type Dict, type PdfValue, Ref } from '../objects.ts';
import type { PageParcel } from '../page-tree/page-objects.ts';
import { type ContentNames, RESOURCE_CATEGORIES } from '../syntax/content-names.ts';
import { ResourceUsage, type Usage } from './resource-usage.ts';

/** What is known of pages without reading them, or was read for another reason. */
export interface KnownOfPages {
  /** Nothing can be taken from its resources. */
  isPlain(page: PageParcel): boolean;
  namesOn(page: PageParcel): ContentNames | undefined;
}

export class ResourcePruner {
  private readonly doc: PdfDocument;
  private readonly known: KnownOfPages;
  private readonly usage: ResourceUsage;
  private readonly pages: readonly PageParcel[];
  private readonly usageOfPage = new Map<string, Usage>();
  private readonly trimmedOfPage = new Map<string, PdfValue | undefined>();
  /** Resource dictionaries of pages; appearances that use one of them hold more than their own. */
  private readonly pageResources = new Set<string>();
  private readonly listedBy = new Map<string, ReadonlySet<string>>();

  constructor(doc: PdfDocument, pages: readonly PageParcel[], known: KnownOfPages) {
    this.doc = doc;
    this.known = known;
    this.usage = new ResourceUsage(doc);
    this.pages = pages;
    for (const { dict } of pages) {
      const resources = dict.get('Resources');
      if (resources instanceof Ref) this.pageResources.add(resources.key);
    }
  }

  /** New resources for the pages that need them, by page. */
  trim(parcels: readonly PageParcel[], kept: ReadonlySet<string>): Map<string, PdfValue> {
    const trimmed = new Map<string, PdfValue>();
    const gone = this.pages.length - kept.size;
    if (gone <= 0) return trimmed;
    const atStake = gone <= kept.size ? this.atStake(parcels, kept) : undefined;
    for (const parcel of parcels) {
      if (this.known.isPlain(parcel)) continue;
      this.trimAppearances(parcel);
      if (atStake && !this.lists(parcel.dict, atStake)) continue;
      const resources = this.prune(parcel);
      if (resources !== undefined) trimmed.set(parcel.ref.key, resources);
    }
    return trimmed;
  }

  /**
   * Where few pages go, only what those use can become useless. Most often a page that stays uses it too, and
   * the contents of all the others need not be read.
   */
  private atStake(parcels: readonly PageParcel[], kept: ReadonlySet<string>): Set<string> {
    const atStake = new Set<string>();
    for (const parcel of this.pages) {
      if (!kept.has(parcel.ref.key)) for (const ref of this.usedRefs(parcel)) atStake.add(ref);
    }
    for (const parcel of parcels) {
      if (atStake.size === 0) break;
      if (this.lists(parcel.dict, atStake)) for (const ref of this.usedRefs(parcel)) atStake.delete(ref);
    }
    return atStake;
  }

  private lists(page: Dict, refs: ReadonlySet<string>): boolean {
    const listed = this.listedRefs(page.get('Resources'));
    const [fewer, more] = refs.size < listed.size ? [refs, listed] : [listed, refs];
    for (const key of fewer) if (more.has(key)) return true;
    return false;
  }

  /** A dictionary that all pages share is read once. */
  private listedRefs(held: PdfValue | undefined): ReadonlySet<string> {
    const key = held instanceof Ref ? held.key : undefined;
    const known = key === undefined ? undefined : this.listedBy.get(key);
    if (known) return known;
    const listed = new Set<string>();
    const resources = this.doc.dict(held);
    for (const category of RESOURCE_CATEGORIES) {
      for (const value of this.doc.dict(resources?.get(category))?.values() ?? []) {
        if (value instanceof Ref) listed.add(value.key);
      }
    }
    if (key !== undefined) this.listedBy.set(key, listed);
    return listed;
  }

  private usedRefs(parcel: PageParcel): Iterable<string> {
    const { doubtful, names } = this.usageOf(parcel);
    if (doubtful) return this.listedRefs(parcel.dict.get('Resources'));
    const resources = this.doc.dict(parcel.dict.get('Resources'));
    const used: string[] = [];
    for (const category of RESOURCE_CATEGORIES) {
      const entries = this.doc.dict(resources?.get(category));
      for (const key of names[category]) {
        const value = entries?.get(key);
        if (value instanceof Ref) used.push(value.key);
      }
    }
    return used;
  }

  private usageOf(page: PageParcel): Usage {
    return computeOnce(this.usageOfPage, page.ref.key, () =>
      this.usage.ofPage(page.dict, this.known.namesOn(page)),
    );
  }

  private prune(parcel: PageParcel): PdfValue | undefined {
    const { key } = parcel.ref;
    if (!this.trimmedOfPage.has(key)) {
      const held = parcel.dict.get('Resources');
      const made = this.usage.prune(held, this.usageOf(parcel));
      this.trimmedOfPage.set(key, made === held ? undefined : made);
    }
    return this.trimmedOfPage.get(key);
  }

  private trimAppearances({ annotations }: PageParcel): void {
    for (const { dict } of annotations) {
      for (const appearance of this.doc.dict(dict.get('AP'))?.values() ?? []) {
        const states = this.doc.resolve(appearance);
        const streams = states instanceof Map ? [...states.values()] : [appearance];
        for (const stream of streams) if (this.sharesPageResources(stream)) this.usage.trimForm(stream);
      }
    }
  }

  private sharesPageResources(stream: PdfValue): boolean {
    const resources = this.doc.dict(stream)?.get('Resources');
    return resources instanceof Ref && this.pageResources.has(resources.key);
  }
}
