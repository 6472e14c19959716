// Every dictionary of a document, wherever it is written, to be looked at and changed in place.
import type { PdfDocument } from './document.ts';
import { Dict, type PdfObject, type Ref, Stream } from './objects.ts';

/**
 * Calls `change` with each dictionary of these objects, inner ones included; where it returns true the object is
 * written back.
 */
export function changeDicts(
  doc: PdfDocument,
  refs: readonly Ref[],
  change: (dict: Dict, ref: Ref) => boolean,
): void {
  for (const ref of refs) {
    const object = doc.get(ref);
    let changed = false;
    for (const dict of dictsIn(object)) if (change(dict, ref)) changed = true;
    if (!changed) continue;
    if (object instanceof Dict || object instanceof Stream) doc.edit(ref);
    else doc.replace(ref, object);
  }
}

/** The dictionaries written in one object, outer ones first. */
function dictsIn(object: PdfObject): Dict[] {
  const found: Dict[] = [];
  const waiting: PdfObject[] = [object];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.filter((item) => typeof item === 'object'));
    const dict = value instanceof Stream ? value.dict : value;
    if (!(dict instanceof Dict)) continue;
    found.push(dict);
    for (const item of dict.values()) if (typeof item === 'object') waiting.push(item);
  }
  return found;
}
