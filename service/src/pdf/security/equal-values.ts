// Whether two values are written the same, whichever document or reader they come from: references are compared, not
// followed.
import { Dict, Name, type PdfObject, PdfString, Ref } from '../objects.ts';

/** Streams are never equal here: their data is not part of the value. */
export function equalValues(one: PdfObject | undefined, other: PdfObject | undefined): boolean {
  const [a, b] = [one ?? null, other ?? null];
  if (a instanceof Ref) return b instanceof Ref && a.key === b.key;
  if (a instanceof Name) return b instanceof Name && a.value === b.value;
  if (a instanceof PdfString) return b instanceof PdfString && Buffer.from(a.bytes).equals(b.bytes);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalValues(item, b[index]));
  if (a instanceof Dict)
    return (
      b instanceof Dict && a.size === b.size && [...a].every(([key, item]) => equalValues(item, b.get(key)))
    );
  return a === b;
}
