// What pages hold in their resources and annotations, as plain data.
import type { PdfDocument } from '../document.ts';
import { type FontReport, fontReport } from '../fonts/font-report.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, Name, type PdfValue, Ref } from '../objects.ts';
import { nameText } from '../text-strings.ts';

export interface ListedImage {
  Width?: number;
  Height?: number;
  Name: string;
  ColorSpace?: string;
  BitsPerComponent?: number;
}

export interface PageResources {
  images: ListedImage[];
  /** Keys of the images' objects, to count distinct ones. */
  imageKeys: string[];
  fonts: (FontReport & { Count: number })[];
  /** XObjects the page itself names. */
  xobjects: { Image: number; Form: number; Other: number };
}

/** Resources of the page and of the forms it draws. */
export function pageResources(doc: PdfDocument, page: Dict): PageResources {
  const found: PageResources = {
    images: [],
    imageKeys: [],
    fonts: [],
    xobjects: { Image: 0, Form: 0, Other: 0 },
  };
  const fonts = new Map<string, FontReport & { Count: number }>();
  const seen = new Set<string>();
  const visit = (resources: Dict | undefined, depth: number): void => {
    for (const font of doc.dict(resources?.get('Font'))?.values() ?? []) countFont(doc, font, fonts);
    const forms: Dict[] = [];
    for (const [key, value] of doc.dict(resources?.get('XObject')) ?? []) {
      const dict = doc.dict(value);
      const kind = doc.name(dict?.get('Subtype')) ?? '';
      if (depth === 0) found.xobjects[kind === 'Image' || kind === 'Form' ? kind : 'Other'] += 1;
      if (!dict || !(value instanceof Ref) || seen.has(value.key)) continue;
      seen.add(value.key);
      if (kind === 'Form') forms.push(dict);
      if (kind !== 'Image') continue;
      found.images.push(listedImage(doc, key, dict));
      found.imageKeys.push(value.key);
    }
    // The page's own images come first, under the names it gives them.
    if (depth < MAX_TREE_DEPTH) for (const form of forms) visit(doc.dict(form.get('Resources')), depth + 1);
  };
  visit(doc.dict(doc.inherited(page, 'Resources')), 0);
  found.fonts = [...fonts.values()];
  return found;
}

function countFont(
  doc: PdfDocument,
  value: PdfValue,
  fonts: Map<string, FontReport & { Count: number }>,
): void {
  const font = doc.dict(value);
  if (!font) return;
  const facts = fontReport(doc, font);
  const key = JSON.stringify(facts);
  const known = fonts.get(key);
  if (known) known.Count += 1;
  else fonts.set(key, { ...facts, Count: 1 });
}

function listedImage(doc: PdfDocument, key: string, image: Dict): ListedImage {
  const made: ListedImage = { Name: nameText(key) };
  for (const entry of ['Width', 'Height', 'BitsPerComponent'] as const) {
    const value = doc.number(image.get(entry));
    if (value !== undefined) made[entry] = value;
  }
  const space = doc.resolve(image.get('ColorSpace'));
  const word = Array.isArray(space) ? doc.resolve(space[0]) : space;
  if (word instanceof Name) made.ColorSpace = nameText(word.value);
  return made;
}

const MULTIMEDIA = ['Movie', 'Sound', 'Screen', 'RichMedia', '3D'];

export interface PageAnnotations {
  counts: { AnnotationsCount: number; SubtypeCount: number; ContentsCount: number };
  links: { URI: string }[];
  multimedia: { Subtype: string; Contents?: string }[];
}

export function pageAnnotations(doc: PdfDocument, page: Dict): PageAnnotations {
  const found: PageAnnotations = {
    counts: { AnnotationsCount: 0, SubtypeCount: 0, ContentsCount: 0 },
    links: [],
    multimedia: [],
  };
  for (const value of doc.array(page.get('Annots')) ?? []) {
    const annotation = doc.resolve(value);
    if (!(annotation instanceof Dict)) continue;
    const subtype = doc.name(annotation.get('Subtype'));
    const contents = doc.text(annotation.get('Contents'));
    found.counts.AnnotationsCount += 1;
    if (subtype !== undefined) found.counts.SubtypeCount += 1;
    if (contents !== undefined) found.counts.ContentsCount += 1;
    const address = doc.text(doc.dict(annotation.get('A'))?.get('URI'));
    if (subtype === 'Link' && address !== undefined) found.links.push({ URI: address });
    if (subtype !== undefined && MULTIMEDIA.includes(subtype))
      found.multimedia.push({ Subtype: subtype, ...(contents === undefined ? {} : { Contents: contents }) });
  }
  return found;
}
