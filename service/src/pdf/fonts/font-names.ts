// Fonts that pages name in their resources.
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, type PdfObject, Ref, Stream } from '../objects.ts';
import { nameText } from '../text-strings.ts';

export interface FontNames {
  /** Names under which pages know fonts, such as F1. */
  resourceNames: string[];
  /** Names of the fonts themselves, those used inside form XObjects and annotations included. */
  baseFonts: string[];
}

/** Distinct and sorted. */
export function fontNames(doc: PdfDocument): FontNames {
  const resourceNames = new Set<string>();
  const baseFonts = new Set<string>();
  const seen = new Set<string>();
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const resources = doc.dict(doc.inherited(page, 'Resources'));
    for (const key of doc.dict(resources?.get('Font'))?.keys() ?? []) resourceNames.add(nameText(key));
    collectBaseFonts(doc, resources, baseFonts, seen, 0);
    for (const appearance of appearances(doc, page)) {
      collectBaseFonts(doc, doc.dict(appearance.get('Resources')), baseFonts, seen, 0);
    }
  }
  return { resourceNames: [...resourceNames].sort(), baseFonts: [...baseFonts].sort() };
}

function collectBaseFonts(
  doc: PdfDocument,
  resources: Dict | undefined,
  found: Set<string>,
  seen: Set<string>,
  depth: number,
): void {
  if (!resources || depth > MAX_TREE_DEPTH) return;
  for (const font of doc.dict(resources.get('Font'))?.values() ?? []) {
    const baseFont = doc.name(doc.dict(font)?.get('BaseFont'));
    if (baseFont !== undefined) found.add(nameText(baseFont));
  }
  for (const xobject of doc.dict(resources.get('XObject'))?.values() ?? []) {
    if (!isNew(xobject, seen)) continue;
    const form = doc.dict(xobject);
    if (doc.name(form?.get('Subtype')) !== 'Form') continue;
    collectBaseFonts(doc, doc.dict(form?.get('Resources')), found, seen, depth + 1);
  }
}

/** What is drawn for the page's annotations: one form each, or one for each of its states. */
function appearances(doc: PdfDocument, page: Dict): Dict[] {
  return (doc.array(page.get('Annots')) ?? []).flatMap((annotation) => {
    const normal = doc.resolve(doc.dict(doc.dict(annotation)?.get('AP'))?.get('N'));
    if (normal instanceof Stream) return [normal.dict];
    return normal instanceof Dict ? [...normal.values()].flatMap((state) => doc.dict(state) ?? []) : [];
  });
}

/** Forms are shared and may hold each other: each is looked into once. */
function isNew(value: PdfObject, seen: Set<string>): boolean {
  if (!(value instanceof Ref) || seen.has(value.key)) return false;
  seen.add(value.key);
  return true;
}
