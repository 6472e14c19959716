// Whether two values of a document mean the same, references followed.
import type { PdfDocument } from './document.ts';
import { Dict, Name, type PdfObject, PdfString, Ref, Stream } from './objects.ts';

/** Values of more parts than this are not compared to the end: they count as different. */
const MAX_COMPARISONS = 2000;
const MAX_DEPTH = 20;

export function sameValue(
  doc: PdfDocument,
  one: PdfObject | undefined,
  other: PdfObject | undefined,
): boolean {
  let left = MAX_COMPARISONS;
  const same = (a: PdfObject | undefined, b: PdfObject | undefined, depth: number): boolean => {
    if (a instanceof Ref && b instanceof Ref && a.key === b.key) return true;
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return false;
    const [x, y] = [doc.resolve(a), doc.resolve(b)];
    if (x instanceof Stream && y instanceof Stream)
      return sameData(doc, a, b) && same(x.dict, y.dict, depth + 1);
    if (x instanceof Name) return y instanceof Name && x.value === y.value;
    if (x instanceof PdfString) return y instanceof PdfString && Buffer.from(x.bytes).equals(y.bytes);
    if (Array.isArray(x)) {
      return (
        Array.isArray(y) && x.length === y.length && x.every((item, index) => same(item, y[index], depth + 1))
      );
    }
    if (x instanceof Dict) {
      return (
        y instanceof Dict &&
        x.size === y.size &&
        [...x].every(([key, item]) => same(item, y.get(key), depth + 1))
      );
    }
    return x === y;
  };
  return same(one, other, 0);
}

function sameData(doc: PdfDocument, a: PdfObject | undefined, b: PdfObject | undefined): boolean {
  return (
    a instanceof Ref && b instanceof Ref && Buffer.from(doc.rawStreamData(a)).equals(doc.rawStreamData(b))
  );
}
