// Attributes that pages take from the tree above them (ISO 32000-1, 7.7.3.4), set in the pages themselves.
import { MAX_TREE_DEPTH, type PdfDocument } from '../document.ts';
import { cloneValue, Dict, type PdfValue, Ref } from '../objects.ts';

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Pages can then leave their tree. Only pages that lack something are changed. */
export function settleInheritedAttributes(doc: PdfDocument): void {
  const pages = new Set(doc.pages().map((ref) => ref.key));
  const seen = new Set<string>();
  // From the root down, as readers find the pages: what pages call their parent may be wrong.
  const visit = (value: PdfValue | undefined, above: Dict, depth: number): void => {
    if (!(value instanceof Ref) || seen.has(value.key) || depth > MAX_TREE_DEPTH) return;
    seen.add(value.key);
    if (pages.has(value.key)) {
      if (above.size > 0) giveMissing(doc, value, above);
      return;
    }
    const node = doc.dict(value);
    const kids = doc.array(node?.get('Kids'));
    if (!node || !kids) return;
    const here = withOwn(doc, above, node);
    for (const kid of kids) visit(kid, here, depth + 1);
  };
  visit(doc.catalog.get('Pages'), new Dict(), 0);
}

function withOwn(doc: PdfDocument, above: Dict, node: Dict): Dict {
  const here = new Dict(above);
  for (const key of INHERITABLE) {
    const value = node.get(key);
    if (value === undefined || doc.resolve(value) === null) continue;
    // Resources of many pages stay one object.
    here.set(key, value instanceof Dict ? doc.add(value) : value);
  }
  return here;
}

function giveMissing(doc: PdfDocument, page: Ref, above: Dict): void {
  for (const [key, value] of above) {
    if (doc.resolve(doc.dict(page)?.get(key)) === null) doc.edit(page).set(key, cloneValue(value));
  }
}
