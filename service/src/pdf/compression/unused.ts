// What a document carries along and nobody sees: resources that no content names, glyphs that no text shows, small
// copies of pages, and what programs keep for themselves.

import { ResourceUsage, type Usage } from '../content/resource-usage.ts';
import type { PdfDocument } from '../document.ts';
import { FontSubsetter } from '../fonts/font-subsetting.ts';
import { annotationsOn } from '../fonts/font-usage.ts';
import type { SubsetOptions } from '../fonts/programs/subset.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { PageParcels } from '../page-tree/page-objects.ts';
import { RESOURCE_CATEGORIES } from '../syntax/content-names.ts';
import { leanCompositeFonts } from './composite-fonts.ts';

/** Pages that share their resources keep what any of them names. */
export function dropUnusedResources(doc: PdfDocument, refs: readonly Ref[]): void {
  const usage = new ResourceUsage(doc);
  const elsewhere = resourcesOfOthers(doc, refs);
  const shared = new Map<string, { ref: Ref; usage: Usage }>();
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const held = page.get('Resources');
    if (held === undefined) continue;
    const used = usage.ofPage(page);
    if (hasBareAppearances(doc, page)) used.doubtful = true;
    if (held instanceof Ref) {
      const known = shared.get(held.key);
      if (known) include(known.usage, used);
      else shared.set(held.key, { ref: held, usage: used });
    } else {
      const trimmed = usage.prune(held, used);
      if (trimmed !== undefined && trimmed !== held) doc.edit(ref).set('Resources', trimmed);
    }
  }
  for (const [key, { ref, usage: used }] of shared) {
    if (elsewhere.has(key)) continue;
    const trimmed = usage.prune(ref, used);
    if (trimmed instanceof Dict) doc.replace(ref, trimmed);
  }
}

function include(all: Usage, one: Usage): void {
  if (one.doubtful) all.doubtful = true;
  for (const category of RESOURCE_CATEGORIES)
    for (const name of one.names[category]) all.names[category].add(name);
}

/** Resources of forms, nodes above pages and the like may be those of a page, too. */
function resourcesOfOthers(doc: PdfDocument, refs: readonly Ref[]): Set<string> {
  const pages = new Set(doc.pages().map((ref) => ref.key));
  const found = new Set<string>();
  for (const ref of refs) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object;
    if (!(dict instanceof Dict) || pages.has(ref.key)) continue;
    for (const key of ['Resources', 'DR']) {
      const held = dict.get(key);
      if (held instanceof Ref) found.add(held.key);
    }
  }
  return found;
}

/** An appearance without resources of its own may be drawn with those of the page. */
function hasBareAppearances(doc: PdfDocument, page: Dict): boolean {
  return (doc.array(page.get('Annots')) ?? []).some((annotation) => {
    const appearances = [...(doc.dict(doc.dict(annotation)?.get('AP'))?.values() ?? [])];
    return appearances.some((value) => {
      const held = doc.resolve(value);
      const streams = held instanceof Dict ? [...held.values()].map((each) => doc.resolve(each)) : [held];
      return streams.some((stream) => stream instanceof Stream && !stream.dict.has('Resources'));
    });
  });
}

export interface SubsetFonts {
  /** All objects of the document that are still used. */
  used: Ref[];
  /** Programs that were written anew. */
  written: ReadonlySet<string>;
}

/** Fonts keep the glyphs that pages show; those that fields may be filled with stay whole. */
export function subsetFonts(doc: PdfDocument, options: SubsetOptions): SubsetFonts {
  const parcels = [...new PageParcels(doc).all];
  const form = doc.dict(doc.dict(doc.catalog.get('AcroForm'))?.get('DR'));
  const whole: PdfValue[] = [...(doc.dict(form?.get('Font'))?.values() ?? [])];
  for (const parcel of parcels)
    for (const annotation of annotationsOn(doc, parcel)) whole.push(...fontsToFillWith(doc, annotation));
  new FontSubsetter(doc).subset(parcels, whole, options);
  const used = doc.allRefs();
  return { used, written: options.tight ? leanCompositeFonts(doc, used, whole) : new Set() };
}

function fontsToFillWith(doc: PdfDocument, annotation: Dict): PdfValue[] {
  const isFilled = isName(annotation.get('Subtype'), 'Widget') || annotation.has('DA');
  const normal = isFilled ? doc.dict(annotation.get('AP'))?.get('N') : undefined;
  const resources = [annotation.get('DR'), doc.dict(normal)?.get('Resources')];
  return resources.flatMap((held) => [...(doc.dict(doc.dict(held)?.get('Font'))?.values() ?? [])]);
}

const PRIVATE = ['PieceInfo', 'LastModified'];

/** Thumbnails, which readers make themselves, and what programs keep for themselves, which they can do without. */
export function dropPrivateData(doc: PdfDocument, refs: readonly Ref[]): void {
  changeDicts(doc, refs, (dict) => {
    const isDrawing = isName(dict.get('Subtype'), 'Image') || isName(dict.get('Subtype'), 'Form');
    const isPage = isName(dict.get('Type'), 'Page');
    const isCatalog = isName(dict.get('Type'), 'Catalog');
    const going = [
      ...(isPage || isDrawing || isCatalog ? PRIVATE : []),
      ...(isPage ? ['Thumb'] : []),
      // The document's own metadata stays.
      ...(isDrawing ? ['Metadata'] : []),
    ].filter((key) => dict.has(key));
    for (const key of going) dict.delete(key);
    return going.length > 0;
  });
}
