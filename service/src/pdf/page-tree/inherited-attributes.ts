// Attributes that pages take from the tree above them (ISO 32000-1, 7.7.3.4).
import { MAX_TREE_DEPTH, type ObjectGraph } from '../object-graph.ts';
import { cloneValue, Dict, type PdfValue, Ref } from '../objects.ts';

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Sets in the pages themselves what they inherit: they can then leave their tree. */
export function settleInheritedAttributes(doc: ObjectGraph): void {
  const resources = new Map<PdfValue, Ref>();
  for (const [page, attributes] of inheritedAttributes(doc)) {
    for (const [key, value] of attributes) {
      // Resources of many pages stay one object.
      const shared = value instanceof Dict ? (resources.get(value) ?? doc.add(value)) : undefined;
      if (shared) resources.set(value, shared);
      doc.edit(page).set(key, shared ?? cloneValue(value));
    }
  }
}

/** As above; the tree keeps none of it. */
export function moveInheritedAttributes(doc: ObjectGraph): void {
  settleInheritedAttributes(doc);
  const pages = new Set(doc.pages().map((ref) => ref.key));
  const seen = new Set<string>();
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (!(value instanceof Ref) || pages.has(value.key) || seen.has(value.key) || depth > MAX_TREE_DEPTH)
      return;
    seen.add(value.key);
    const node = doc.dict(value);
    for (const key of INHERITABLE) if (node?.has(key)) doc.edit(value).delete(key);
    for (const kid of doc.array(node?.get('Kids')) ?? []) visit(kid, depth + 1);
  };
  visit(doc.catalog.get('Pages'), 0);
}

/** Each page that inherits something, and what. Pages that inherit alike get the very same values. */
export function inheritedAttributes(doc: ObjectGraph): [Ref, Dict][] {
  const pages = new Set(doc.pages().map((ref) => ref.key));
  const seen = new Set<string>();
  const found: [Ref, Dict][] = [];
  // From the root down, as readers find the pages: what pages call their parent may be wrong.
  const visit = (value: PdfValue | undefined, above: Dict, depth: number): void => {
    if (!(value instanceof Ref) || seen.has(value.key) || depth > MAX_TREE_DEPTH) return;
    seen.add(value.key);
    if (pages.has(value.key)) {
      const missing = above.size === 0 ? above : missingIn(doc, doc.dict(value), above);
      if (missing.size > 0) found.push([value, missing]);
      return;
    }
    const node = doc.dict(value);
    const kids = doc.array(node?.get('Kids'));
    if (!node || !kids) return;
    const here = new Dict([...above, ...missingIn(doc, undefined, node)]);
    for (const kid of kids) visit(kid, here, depth + 1);
  };
  visit(doc.catalog.get('Pages'), new Dict(), 0);
  return found;
}

/** What of the node's inheritable attributes the page does not have itself. */
function missingIn(doc: ObjectGraph, page: Dict | undefined, node: Dict): Dict {
  const missing = new Dict();
  for (const key of INHERITABLE) {
    const value = node.get(key);
    const isNeeded = value !== undefined && doc.resolve(page?.get(key)) === null;
    if (isNeeded && doc.resolve(value) !== null) missing.set(key, value);
  }
  return missing;
}
