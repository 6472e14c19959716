// Names that a producer chose and that hold a term: of resources, destinations, states of buttons, entries of the info
// dictionary. Names of fonts, colourants and glyphs say how to draw and stay.
import { RESOURCE_CATEGORIES } from '../content/content-names.ts';
import type { PdfDocument } from '../document.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, Name, name, type PdfValue, Ref } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import type { Terms } from './terms.ts';

/** In short names terms stand by chance. */
const LEAST = 4;

export const isSecretName = (given: string, terms: Terms): boolean =>
  given.length >= LEAST && terms.find(nameText(given)).some(({ start, end }) => end - start >= LEAST);

/** Entries whose value may be a name of this kind. */
const NAMING = ['Dest', 'D', 'AS', 'V', 'DV'];
/** Entries that hold dictionaries with such names for keys. */
const STATES = ['N', 'D', 'R'];

/** Entries that PDF itself names. */
const OF_INFO = new Set(
  'Title Author Subject Keywords Creator Producer CreationDate ModDate Trapped'.split(' '),
);

/** Gives such names others, everywhere the same; tells how many there were. */
export function cleanNames(doc: PdfDocument, refs: readonly Ref[], terms: Terms): number {
  const names = new SecretNames(doc, terms);
  changeDicts(doc, refs, (dict) => names.change(dict));
  names.changeCatalog();
  return names.count;
}

export function secretNames(doc: PdfDocument, refs: readonly Ref[], terms: Terms): number {
  const names = new SecretNames(doc, terms, true);
  changeDicts(doc, refs, (dict) => names.change(dict));
  names.changeCatalog();
  return names.count;
}

class SecretNames {
  count = 0;
  private readonly doc: PdfDocument;
  private readonly terms: Terms;
  private readonly isLooking: boolean;
  private readonly given = new Map<string, string>();
  private readonly known = new Map<string, boolean>();

  constructor(doc: PdfDocument, terms: Terms, isLooking = false) {
    this.doc = doc;
    this.terms = terms;
    this.isLooking = isLooking;
  }

  /** Whether the dictionary must be written back. */
  change(dict: Dict): boolean {
    const before = this.count;
    this.changeResources(dict.get('Resources'));
    for (const key of NAMING) {
      const value = dict.get(key);
      if (value instanceof Name && this.isSecret(value.value)) {
        this.count += 1;
        if (!this.isLooking) dict.set(key, name(this.other(value.value)));
      }
    }
    const looks = this.doc.dict(dict.get('AP'));
    for (const key of looks ? STATES : []) this.changeKeys(looks?.get(key), 'rename');
    return this.count > before && !this.isLooking;
  }

  changeCatalog(): void {
    this.changeKeys(this.doc.catalog.get('Dests'), 'rename');
    this.changeKeys(this.doc.trailer.get('Info'), 'drop');
  }

  /** Content that used such a name has been given another by now: what is left is used by nothing. */
  private changeResources(held: PdfValue | undefined): void {
    const resources = this.doc.dict(held);
    for (const category of resources ? RESOURCE_CATEGORIES : [])
      this.changeKeys(resources?.get(category), 'drop');
  }

  private changeKeys(held: PdfValue | undefined, how: 'rename' | 'drop'): void {
    const object = this.doc.resolve(held);
    if (!(object instanceof Dict)) return;
    for (const [key, value] of [...object]) {
      if ((how === 'drop' && OF_INFO.has(key)) || !this.isSecret(key)) continue;
      this.count += 1;
      if (this.isLooking) continue;
      object.delete(key);
      if (how === 'rename') object.set(this.other(key), value);
      if (held instanceof Ref) this.doc.edit(held);
    }
  }

  private isSecret(key: string): boolean {
    let known = this.known.get(key);
    if (known === undefined) {
      known = isSecretName(key, this.terms);
      this.known.set(key, known);
    }
    return known;
  }

  private other(key: string): string {
    const known = this.given.get(key) ?? `X${this.given.size + 1}`;
    this.given.set(key, known);
    return known;
  }
}
