// Name trees: strings to values (destinations, embedded files, scripts).
import type { PdfDocument } from '../document.ts';
import { PdfString, type PdfValue, type Ref } from '../objects.ts';
import { buildTree, readTree, type TreeEntry } from './key-tree.ts';

/** The key is the string's bytes, one character per byte. */
export type NameEntry = TreeEntry<string>;

const KIND = {
  leaves: 'Names',
  read: (value: unknown) =>
    value instanceof PdfString ? Buffer.from(value.bytes).toString('latin1') : undefined,
  write: (key: string) => new PdfString(Buffer.from(key, 'latin1')),
} as const;

/** Entries in file order, bounded in depth and number, each node visited once. Keys may repeat. */
export function readNameTree(doc: PdfDocument, root: PdfValue | undefined): NameEntry[] {
  return readTree(doc, root, KIND);
}

/** A new tree; of entries with equal keys the first stays. */
export function buildNameTree(doc: PdfDocument, entries: Iterable<NameEntry>): Ref {
  const byKey = new Map<string, NameEntry>();
  for (const entry of entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
  // Keys are bytes: comparing code units is comparing bytes.
  const sorted = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return buildTree(doc, sorted, KIND);
}
