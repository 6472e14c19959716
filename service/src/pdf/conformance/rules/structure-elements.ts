// The elements of a structure tree (ISO 32000-1, 14.7.2) as rules look at them.
import type { PdfDocument } from '../../document.ts';
import type { Dict, PdfValue } from '../../objects.ts';

const MAX_ELEMENTS = 500_000;

/** An element and its place; what its type stands for is told by whoever asks. */
export interface PlacedElement<E> {
  dict: Dict;
  type: string;
  parent: E | undefined;
  kids: E[];
  where: string;
}

/** Elements of the structure tree, parents before their kids. */
export function structureElements<E extends { kids: E[] }>(
  doc: PdfDocument,
  describe: (placed: PlacedElement<E>, roles: Dict | undefined) => E,
): E[] {
  const root = doc.dict(doc.catalog.get('StructTreeRoot'));
  const roles = doc.dict(root?.get('RoleMap'));
  const found: E[] = [];
  const seen = new Set<Dict>();
  const waiting: { value: PdfValue | undefined; parent: E | undefined }[] = [
    { value: root?.get('K'), parent: undefined },
  ];
  for (let next = waiting.pop(); next && found.length < MAX_ELEMENTS; next = waiting.pop()) {
    const { value, parent } = next;
    const array = doc.array(value);
    if (array) {
      for (const each of [...array].reverse()) waiting.push({ value: each, parent });
      continue;
    }
    const dict = doc.dict(value);
    const type = doc.name(dict?.get('S'));
    if (!dict || type === undefined || seen.has(dict)) continue;
    seen.add(dict);
    const element = describe({ dict, type, parent, kids: [], where: `structure element ${type}` }, roles);
    parent?.kids.push(element);
    found.push(element);
    waiting.push({ value: dict.get('K'), parent: element });
  }
  return found;
}
