// Names that a producer chose and that hold a term: of resources, fonts, colourants, tags, destinations, states of
// buttons, entries that PDF does not know. They get others, everywhere the same, so that what refers to a name still
// finds it. Names of glyphs in font programs say how to draw and stay.

import { computeOnce } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { nearestStandard } from '../fonts/standard-fonts.ts';
import { Dict, Name, name, type PdfObject, type PdfValue, Ref, Stream } from '../objects.ts';
import { RESOURCE_CATEGORIES } from '../syntax/content-names.ts';
import { nameText } from '../text-strings.ts';
import { isPdfWord } from './pdf-words.ts';
import type { Terms } from './terms.ts';

/** In short names terms stand by chance. */
const LEAST = 3;
/** Names that are given here, and where content is rewritten. */
const GIVEN = /^X(?:\d+|_\d+x*)$/;
const SUBSET = /^[A-Z]{6}\+/;

export function isSecretName(given: string, terms: Terms): boolean {
  if (given.length < LEAST || GIVEN.test(given) || isPdfWord(given)) return false;
  return terms.find(nameText(given.replace(SUBSET, ''))).some(({ start, end }) => end - start >= LEAST);
}

/** Other names for names, for a whole document. */
export class OtherNames {
  private readonly given = new Map<string, string>();

  of(known: string): string {
    return computeOnce(this.given, known, () => `${SUBSET.exec(known)?.[0] ?? ''}X${this.given.size + 1}`);
  }

  set(known: string, other: string): void {
    if (!this.given.has(known)) this.given.set(known, other);
  }
}

/** Gives such names others; tells how many there were. */
export function cleanNames(doc: PdfDocument, refs: readonly Ref[], terms: Terms, others: OtherNames): number {
  const names = new SecretNames(doc, terms, others);
  names.nameFonts(refs);
  let count = 0;
  for (const ref of refs) {
    const object = doc.get(ref);
    const before = names.count;
    const value = names.value(object, undefined, 0);
    if (names.count === before) continue;
    count += names.count - before;
    if (object instanceof Stream || object instanceof Dict) doc.edit(ref);
    else if (!(value instanceof Stream)) doc.replace(ref, value);
  }
  const info = doc.trailer.get('Info');
  if (info instanceof Dict) {
    const before = names.count;
    names.value(info, undefined, 0);
    if (names.count > before) doc.setTrailer('Info', info);
    count += names.count - before;
  }
  return count;
}

/** Objects with such names. */
export function secretNames(doc: PdfDocument, refs: readonly Ref[], terms: Terms): Ref[] {
  const names = new SecretNames(doc, terms, undefined);
  return refs.filter((ref) => {
    const before = names.count;
    names.value(doc.get(ref), undefined, 0);
    return names.count > before;
  });
}

const MAX_DEPTH = 500;
/** Entries whose names are words of a standard, however they sound. */
const STANDARD_VALUES = new Set(['Encoding', 'BaseEncoding', 'UseCMap', 'Filter', 'Differences']);

/** Dictionaries and arrays are changed where they stand; without others nothing is. */
class SecretNames {
  count = 0;
  private readonly doc: PdfDocument;
  private readonly terms: Terms;
  private readonly others: OtherNames | undefined;
  private readonly known = new Map<string, boolean>();

  constructor(doc: PdfDocument, terms: Terms, others: OtherNames | undefined) {
    this.doc = doc;
    this.terms = terms;
    this.others = others;
  }

  /** Fonts that are not in the file are found by their names: the nearest that every reader has takes their place. */
  nameFonts(refs: readonly Ref[]): void {
    for (const ref of refs) {
      const font = this.doc.get(ref);
      const given = font instanceof Dict ? font.get('BaseFont') : undefined;
      if (!(font instanceof Dict) || !(given instanceof Name) || !this.isSecret(given.value)) continue;
      const descriptor = this.doc.dict(font.get('FontDescriptor'));
      const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(key));
      if (!isEmbedded && ['Type1', 'TrueType'].includes(this.doc.name(font.get('Subtype')) ?? ''))
        this.others?.set(given.value, nearestStandard(given.value).name);
    }
  }

  value(value: PdfObject, key: string | undefined, depth: number): PdfObject {
    if (depth > MAX_DEPTH || value === null || typeof value !== 'object') return value;
    if (value instanceof Name) {
      if ((key !== undefined && STANDARD_VALUES.has(key)) || !this.isSecret(value.value)) return value;
      // Media types.
      if (key === 'Subtype' && value.value.includes('/')) return value;
      this.count += 1;
      return this.others ? name(this.others.of(value.value)) : value;
    }
    if (value instanceof Stream) this.dict(value.dict, key, depth);
    else if (value instanceof Dict) this.dict(value, key, depth);
    else if (Array.isArray(value))
      value.forEach((item, index) => {
        const made = this.value(item, key, depth + 1);
        if (made !== item && !(made instanceof Stream)) value[index] = made;
      });
    return value;
  }

  private dict(dict: Dict, under: string | undefined, depth: number): void {
    const isDrawnFont = this.doc.name(dict.get('Subtype')) === 'Type3';
    if (isDrawnFont) this.glyphNames(dict);
    this.dropUnused(dict.get('Resources'));
    for (const [key, value] of [...dict]) {
      const made = this.value(value, key, depth + 1);
      if (made !== value && !(made instanceof Stream)) dict.set(key, made);
      if (under === 'CharProcs' || !this.isSecret(key)) continue;
      this.count += 1;
      if (!this.others) continue;
      const held = dict.get(key) ?? null;
      dict.delete(key);
      dict.set(this.others.of(key), held);
    }
  }

  /** Of a font made of drawings: nothing but the font itself knows them. */
  private glyphNames(font: Dict): void {
    const programs = this.doc.dict(font.get('CharProcs'));
    for (const [key, value] of [...(programs ?? [])]) {
      if (!this.isSecret(key)) continue;
      this.count += 1;
      if (!this.others || !programs) continue;
      programs.delete(key);
      programs.set(this.others.of(key), value);
      this.markChanged(font.get('CharProcs'));
    }
    const encoding = this.doc.dict(font.get('Encoding'));
    const differences = this.doc.array(encoding?.get('Differences'));
    differences?.forEach((item, index) => {
      if (!(item instanceof Name) || !this.isSecret(item.value)) return;
      this.count += 1;
      if (!this.others) return;
      differences[index] = name(this.others.of(item.value));
      this.markChanged(font.get('Encoding'));
      const list = encoding?.get('Differences');
      if (list instanceof Ref) this.doc.replace(list, differences);
    });
  }

  private markChanged(held: PdfValue | undefined): void {
    if (held instanceof Ref) this.doc.edit(held);
  }

  /** Content that used such a name has been given another by now: what is left is used by nothing. */
  private dropUnused(held: PdfValue | undefined): void {
    const resources = this.doc.dict(held);
    for (const category of resources ? RESOURCE_CATEGORIES : []) {
      const listed = resources?.get(category);
      const object = this.doc.resolve(listed);
      if (!(object instanceof Dict)) continue;
      for (const key of [...object.keys()]) {
        if (!this.isSecret(key)) continue;
        this.count += 1;
        if (!this.others) continue;
        object.delete(key);
        this.markChanged(listed);
        this.markChanged(held);
      }
    }
  }

  private isSecret(key: string): boolean {
    return computeOnce(this.known, key, () => isSecretName(key, this.terms));
  }
}
