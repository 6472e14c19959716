// Number trees: integers to values (page labels, the structure tree's parents).
import type { PdfDocument } from '../document.ts';
import type { PdfValue, Ref } from '../objects.ts';
import { buildTree, readTree, type TreeEntry } from './key-tree.ts';

export type NumberEntry = TreeEntry<number>;

const KIND = {
  leaves: 'Nums',
  read: (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined),
  write: (key: number) => key,
} as const;

/** Entries in file order, bounded in depth and number, each node visited once. Keys may repeat. */
export function readNumberTree(doc: PdfDocument, root: PdfValue | undefined): NumberEntry[] {
  return readTree(doc, root, KIND);
}

/** A new tree; of entries with equal keys the first stays. */
export function buildNumberTree(doc: PdfDocument, entries: Iterable<NumberEntry>): Ref {
  const byKey = new Map<number, NumberEntry>();
  for (const entry of entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  return buildTree(
    doc,
    [...byKey.values()].sort((a, b) => a.key - b.key),
    KIND,
  );
}
