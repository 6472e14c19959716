// Name trees and number trees are one shape: sorted keys in leaves, limits above (ISO 32000-1, 7.9.6 and 7.9.7).
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, type PdfObject, type PdfValue, Ref } from '../objects.ts';

export interface TreeEntry<K> {
  key: K;
  value: PdfValue;
}

interface TreeKind<K> {
  leaves: 'Names' | 'Nums';
  read(value: PdfObject): K | undefined;
  write(key: K): PdfValue;
}

/** A hostile file may repeat a subtree without end: what is beyond this many entries is not read. */
const MAX_ENTRIES = 500_000;
const LEAF_ENTRIES = 64;
const KIDS = 64;

/** Entries in file order. Cycles, wrong types and half entries are skipped. */
export function readTree<K>(doc: PdfDocument, root: PdfValue | undefined, kind: TreeKind<K>): TreeEntry<K>[] {
  const entries: TreeEntry<K>[] = [];
  const seen = new Set<string>();
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (depth > MAX_TREE_DEPTH || entries.length >= MAX_ENTRIES) return;
    if (value instanceof Ref) {
      if (seen.has(value.key)) return;
      seen.add(value.key);
    }
    const node = doc.dict(value);
    if (!node) return;
    readLeaf(doc, doc.array(node.get(kind.leaves)) ?? [], kind, entries);
    for (const kid of doc.array(node.get('Kids')) ?? []) visit(kid, depth + 1);
  };
  visit(root, 0);
  return entries;
}

function readLeaf<K>(doc: PdfDocument, pairs: PdfValue[], kind: TreeKind<K>, entries: TreeEntry<K>[]): void {
  for (let at = 0; at + 1 < pairs.length && entries.length < MAX_ENTRIES; at += 2) {
    const key = kind.read(doc.resolve(pairs[at]));
    const value = pairs[at + 1];
    if (key !== undefined && value !== undefined && value !== null) entries.push({ key, value });
  }
}

interface Built<K> {
  value: PdfValue;
  first: K;
  last: K;
}

/** A balanced tree of entries that are sorted and unique. The root of a small tree holds the entries itself. */
export function buildTree<K>(doc: PdfDocument, sorted: readonly TreeEntry<K>[], kind: TreeKind<K>): Ref {
  const leaf = (part: readonly TreeEntry<K>[]): PdfValue[] =>
    part.flatMap(({ key, value }) => [kind.write(key), value]);
  if (sorted.length <= LEAF_ENTRIES) return doc.add(Dict.of({ [kind.leaves]: leaf(sorted) }));
  const withLimits = (dict: Dict, first: K, last: K): Built<K> => {
    dict.set('Limits', [kind.write(first), kind.write(last)]);
    return { value: doc.add(dict), first, last };
  };
  let level: Built<K>[] = chunks(sorted, LEAF_ENTRIES).map(([first, ...rest]) =>
    withLimits(Dict.of({ [kind.leaves]: leaf([first, ...rest]) }), first.key, (rest.at(-1) ?? first).key),
  );
  while (level.length > KIDS) {
    level = chunks(level, KIDS).map(([first, ...rest]) =>
      withLimits(
        Dict.of({ Kids: [first, ...rest].map((kid) => kid.value) }),
        first.first,
        (rest.at(-1) ?? first).last,
      ),
    );
  }
  return doc.add(Dict.of({ Kids: level.map((kid) => kid.value) }));
}

function chunks<T>(items: readonly T[], size: number): [T, ...T[]][] {
  const made: [T, ...T[]][] = [];
  for (let at = 0; at < items.length; at += size) made.push(items.slice(at, at + size) as [T, ...T[]]);
  return made;
}
