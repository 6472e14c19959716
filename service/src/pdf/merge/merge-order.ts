// In which order documents are merged (operations: general/merge-pdfs).
import { safeName } from '../../contract/names.ts';
import { invalidParameter } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { infoDate, readInfo, readXmp } from '../metadata/metadata.ts';
import { type Moment, momentOfIso } from '../metadata/pdf-dates.ts';

export const MERGE_SORTS = [
  'orderProvided',
  'byFileName',
  'byDateModified',
  'byDateCreated',
  'byPDFTitle',
] as const;
export type MergeSort = (typeof MERGE_SORTS)[number];

interface Sortable {
  file: { name: string };
  doc: PdfDocument;
}

/** "names and titles ascending, natural order": chapter 2 before chapter 10, letter case last to decide. */
const NATURAL = new Intl.Collator('en', { numeric: true });

export function orderForMerge<T extends Sortable>(
  given: readonly T[],
  sort: MergeSort,
  fileOrder?: string,
): [T, ...T[]] {
  const ordered = fileOrder === undefined ? sorted(given, sort) : listed(given, fileOrder);
  const [first, ...rest] = ordered;
  if (!first) throw invalidParameter('fileInput is required: send at least one PDF.');
  return [first, ...rest];
}

function sorted<T extends Sortable>(given: readonly T[], sort: MergeSort): readonly T[] {
  switch (sort) {
    case 'orderProvided':
      return given;
    case 'byFileName':
      return given.toSorted((a, b) => NATURAL.compare(a.file.name, b.file.name));
    case 'byPDFTitle':
      // A document without a title goes by its file name.
      return sortedBy(given, ({ doc, file }) => titleOf(doc) ?? file.name, NATURAL.compare);
    case 'byDateModified':
      return sortedBy(given, ({ doc }) => dateOf(doc, 'ModDate', 'xmp:ModifyDate'), newestFirst);
    case 'byDateCreated':
      return sortedBy(given, ({ doc }) => dateOf(doc, 'CreationDate', 'xmp:CreateDate'), newestFirst);
  }
}

/** Sorting is stable: "ties as sent". */
function sortedBy<T, K>(given: readonly T[], key: (item: T) => K, compare: (a: K, b: K) => number): T[] {
  return given
    .map((item) => ({ item, key: key(item) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ item }) => item);
}

/** "dates (of the PDF) newest first, undated last" */
function newestFirst(a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return b - a;
}

function titleOf(doc: PdfDocument): string | undefined {
  const title = doc.text(readInfo(doc).get('Title'))?.trim();
  return title || readXmp(doc)?.packet.get('dc:title')?.trim() || undefined;
}

function dateOf(
  doc: PdfDocument,
  info: 'ModDate' | 'CreationDate',
  xmp: 'xmp:ModifyDate' | 'xmp:CreateDate',
): number | undefined {
  const moment = infoDate(doc, readInfo(doc), info) ?? momentOfIso(readXmp(doc)?.packet.get(xmp) ?? '');
  return moment && instant(moment);
}

function instant({ year, month, day, hour, minute, second, offset }: Moment): number {
  const at = new Date(0);
  // Date.UTC would take years before 100 for years of the last century.
  at.setUTCFullYear(year, month - 1, day);
  return at.setUTCHours(hour, minute - offset, second);
}

/** "explicit order ...; unlisted files follow as sent; unknown name: 400". A name given twice takes the next file so named. */
function listed<T extends Sortable>(given: readonly T[], fileOrder: string): T[] {
  const left = [...given];
  const ordered: T[] = [];
  for (const line of fileOrder.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue;
    // Names of files were cleaned when they came in; the same is done to the names listed.
    const wanted = safeName(line);
    const index = left.findIndex(({ file }) => file.name === wanted);
    const [found] = index < 0 ? [] : left.splice(index, 1);
    if (found) ordered.push(found);
    else throw invalidParameter(unknownName(given, wanted));
  }
  return [...ordered, ...left];
}

function unknownName(given: readonly Sortable[], wanted: string): string {
  const known = given.some(({ file }) => file.name === wanted);
  const shown = JSON.stringify(wanted.length > 200 ? `${wanted.slice(0, 200)}...` : wanted);
  if (known) return `fileOrder lists ${shown} more often than it was sent.`;
  const names = given.slice(0, 10).map(({ file }) => file.name);
  return `fileOrder names ${shown}, which was not sent; the files are ${names.join(', ')}${given.length > 10 ? ', ...' : ''}.`;
}
