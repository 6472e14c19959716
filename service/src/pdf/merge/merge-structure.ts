// Structure trees (tags, ISO 32000-1, 14.7) of several documents under one root.
import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, name, type PdfValue, Ref } from '../objects.ts';
import { buildNumberTree, type NumberEntry, readNumberTree } from '../structure/number-tree.ts';
import type { MergePart } from './merge-part.ts';
import { mergeStructureNames } from './merge-structure-names.ts';

/** Keys beyond this are a damaged file's; they are not counted on from. */
const MAX_KEY = 2 ** 24;

/** Tagged parts stay tagged; parts without tags stay as they are. */
export function mergeStructure(doc: PdfDocument, parts: readonly MergePart[]): void {
  const roots = parts.map((part) => doc.dict(part.catalog.get('StructTreeRoot')));
  if (roots.slice(1).every((root) => root === undefined)) return;
  const base = roots[0];
  const merged = new Dict(base ?? [['Type', name('StructTreeRoot')]]);
  const mergedRef = doc.add(merged);
  const kids = base ? adoptKids(doc, base, mergedRef) : [];
  const parents: NumberEntry[] = base ? readNumberTree(doc, base.get('ParentTree')) : [];
  const keys = keyMaker(highestKey(doc, parts[0], parents) + 1);
  parts.forEach((part, index) => {
    const root = roots[index];
    if (index === 0) return;
    const renumber = keys.forPart();
    renumberPages(doc, part, renumber);
    if (!root) return;
    mergeStructureNames(doc, merged, root);
    const added = adoptKids(doc, root, mergedRef);
    keepLanguage(doc, part, added);
    kids.push(...added);
    for (const { key, value } of readNumberTree(doc, root.get('ParentTree')))
      parents.push({ key: renumber(key), value });
  });
  merged.set('K', kids);
  merged.set('ParentTree', buildNumberTree(doc, parents));
  merged.set('ParentTreeNextKey', keys.next());
  const catalog = doc.edit(doc.catalogRef);
  catalog.set('StructTreeRoot', mergedRef);
  catalog.set('MarkInfo', mergeMarkInfo(doc, parts));
}

/** The elements directly below a root, now below the merged root. */
function adoptKids(doc: PdfDocument, root: Dict, mergedRef: Ref): PdfValue[] {
  const held = root.get('K');
  const kids = doc.array(held) ?? (held === undefined || held === null ? [] : [held]);
  const adopted: PdfValue[] = [];
  for (const kid of kids) {
    const dict = doc.dict(kid);
    if (!dict) continue;
    const ref = kid instanceof Ref ? kid : doc.add(dict);
    doc.edit(ref).set('P', mergedRef);
    adopted.push(ref);
  }
  return adopted;
}

/** The document's language is the first part's; elements of others say theirs. */
function keepLanguage(doc: PdfDocument, part: MergePart, elements: readonly PdfValue[]): void {
  const language = doc.text(part.catalog.get('Lang'));
  const held = part.catalog.get('Lang');
  if (!language || held === undefined || language === doc.text(doc.catalog.get('Lang'))) return;
  for (const element of elements) {
    if (element instanceof Ref && !doc.dict(element)?.has('Lang')) doc.edit(element).set('Lang', held);
  }
}

function mergeMarkInfo(doc: PdfDocument, parts: readonly MergePart[]): Dict {
  const merged = new Dict(doc.dict(doc.catalog.get('MarkInfo')) ?? []);
  merged.set('Marked', true);
  const infos = parts.map((part) => doc.dict(part.catalog.get('MarkInfo')));
  if (infos.some((info) => doc.boolean(info?.get('Suspects')))) merged.set('Suspects', true);
  return merged;
}

type Renumber = (key: number) => number;

function keyMaker(first: number) {
  let next = first;
  return {
    next: () => next,
    /** Keys of a part to free ones, in order of asking. */
    forPart(): Renumber {
      const known = new Map<number, number>();
      return (key) => {
        return computeOnce(known, key, () => next++);
      };
    },
  };
}

/** The highest key in use: in the tree, and on pages that speak of a tree they may not have. */
function highestKey(doc: PdfDocument, part: MergePart | undefined, parents: readonly NumberEntry[]): number {
  let highest = -1;
  const see = (key: number) => {
    if (key < MAX_KEY && key > highest) highest = key;
    return key;
  };
  for (const { key } of parents) see(key);
  if (part) renumberPages(doc, part, see);
  return highest;
}

/** Gives pages, annotations and forms within the content their new keys. */
function renumberPages(doc: PdfDocument, part: MergePart, renumber: Renumber): void {
  const seen = new Set<string>();
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (!(value instanceof Ref) || seen.has(value.key) || depth > MAX_TREE_DEPTH) return;
    seen.add(value.key);
    const dict = doc.dict(value);
    if (!dict) return;
    for (const key of ['StructParents', 'StructParent']) {
      const old = doc.number(dict.get(key));
      if (old === undefined || !Number.isSafeInteger(old)) continue;
      const made = renumber(old);
      if (made !== old) doc.edit(value).set(key, made);
    }
    if (isName(doc.resolve(dict.get('Subtype')), 'Image')) return;
    const resources = doc.dict(depth === 0 ? doc.inherited(dict, 'Resources') : dict.get('Resources'));
    for (const inner of doc.dict(resources?.get('XObject'))?.values() ?? []) visit(inner, depth + 1);
    if (depth > 0) return;
    for (const annotation of doc.array(dict.get('Annots')) ?? []) visit(annotation, 1);
  };
  for (const page of part.pages) visit(page, 0);
}
