// Two revisions of a document side by side: whether values mean the same in both, references followed.
import type { PdfDocument } from '../document.ts';
import { Dict, Name, type PdfObject, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';

/** Thrown where a document has more parts than are compared. */
export class TooLargeToCompare extends Error {}

const MAX_COMPARISONS = 5_000_000;
/** Trees of structure that only grew are followed this deep. */
const MAX_DEPTH = 200;

type Pair = [then: PdfObject | undefined, now: PdfObject | undefined];

export class RevisionComparison {
  readonly signed: PdfDocument;
  readonly now: PdfDocument;
  /** Objects that are compared by themselves, as what they are: pages, annotations, fields. */
  private readonly apart = new Set<string>();
  /** Pairs of objects that mean the same, with all they reach. */
  private readonly equal = new Set<string>();
  private left = MAX_COMPARISONS;

  constructor(signed: PdfDocument, now: PdfDocument) {
    this.signed = signed;
    this.now = now;
  }

  setApart(ref: Ref): void {
    this.apart.add(ref.key);
  }

  same(then: PdfObject | undefined, now: PdfObject | undefined): boolean {
    const seen = new Set<string>();
    const waiting: Pair[] = [[then, now]];
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      this.left -= 1;
      if (this.left < 0) throw new TooLargeToCompare();
      if (!this.alike(pair, seen, waiting)) return false;
    }
    for (const key of seen) this.equal.add(key);
    return true;
  }

  /** Whether two values are of one kind and their own words the same; what they hold is put to the waiting ones. */
  private alike([a, b]: Pair, seen: Set<string>, waiting: Pair[]): boolean {
    if (a instanceof Ref && b instanceof Ref) {
      const key = `${a.key}|${b.key}`;
      if ((a.key === b.key && this.apart.has(a.key)) || this.equal.has(key) || seen.has(key)) return true;
      seen.add(key);
    }
    const [x, y] = [this.signed.resolve(a), this.now.resolve(b)];
    if (x instanceof Stream) {
      if (!(y instanceof Stream && a instanceof Ref && b instanceof Ref)) return false;
      waiting.push([x.dict, y.dict]);
      return Buffer.from(this.signed.rawStreamData(a)).equals(this.now.rawStreamData(b));
    }
    if (x instanceof Name) return y instanceof Name && x.value === y.value;
    if (x instanceof PdfString) return y instanceof PdfString && Buffer.from(x.bytes).equals(y.bytes);
    if (Array.isArray(x)) {
      if (!Array.isArray(y) || x.length !== y.length) return false;
      for (const [index, item] of x.entries()) waiting.push([item, y[index]]);
      return true;
    }
    if (x instanceof Dict) {
      if (!(y instanceof Dict)) return false;
      for (const key of keysOf(x, y)) waiting.push([x.get(key), y.get(key)]);
      return true;
    }
    return x === y;
  }

  /** Keys whose values differ. */
  changedKeys(then: Dict | undefined, now: Dict | undefined): string[] {
    return keysOf(then, now).filter((key) => !this.same(then?.get(key), now?.get(key)));
  }

  /** Whether all that was in a dictionary of resources is still there, as it was. */
  keepsResources(then: PdfObject | undefined, now: PdfObject | undefined, depth = 0): boolean {
    const [was, is] = [this.signed.dict(then), this.now.dict(now)];
    if (!was || !is || depth > 1) return then === undefined || this.same(then, now);
    return [...was].every(([key, value]) => this.keepsResources(value, is.get(key), depth + 1));
  }

  /** Whether a tree of structure only got new elements: what it said of the old ones it still says. */
  onlyGrew(then: PdfObject | undefined, now: PdfObject | undefined, depth = 0): boolean {
    if (then === undefined || this.same(then, now)) return true;
    if (depth > MAX_DEPTH) return false;
    const [x, y] = [this.signed.resolve(then), this.now.resolve(now)];
    if (x instanceof Dict && y instanceof Dict)
      return keysOf(x, y).every(
        (key) =>
          COUNTERS.has(key) ||
          (BRANCHES.has(key)
            ? this.onlyGrew(x.get(key), y.get(key), depth + 1)
            : this.same(x.get(key), y.get(key))),
      );
    if (!Array.isArray(y)) return false;
    return this.keepsItems(Array.isArray(x) ? x : [then as PdfValue], y, depth);
  }

  /** The old items are among the new ones, in their order. */
  private keepsItems(was: readonly PdfValue[], is: readonly PdfValue[], depth: number): boolean {
    let at = 0;
    for (const item of was) {
      while (at < is.length && !this.onlyGrew(item, is[at], depth + 1)) at += 1;
      if (at === is.length) return false;
      at += 1;
    }
    return true;
  }
}

/** Entries of a structure tree under which new elements are put (ISO 32000-2, 14.7.2). */
const BRANCHES: ReadonlySet<string> = new Set([
  'K',
  'Kids',
  'Nums',
  'Names',
  'ParentTree',
  'IDTree',
  'RoleMap',
]);
const COUNTERS: ReadonlySet<string> = new Set(['ParentTreeNextKey', 'Limits']);

const keysOf = (one: Dict | undefined, other: Dict | undefined): string[] => [
  ...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])]),
];

/** Keys are words of the document: only plain ones are told. */
export const shownKey = (key: string): string => (/^[A-Za-z0-9]{1,40}$/.test(key) ? key : 'An entry');
