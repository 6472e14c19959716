// Fonts of pages and appearances that are reached by name: scripts and annotations may bring them in (ISO 32000-1, 7.7.4).
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfObject, Ref, Stream } from '../objects.ts';

const MAX_NAMED_OBJECTS = 20_000;

/** Undefined where there are too many objects to be looked at. */
export function fontsOfNamedPages(doc: PdfDocument): Ref[] | undefined {
  const names = doc.dict(doc.catalog.get('Names'));
  const fonts: Ref[] = [];
  const seen = new Set<string>();
  const waiting: PdfObject[] = ['Pages', 'Templates', 'AP'].map((tree) => names?.get(tree) ?? null);
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value instanceof Ref) {
      if (seen.has(value.key)) continue;
      seen.add(value.key);
      if (seen.size > MAX_NAMED_OBJECTS) return undefined;
      const object = doc.get(value);
      if (doc.name(doc.dict(object)?.get('Type')) === 'Font') fonts.push(value);
      waiting.push(object);
    } else if (Array.isArray(value)) waiting.push(...value);
    else {
      const dict = value instanceof Stream ? value.dict : value;
      if (dict instanceof Dict) for (const [key, item] of dict) if (key !== 'Parent') waiting.push(item);
    }
  }
  return fonts;
}
