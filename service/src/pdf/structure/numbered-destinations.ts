// Destinations that give a page by its number. The number changes with the order of pages, so before pages move
// such destinations are made to name the page object, as the standard asks.

import type { PdfDocument } from '../document.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';
import { readNamedDestinations } from './destinations.ts';
import { buildNameTree } from './name-tree.ts';
import { type OutlineNode, readOutline } from './outlines.ts';

export function nameNumberedPages(doc: PdfDocument): void {
  const pages = doc.pages();
  for (const ref of pages) {
    for (const annotation of doc.array(doc.dict(ref)?.get('Annots')) ?? []) nameIn(doc, annotation, pages);
  }
  const visit = (nodes: readonly OutlineNode[]): void => {
    for (const { ref, children } of nodes) {
      if (ref) nameIn(doc, ref, pages);
      visit(children);
    }
  };
  visit(readOutline(doc));
  nameInCatalog(doc, pages);
}

/** An annotation or outline entry: its Dest, or the D of its GoTo action. */
function nameIn(doc: PdfDocument, value: PdfValue, pages: readonly Ref[]): void {
  const holder = doc.dict(value);
  if (!holder || !(value instanceof Ref)) return;
  const dest = named(doc, holder.get('Dest'), pages);
  if (dest) doc.edit(value).set('Dest', dest);
  const action = namedAction(doc, holder.get('A'), pages);
  if (action) doc.edit(value).set('A', action);
}

function nameInCatalog(doc: PdfDocument, pages: readonly Ref[]): void {
  const held = doc.catalog.get('OpenAction');
  const open = named(doc, held, pages) ?? namedAction(doc, held, pages);
  if (open) doc.edit(doc.catalogRef).set('OpenAction', open);
  const { names, strings } = readNamedDestinations(doc);
  const newNames = namedTable(doc, names, pages);
  if (newNames) doc.edit(doc.catalogRef).set('Dests', new Dict(newNames));
  const newStrings = namedTable(doc, strings, pages);
  if (!newStrings) return;
  const tree = buildNameTree(
    doc,
    [...newStrings].map(([key, value]) => ({ key, value })),
  );
  const all = new Dict(doc.dict(doc.catalog.get('Names')) ?? []).set('Dests', tree) as Dict;
  doc.edit(doc.catalogRef).set('Names', all);
}

/** The table with numbers replaced; nothing where it has none. */
function namedTable(
  doc: PdfDocument,
  table: ReadonlyMap<string, PdfValue>,
  pages: readonly Ref[],
): Map<string, PdfValue> | undefined {
  let changed: Map<string, PdfValue> | undefined;
  for (const [key, value] of table) {
    const dict = doc.dict(value);
    const inner = dict && named(doc, dict.get('D'), pages);
    const dest = inner ? (new Dict(dict).set('D', inner) as Dict) : named(doc, value, pages);
    if (!dest) continue;
    changed ??= new Map(table);
    changed.set(key, dest);
  }
  return changed;
}

function namedAction(
  doc: PdfDocument,
  action: PdfValue | undefined,
  pages: readonly Ref[],
): Dict | undefined {
  const dict = doc.dict(action);
  if (!dict || !isName(doc.resolve(dict.get('S')), 'GoTo')) return undefined;
  const dest = named(doc, dict.get('D'), pages);
  return dest && (new Dict(dict).set('D', dest) as Dict);
}

/** The destination by its page object; nothing where it is not given by number. */
function named(doc: PdfDocument, dest: PdfValue | undefined, pages: readonly Ref[]): PdfValue[] | undefined {
  const array = doc.array(dest);
  const page = typeof array?.[0] === 'number' ? pages[array[0]] : undefined;
  return array && page && [page, ...array.slice(1)];
}
