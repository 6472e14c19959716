// Strings of a document that hold a term: metadata, outline, labels, fields, annotations, names and descriptions of
// attachments, tags, layers, actions, destinations. Equal strings become equal strings, so that what refers to a name
// still finds it.
import type { PdfDocument } from '../document.ts';
import { type FormField, readFormTree } from '../forms/form-tree.ts';
import { Dict, isName, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { buildNameTree, readNameTree } from '../structure/name-tree.ts';
import { textOf, textString } from '../text-strings.ts';
import { cleanText, MARK } from './clean-text.ts';
import type { Terms } from './terms.ts';

/** Bytes rather than text, or words of PDF itself. */
const NO_TEXT = new Set([
  'ID',
  'DA',
  'Lang',
  'CheckSum',
  'Registry',
  'Ordering',
  'ByteRange',
  'Cert',
  'Panose',
  'FontFamily',
  'CharSet',
  'DigestValue',
]);

/** In bytes of another kind shorter words stand by chance. */
const LEAST_IN_BYTES = 4;

export interface StringChange {
  value: PdfValue;
  count: number;
}

/** Replaces terms in the strings of all these objects; tells how many strings held one. */
export function cleanStrings(doc: PdfDocument, refs: readonly Ref[], terms: Terms): number {
  const cleaner = new StringCleaner(terms);
  let count = 0;
  for (const ref of refs) {
    const object = doc.get(ref);
    const change = cleaner.value(object instanceof Stream ? object.dict : object, undefined, 0);
    if (change.count === 0) continue;
    count += change.count;
    if (object instanceof Stream || object instanceof Dict) doc.edit(ref);
    else doc.replace(ref, change.value);
  }
  count += cleanTrailer(doc, cleaner);
  if (count > 0) {
    sortNameTrees(doc);
    tellFieldsApart(doc);
  }
  return count;
}

/** Strings that hold a term. */
export function secretStrings(doc: PdfDocument, refs: readonly Ref[], terms: Terms): number {
  const cleaner = new StringCleaner(terms, true);
  let count = 0;
  for (const ref of refs) {
    const object = doc.get(ref);
    count += cleaner.value(object instanceof Stream ? object.dict : object, undefined, 0).count;
  }
  return count + cleaner.value(doc.trailer.get('Info') ?? null, undefined, 0).count;
}

function cleanTrailer(doc: PdfDocument, cleaner: StringCleaner): number {
  const info = doc.trailer.get('Info');
  if (!(info instanceof Dict)) return 0;
  const change = cleaner.value(info, undefined, 0);
  if (change.count > 0) doc.setTrailer('Info', change.value);
  return change.count;
}

const MAX_DEPTH = 500;

/** Dictionaries and arrays are changed where they stand. */
class StringCleaner {
  private readonly terms: Terms;
  private readonly isLooking: boolean;
  private readonly known = new Map<string, string | undefined>();

  constructor(terms: Terms, isLooking = false) {
    this.terms = terms;
    this.isLooking = isLooking;
  }

  value(value: PdfValue | Stream, key: string | undefined, depth: number): StringChange {
    if (value instanceof PdfString) return this.string(value);
    if (depth > MAX_DEPTH || value instanceof Stream || value instanceof Ref)
      return { value: null, count: 0 };
    if (value instanceof Dict) return { value, count: this.dict(value, depth) };
    if (Array.isArray(value)) return { value, count: isPalette(value) ? 0 : this.array(value, key, depth) };
    return { value, count: 0 };
  }

  private dict(dict: Dict, depth: number): number {
    let count = 0;
    const isSignature = dict.has('ByteRange') && dict.has('Contents');
    for (const [key, value] of dict) {
      if (NO_TEXT.has(key) && !(key === 'ID' && isTag(dict))) continue;
      const isSealed = isSignature && key === 'Contents' && value instanceof PdfString;
      const change = isSealed ? this.sealed(value) : this.value(value, key, depth + 1);
      if (change.count === 0) continue;
      count += change.count;
      if (!this.isLooking) dict.set(key, change.value);
    }
    return count;
  }

  private array(items: PdfValue[], key: string | undefined, depth: number): number {
    let count = 0;
    items.forEach((item, index) => {
      const change = this.value(item, key, depth + 1);
      if (change.count === 0) return;
      count += change.count;
      if (!this.isLooking) items[index] = change.value;
    });
    return count;
  }

  /** A signature holds the names of its certificates. Broken by any change, it need not be kept. */
  private sealed(string: PdfString): StringChange {
    const bytes = Buffer.from(string.bytes);
    const found = (['utf8', 'latin1'] as const).some((encoding) =>
      this.terms.find(bytes.toString(encoding)).some(({ start, end }) => end - start >= LEAST_IN_BYTES),
    );
    return found
      ? { value: new PdfString(new Uint8Array(bytes.length)), count: 1 }
      : { value: string, count: 0 };
  }

  private string(string: PdfString): StringChange {
    if (string.bytes.length === 0) return { value: string, count: 0 };
    const text = textOf(string);
    let cleaned = this.known.get(text);
    if (cleaned === undefined && !this.known.has(text)) {
      // Some producers write UTF-8 without saying so.
      const other = Buffer.from(string.bytes).toString('utf8');
      cleaned = cleanText(text, this.terms) ?? (other === text ? undefined : cleanText(other, this.terms));
      this.known.set(text, cleaned);
    }
    return cleaned === undefined ? { value: string, count: 0 } : { value: textString(cleaned), count: 1 };
  }
}

/** Elsewhere an /ID is made of numbers; a tag has one that somebody gave it, and that others may name. */
const isTag = (dict: Dict): boolean => dict.has('S') && dict.has('P') && dict.get('ID') instanceof PdfString;

/** The colours of an indexed colour space are written as a string. */
const isPalette = (items: readonly PdfValue[]): boolean =>
  isName(items[0], 'Indexed') || isName(items[0], 'I');

/** Keys that changed may stand out of order, or be equal. */
function sortNameTrees(doc: PdfDocument): void {
  sortTreesIn(doc, 'Names');
  sortTreesIn(doc, 'StructTreeRoot', ['IDTree']);
}

function sortTreesIn(doc: PdfDocument, place: string, trees?: readonly string[]): void {
  const held = doc.catalog.get(place);
  const dict = doc.dict(held);
  if (!dict) return;
  const edited = held instanceof Ref ? doc.edit(held) : dict;
  if (!(held instanceof Ref)) doc.edit(doc.catalogRef);
  for (const key of trees ?? [...edited.keys()]) {
    const used = new Set<string>();
    const entries = readNameTree(doc, edited.get(key)).map((entry) => {
      let unique = entry.key;
      for (let count = 1; used.has(unique); count += 1) unique = `${entry.key}_${count}`;
      used.add(unique);
      return { key: unique, value: entry.value };
    });
    if (entries.length > 0) edited.set(key, buildNameTree(doc, entries));
  }
}

/** Fields with different names may have got the same. */
function tellFieldsApart(doc: PdfDocument): void {
  const visit = (fields: readonly FormField[]): void => {
    const used = new Set(fields.flatMap(({ partial }) => (partial?.includes(MARK) ? [] : [partial])));
    for (const { ref, partial, fields: below } of fields) {
      if (partial?.includes(MARK)) {
        let unique = partial;
        for (let count = 2; used.has(unique); count += 1) unique = `${partial} ${count}`;
        if (unique !== partial) doc.edit(ref).set('T', textString(unique));
        used.add(unique);
      }
      visit(below);
    }
  };
  visit(readFormTree(doc));
}
