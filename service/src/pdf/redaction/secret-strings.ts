// Strings of a document that hold a term: metadata, outline, labels, fields, annotations, names and descriptions of
// attachments, tags, layers, actions, destinations. Equal strings become equal strings, so that what refers to a name
// still finds it.
import type { PdfDocument } from '../document.ts';
import { type FormField, readFormTree } from '../forms/form-tree.ts';
import { Dict, isName, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { buildNameTree, readNameTree } from '../structure/name-tree.ts';
import { textOf, textString } from '../text-strings.ts';
import { cleanText, MARK } from './clean-text.ts';
import { blankOut } from './opaque-streams.ts';
import { isLanguage } from './pdf-words.ts';
import { isSecretName, type OtherNames } from './secret-names.ts';
import type { Terms } from './terms.ts';

/** Bytes rather than text. */
const NO_TEXT = new Set(['ID', 'CheckSum', 'ByteRange', 'Cert', 'Panose', 'DigestValue']);

/** For fields whose own cannot stay. */
const PLAIN_APPEARANCE = '/Helv 0 Tf 0 g';

/** Character collections that every reader knows. */
const KNOWN_COLLECTIONS = /^(?:Adobe|Identity|UCS|(?:Japan|GB|CNS|Korea|KR)\d)$/;

/** In bytes of another kind shorter words stand by chance. */
const LEAST_IN_BYTES = 4;

export interface StringChange {
  value: PdfValue;
  count: number;
}

/** Replaces terms in the strings of all these objects; tells how many strings held one. */
export function cleanStrings(
  doc: PdfDocument,
  refs: readonly Ref[],
  terms: Terms,
  others: OtherNames,
): number {
  const cleaner = new StringCleaner(terms, others);
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

/** Objects with strings that hold a term; the trailer's own come as nothing. */
export function secretStrings(doc: PdfDocument, refs: readonly Ref[], terms: Terms): (Ref | undefined)[] {
  const cleaner = new StringCleaner(terms, undefined);
  const found: (Ref | undefined)[] = refs.filter((ref) => {
    const object = doc.get(ref);
    return cleaner.value(object instanceof Stream ? object.dict : object, undefined, 0).count > 0;
  });
  for (const [key, value] of doc.trailer)
    if (secretsInTrailer(cleaner, key, value) > 0) found.push(undefined);
  return found;
}

/** What PDF itself writes into a trailer or a cross-reference stream. */
const OF_TRAILER = new Set(
  'Size Root Info ID Encrypt Prev XRefStm Type W Index Length Filter DecodeParms'.split(' '),
);

/** Entries that only their writer knows go as a whole. */
function cleanTrailer(doc: PdfDocument, cleaner: StringCleaner): number {
  let count = 0;
  for (const [key, value] of [...doc.trailer]) {
    const secrets = secretsInTrailer(cleaner, key, value);
    if (secrets === 0) continue;
    // An identifier that is missing is made anew.
    doc.setTrailer(key, key === 'Info' ? value : undefined);
    count += secrets;
  }
  return count;
}

function secretsInTrailer(cleaner: StringCleaner, key: string, value: PdfValue): number {
  if (key === 'ID') return cleaner.identifiers(value);
  if (OF_TRAILER.has(key)) return key === 'Info' ? cleaner.value(value, key, 0).count : 0;
  return cleaner.value(value, key, 0).count + (cleaner.isSecretKey(key) ? 1 : 0);
}

const MAX_DEPTH = 500;

/** Dictionaries and arrays are changed where they stand; without others nothing is. */
class StringCleaner {
  private readonly terms: Terms;
  /** Absent: nothing is changed. */
  private readonly others: OtherNames | undefined;
  private readonly known = new Map<string, string | undefined>();

  constructor(terms: Terms, others: OtherNames | undefined) {
    this.terms = terms;
    this.others = others;
  }

  value(value: PdfValue | Stream, key: string | undefined, depth: number): StringChange {
    if (value instanceof PdfString) return this.entry(value, key);
    if (depth > MAX_DEPTH || value instanceof Stream || value instanceof Ref)
      return { value: null, count: 0 };
    if (value instanceof Dict) return { value, count: this.dict(value, depth) };
    if (Array.isArray(value))
      return { value, count: isPalette(value) ? this.palette(value) : this.array(value, key, depth) };
    return { value, count: 0 };
  }

  /** Bytes as a rule, though some programs write words. */
  identifiers(value: PdfValue): number {
    const strings = (Array.isArray(value) ? value : []).filter((each) => each instanceof PdfString);
    return strings.filter((each) => {
      const isText = each.bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
      return this.bytes(each).count > 0 || (isText && this.string(each).count > 0);
    }).length;
  }

  isSecretKey(key: string): boolean {
    return isSecretName(key, this.terms);
  }

  private dict(dict: Dict, depth: number): number {
    let count = 0;
    const isSignature = dict.has('ByteRange') && dict.has('Contents');
    for (const [key, value] of dict) {
      const isBytes = NO_TEXT.has(key) && !(key === 'ID' && isTag(dict));
      const isSealed = isSignature && key === 'Contents';
      const change =
        value instanceof PdfString && (isBytes || isSealed)
          ? this[isSealed ? 'blankIfSecret' : 'bytes'](value)
          : this.value(value, key, depth + 1);
      if (change.count === 0) continue;
      count += change.count;
      if (this.others) dict.set(key, change.value);
    }
    return count;
  }

  private array(items: PdfValue[], key: string | undefined, depth: number): number {
    let count = 0;
    items.forEach((item, index) => {
      const change = this.value(item, key, depth + 1);
      if (change.count === 0) return;
      count += change.count;
      if (this.others) items[index] = change.value;
    });
    return count;
  }

  private bytes(string: PdfString): StringChange {
    const cleaned = blankOut(string.bytes, this.terms.bytes);
    return cleaned ? { value: new PdfString(cleaned), count: 1 } : { value: string, count: 0 };
  }

  /** A signature holds the names of its certificates. Broken by any change, it need not be kept. */
  private blankIfSecret(string: PdfString): StringChange {
    const bytes = Buffer.from(string.bytes);
    const found = (['utf8', 'latin1'] as const).some((encoding) =>
      this.terms.find(bytes.toString(encoding)).some(({ start, end }) => end - start >= LEAST_IN_BYTES),
    );
    return found
      ? { value: new PdfString(new Uint8Array(bytes.length)), count: 1 }
      : { value: string, count: 0 };
  }

  /** Strings with a grammar of their own. */
  private entry(string: PdfString, key: string | undefined): StringChange {
    const text = textOf(string);
    if (key === 'Lang') {
      if (isLanguage(text) || this.string(string).count === 0) return { value: string, count: 0 };
      const [language = ''] = text.split('-');
      return { value: textString(isLanguage(language) ? language : ''), count: 1 };
    }
    if ((key === 'Registry' || key === 'Ordering') && KNOWN_COLLECTIONS.test(text))
      return { value: string, count: 0 };
    if (key === 'CharSet' && text.split('/').every((glyph) => !isSecretName(glyph, this.terms)))
      return { value: string, count: 0 };
    if (
      key === 'DA' &&
      (this.string(string).count > 0 || this.string(textString(unescapeName(text))).count > 0)
    )
      return this.appearance(text);
    return this.string(string);
  }

  /** Operators that begin a field's content: they name a font of the form. */
  private appearance(text: string): StringChange {
    const { others, terms } = this;
    const named = text
      .replace(/%[^\r\n]*/g, ' ')
      .replace(/\/([^\s()<>[\]{}/%]+)/g, (whole, given: string) =>
        isSecretName(unescapeName(given), terms) ? `/${others?.of(unescapeName(given)) ?? ''}` : whole,
      );
    const isClean = others !== undefined && cleanText(named, terms) === undefined;
    return { value: isClean ? textString(named) : new PdfString(Buffer.from(PLAIN_APPEARANCE)), count: 1 };
  }

  private palette(items: PdfValue[]): number {
    const [, , , colours] = items;
    const cleaned = colours instanceof PdfString ? blankOut(colours.bytes, this.terms.bytes) : undefined;
    if (!cleaned) return 0;
    if (this.others) items[3] = new PdfString(cleaned);
    return 1;
  }

  private string(string: PdfString): StringChange {
    if (string.bytes.length === 0) return { value: string, count: 0 };
    const text = textOf(string);
    let cleaned = this.known.get(text);
    if (cleaned === undefined && !this.known.has(text)) {
      cleaned = cleanText(text, this.terms);
      for (const other of otherReadings(string.bytes, text)) cleaned ??= cleanText(other, this.terms);
      this.known.set(text, cleaned);
    }
    return cleaned === undefined ? { value: string, count: 0 } : { value: textString(cleaned), count: 1 };
  }
}

/** A name without the escapes it is written with. */
const unescapeName = (written: string): string =>
  written.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Some producers write UTF-8 or UTF-16 without saying so. */
function otherReadings(bytes: Uint8Array, text: string): string[] {
  const buffer = Buffer.from(bytes);
  const readings = /[\u0080-\uffff]/.test(text) ? [buffer.toString('utf8')] : [];
  if (text.includes('\0')) {
    const even = buffer.subarray(0, buffer.length & ~1);
    readings.push(even.toString('utf16le'), Buffer.from(even).swap16().toString('utf16le'));
  }
  return readings.filter((reading) => reading !== text);
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
