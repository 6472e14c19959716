// What the catalog says of pages: named destinations, the opening action, page templates; and what belongs to
// the document as a whole.
import type { PdfDocument } from '../document.ts';
import { Dict, isName, Ref } from '../objects.ts';
import type { ActionPruner } from './goto-actions.ts';
import { buildNameTree, type NameEntry, readNameTree } from './name-tree.ts';
import type { PageTargets } from './page-targets.ts';

interface Rules {
  targets: PageTargets;
  actions: ActionPruner;
  isGone(pageKey: string | undefined): boolean;
  /** Keys of the pages that remain. */
  pages: readonly string[];
  wholeDocumentThings: boolean;
}

/** Large things of the whole document, that would make every part as large as the whole. */
const WHOLE_DOCUMENT = ['AF', 'Collection', 'PieceInfo', 'DSS', 'Perms'];

/** `catalog` is the one being written; it may be changed freely, what it refers to may not. */
export function keepCatalogEntries(doc: PdfDocument, catalog: Dict, rules: Rules): void {
  keepNames(doc, catalog, rules);
  keepOldDestinations(doc, catalog, rules);
  keepOpenAction(doc, catalog, rules);
  rules.actions.pruneHolder(catalog);
  // Print jobs' parts (PDF/VT) are told by their first and last page.
  catalog.delete('DPartRoot');
  if (rules.wholeDocumentThings) return;
  for (const key of WHOLE_DOCUMENT) catalog.delete(key);
  if (isName(doc.resolve(catalog.get('PageMode')), 'UseAttachments')) catalog.delete('PageMode');
}

function keepNames(doc: PdfDocument, catalog: Dict, rules: Rules): void {
  const held = doc.dict(catalog.get('Names'));
  if (!held) return;
  const names = new Dict(held);
  if (held.has('Dests')) setTree(doc, names, 'Dests', rules.targets.namedOn(rules.pages, 'strings'));
  for (const tree of ['Pages', 'Templates']) {
    if (!held.has(tree)) continue;
    const entries = readNameTree(doc, held.get(tree)).filter(
      ({ value }) => !(value instanceof Ref && rules.targets.isPage(value.key) && rules.isGone(value.key)),
    );
    setTree(doc, names, tree, entries);
  }
  if (!rules.wholeDocumentThings) names.delete('EmbeddedFiles');
  catalog.put('Names', names.size > 0 ? names : undefined);
}

function setTree(doc: PdfDocument, names: Dict, key: string, entries: readonly NameEntry[]): void {
  names.put(key, entries.length > 0 ? buildNameTree(doc, entries) : undefined);
}

/** The dictionary of names that PDF 1.1 had. */
function keepOldDestinations(doc: PdfDocument, catalog: Dict, rules: Rules): void {
  if (!doc.dict(catalog.get('Dests'))) return;
  const kept = rules.targets.namedOn(rules.pages, 'names');
  if (kept.length === 0) catalog.delete('Dests');
  else catalog.set('Dests', new Dict(kept.map(({ key, value }) => [key, value])));
}

function keepOpenAction(doc: PdfDocument, catalog: Dict, { targets, actions, isGone }: Rules): void {
  const held = catalog.get('OpenAction');
  if (held === undefined) return;
  const isAction = doc.dict(held) !== undefined;
  const left = isAction ? actions.prune(held) : isGone(targets.pageOf(held)) ? undefined : held;
  if (left === undefined) catalog.delete('OpenAction');
  else catalog.set('OpenAction', left);
}
