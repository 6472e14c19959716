// The catalogs' name trees become one: destinations, embedded files, scripts and the rest.

import type { PdfDocument } from '../document.ts';
import { freeNames } from '../free-names.ts';
import { Dict, type PdfValue } from '../objects.ts';
import { readNamedDestinations } from '../structure/destinations.ts';
import { buildNameTree, type NameEntry, readNameTree } from '../structure/name-tree.ts';
import { moveDestination, type Renames } from './merge-links.ts';
import type { MergePart } from './merge-part.ts';

const TREES = [
  'EmbeddedFiles',
  'JavaScript',
  'AP',
  'Pages',
  'Templates',
  'IDS',
  'URLS',
  'AlternatePresentations',
  'Renditions',
];
const NONE: Renames = new Map();

/** Merges all name trees into the first part's; tells for each part which destinations have a new name. */
export function mergeNames(doc: PdfDocument, parts: readonly MergePart[]): Renames[] {
  const names = parts.map((part) => doc.dict(part.catalog.get('Names')));
  const merged = new Dict(names[0] ?? []);
  for (const tree of TREES) {
    if (!names.slice(1).some((each) => each?.has(tree))) continue;
    const free = freeNames(suffixed);
    const entries = names.flatMap((each) =>
      readNameTree(doc, each?.get(tree)).map(({ key, value }) => ({ key: free(key), value })),
    );
    if (entries.length > 0) merged.set(tree, buildNameTree(doc, entries));
  }
  const renames = mergeDestinations(doc, parts, merged);
  if (merged.size > 0) doc.edit(doc.catalogRef).set('Names', doc.add(merged));
  return renames;
}

function mergeDestinations(doc: PdfDocument, parts: readonly MergePart[], names: Dict): Renames[] {
  const all = parts.map((part) => readNamedDestinations(doc, part.catalog));
  if (all.slice(1).every((each) => each.names.size + each.strings.size === 0)) return parts.map(() => NONE);
  // Readers look up a string among the names too, so both share one set of taken keys.
  const free = freeNames(suffixed);
  const strings: NameEntry[] = [];
  const olds = new Dict();
  const renames = parts.map((part, index) => {
    const own = all[index] ?? { names: new Map<string, PdfValue>(), strings: new Map<string, PdfValue>() };
    const renamed = new Map<string, string>();
    for (const key of new Set([...own.names.keys(), ...own.strings.keys()])) {
      const unique = free(key);
      if (unique !== key) renamed.set(key, unique);
    }
    const value = (given: PdfValue) => moveDestination(doc, part, NONE, given) ?? given;
    for (const [key, given] of own.strings)
      strings.push({ key: renamed.get(key) ?? key, value: value(given) });
    for (const [key, given] of own.names) olds.set(renamed.get(key) ?? key, value(given));
    return renamed;
  });
  if (strings.length > 0) names.set('Dests', buildNameTree(doc, strings));
  if (olds.size > 0) doc.edit(doc.catalogRef).set('Dests', doc.add(olds));
  return renames;
}

/** PDF text strings in UTF-16 take their suffix in UTF-16 too. */
const suffixed = (key: string, n: number): string =>
  key + (key.startsWith('\u00fe\u00ff') ? [...`_${n}`].map((c) => `\0${c}`).join('') : `_${n}`);
