// How many annotations pages hold, and of which kinds.
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { nameText } from '../text-strings.ts';

export interface AnnotationCount {
  total: number;
  /** By /Subtype, in the order they appear; an annotation that names none counts in the total only. */
  bySubtype: Map<string, number>;
}

export function countAnnotations(doc: PdfDocument): AnnotationCount {
  const count: AnnotationCount = { total: 0, bySubtype: new Map() };
  for (const ref of doc.pages()) {
    for (const value of doc.array(doc.dict(ref)?.get('Annots')) ?? []) {
      const annotation = doc.resolve(value);
      if (!(annotation instanceof Dict)) continue;
      count.total += 1;
      const subtype = doc.name(annotation.get('Subtype'));
      if (subtype === undefined) continue;
      const key = nameText(subtype);
      count.bySubtype.set(key, (count.bySubtype.get(key) ?? 0) + 1);
    }
  }
  return count;
}
