// What a page tree says of itself, held against the pages that are there (ISO 32000-1, 7.7.3.2). Engines find pages by
// what nodes list; other readers believe the numbers of pages that nodes tell.
import { MAX_TREE_DEPTH, type ObjectGraph } from '../object-graph.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

/** The pages as the tree ought to list them; undefined where it does. */
export function pagesOfWrongTree(doc: ObjectGraph, found: readonly Ref[]): Ref[] | undefined {
  const size = doc.number(doc.trailer.get('Size')) ?? Number.POSITIVE_INFINITY;
  // What is listed without being an object of its own has been made one: it may be anything.
  const isPage = (ref: Ref): boolean =>
    (ref.number < size || doc.get(ref) instanceof Dict) && ref.key !== doc.catalogRef.key;
  const pages = found.filter(isPage);
  const keys = new Set(pages.map(({ key }) => key));
  const told = pages.length === found.length ? pagesBelow(doc, doc.catalog.get('Pages'), keys, 0) : undefined;
  return told === pages.length ? undefined : pages;
}

/** How many pages are below a node; undefined where it, or a node below, tells something else or lists what is none. */
function pagesBelow(
  doc: ObjectGraph,
  ref: PdfValue | undefined,
  pages: ReadonlySet<string>,
  depth: number,
): number | undefined {
  if (!(ref instanceof Ref) || depth > MAX_TREE_DEPTH) return undefined;
  if (pages.has(ref.key)) return 1;
  const node = doc.dict(ref);
  let count = 0;
  for (const kid of doc.array(node?.get('Kids')) ?? []) {
    const below = pagesBelow(doc, kid, pages, depth + 1);
    if (below === undefined) return undefined;
    count += below;
  }
  return count === doc.number(node?.get('Count')) ? count : undefined;
}
