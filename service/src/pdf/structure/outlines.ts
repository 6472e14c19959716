// The outline (bookmarks) as plain nodes, and back (ISO 32000-1, 12.3.3).
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, name, type PdfValue, Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';

export interface OutlineNode {
  title: string;
  /** The entry's own object; written again in place, other keys kept. Absent: a new entry. */
  ref?: Ref;
  dest?: PdfValue;
  action?: PdfValue;
  /** Whether the children are shown. */
  open: boolean;
  colour?: PdfValue;
  /** 1 italic, 2 bold. */
  style?: number;
  children: OutlineNode[];
}

/** What is beyond this many entries is not read. */
const MAX_ENTRIES = 100_000;

/** The outline of the document; each object is read once, so that cycles end. */
export function readOutline(doc: PdfDocument, catalog = doc.catalog): OutlineNode[] {
  const rootRef = catalog.get('Outlines');
  const root = doc.dict(rootRef);
  if (!root) return [];
  const seen = new Set<string>(rootRef instanceof Ref ? [rootRef.key] : []);
  const siblings = (first: PdfValue | undefined, depth: number): OutlineNode[] => {
    const nodes: OutlineNode[] = [];
    let ref = first;
    while (ref instanceof Ref && !seen.has(ref.key) && seen.size < MAX_ENTRIES) {
      seen.add(ref.key);
      const entry = doc.dict(ref);
      if (!entry || isOther(doc, entry)) break;
      const node = readEntry(doc, ref, entry);
      if (depth < MAX_TREE_DEPTH) node.children = siblings(entry.get('First'), depth + 1);
      nodes.push(node);
      ref = entry.get('Next');
    }
    return nodes;
  };
  return siblings(root.get('First'), 0);
}

/** Whether a damaged outline has led to an object that other parts of the document live by. */
function isOther(doc: PdfDocument, entry: Dict): boolean {
  return ['Page', 'Pages', 'Catalog', 'Annot'].includes(doc.name(entry.get('Type')) ?? '');
}

/** One entry without its place in the tree. */
export function readEntry(doc: PdfDocument, ref: Ref, entry: Dict): OutlineNode {
  const node: OutlineNode = {
    title: doc.text(entry.get('Title')) ?? '',
    ref,
    open: (doc.number(entry.get('Count')) ?? 0) > 0,
    children: [],
  };
  const [dest, action, colour, style] = [
    entry.get('Dest'),
    entry.get('A'),
    entry.get('C'),
    doc.number(entry.get('F')),
  ];
  if (dest !== undefined) node.dest = dest;
  if (action !== undefined) node.action = action;
  if (colour !== undefined) node.colour = colour;
  if (style !== undefined) node.style = style;
  return node;
}

/** Makes these nodes the outline; none removes it. Objects of entries left out are no longer reached. */
export function writeOutline(doc: PdfDocument, nodes: readonly OutlineNode[]): void {
  const catalog = doc.edit(doc.catalogRef);
  const oldRoot = catalog.get('Outlines');
  if (nodes.length === 0) {
    catalog.delete('Outlines');
    if (isName(doc.resolve(catalog.get('PageMode')), 'UseOutlines')) catalog.delete('PageMode');
    return;
  }
  const oldDict = doc.dict(oldRoot);
  const root = oldRoot instanceof Ref && oldDict && !isOther(doc, oldDict) ? oldRoot : doc.add(new Dict());
  catalog.set('Outlines', root);
  const dict = doc.edit(root);
  dict.set('Type', name('Outlines'));
  const visible = writeChildren(doc, root, dict, nodes);
  dict.set('Count', visible);
}

/** Links the nodes below their parent and tells how many entries show when the parent is open. */
function writeChildren(
  doc: PdfDocument,
  parent: Ref,
  parentDict: Dict,
  nodes: readonly OutlineNode[],
): number {
  const refs = nodes.map((node) => node.ref ?? doc.add(new Dict()));
  setOrDelete(parentDict, 'First', refs[0]);
  setOrDelete(parentDict, 'Last', refs.at(-1));
  let visible = refs.length;
  nodes.forEach((node, index) => {
    const ref = refs[index] as Ref;
    const entry = doc.edit(ref);
    entry.set('Parent', parent);
    setOrDelete(entry, 'Prev', refs[index - 1]);
    setOrDelete(entry, 'Next', refs[index + 1]);
    writeEntry(doc, entry, node);
    const below = writeChildren(doc, ref, entry, node.children);
    setOrDelete(entry, 'Count', below === 0 ? undefined : node.open ? below : -below);
    if (node.open) visible += below;
  });
  return visible;
}

function writeEntry(doc: PdfDocument, entry: Dict, node: OutlineNode): void {
  // An unchanged title keeps its bytes: language marks in it are no part of the text.
  if (doc.text(entry.get('Title')) !== node.title) entry.set('Title', textString(node.title));
  setOrDelete(entry, 'Dest', node.dest);
  setOrDelete(entry, 'A', node.action);
  setOrDelete(entry, 'C', node.colour);
  setOrDelete(entry, 'F', node.style);
}

function setOrDelete(dict: Dict, key: string, value: PdfValue | undefined): void {
  if (value === undefined) dict.delete(key);
  else dict.set(key, value);
}

/** All nodes, parents before their children. */
export function* everyNode(nodes: readonly OutlineNode[]): Generator<OutlineNode> {
  for (const node of nodes) {
    yield node;
    yield* everyNode(node.children);
  }
}
