// All objects that can be reached from the trailer: what a document holds once it is written anew.
import type { PdfDocument } from './document.ts';
import { Dict, type PdfObject, Ref, Stream } from './objects.ts';

export function reachableRefs(doc: PdfDocument): Ref[] {
  const found = new Map<string, Ref>();
  const waiting: PdfObject[] = [doc.catalogRef, doc.trailer];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Ref) {
      if (found.has(value.key)) continue;
      const object = doc.get(value);
      if (object === null) continue;
      found.set(value.key, value);
      waiting.push(object);
    } else if (Array.isArray(value)) {
      for (const item of value) if (isContainer(item)) waiting.push(item);
    } else {
      const dict = value instanceof Stream ? value.dict : value;
      if (dict instanceof Dict) for (const item of dict.values()) if (isContainer(item)) waiting.push(item);
    }
  }
  return [...found.values()];
}

/** Whether it may lead to further objects. */
export const isContainer = (value: PdfObject): boolean =>
  value instanceof Ref || value instanceof Dict || Array.isArray(value);
