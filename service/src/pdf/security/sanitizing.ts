// Removes what a document need not carry: scripts, files, metadata, actions, links, fonts. Each kind is looked
// for in every object that can be reached, not only where it belongs; what is no longer reached is not written.
import { ActionRemoval } from '../annotations/action-removal.ts';
import type { PdfDocument } from '../document.ts';
import { removeXfaElements } from '../forms/xfa.ts';
import { removeInfo } from '../metadata/metadata.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, isName, Name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { textOf } from '../text-strings.ts';

export interface Unwanted {
  javaScript: boolean;
  embeddedFiles: boolean;
  xmp: boolean;
  /** Info dictionary and PieceInfo. */
  metadata: boolean;
  /** Actions that start programs, open or fetch other files, send data or play media, and what is done on opening. */
  actions: boolean;
  /** URI actions. */
  links: boolean;
  fonts: boolean;
}

const RISKY_ACTIONS = new Set([
  'Launch',
  'GoToR',
  'GoToE',
  'SubmitForm',
  'ImportData',
  'Rendition',
  'Movie',
  'Sound',
  'RichMediaExecute',
  'GoTo3DView',
]);
const MEDIA_ANNOTATIONS = ['Movie', 'Sound', 'RichMedia', '3D'];

/** What tells an action from a structure element, which names its kind under S too. */
const ACTION_ENTRIES = [
  'JS',
  'URI',
  'F',
  'Win',
  'Unix',
  'Mac',
  'D',
  'R',
  'OP',
  'AN',
  'Operation',
  'Sound',
  'CMD',
  'TA',
  'V',
  'NewWindow',
];

export function sanitize(doc: PdfDocument, unwanted: Unwanted): void {
  const isUnwanted = actionFilter(doc, unwanted);
  const actions = new ActionRemoval(doc, isUnwanted);
  const emptied = new Set<Dict>();
  cleanCatalog(doc, unwanted);
  if (unwanted.metadata) removeInfo(doc);
  const refs = doc.allRefs();
  changeDicts(doc, refs, (dict) => {
    const hadAction = dict.has('A');
    let changed = actions.cleanHolder(dict);
    if (hadAction && !dict.has('A')) emptied.add(dict);
    for (const key of unwantedEntries(doc, dict, unwanted)) if (dict.delete(key)) changed = true;
    if (unwanted.fonts && dropFonts(doc, dict)) changed = true;
    return changed;
  });
  const isGone = annotationFilter(doc, unwanted, emptied);
  changeDicts(doc, refs, (dict) => removeAnnotations(doc, dict, isGone));
  // Whatever still leads to such an action, from places that have no use for one, finds an empty object.
  changeDicts(doc, doc.allRefs(), (dict) => {
    if (!isUnwanted(dict) || !looksLikeAction(doc, dict)) return false;
    dict.clear();
    return true;
  });
}

function looksLikeAction(doc: PdfDocument, dict: Dict): boolean {
  const type = doc.name(dict.get('Type'));
  if (type !== undefined) return type === 'Action';
  if (dict.has('P') && dict.has('K')) return false;
  return isName(doc.resolve(dict.get('S')), 'JavaScript') || ACTION_ENTRIES.some((key) => dict.has(key));
}

function actionFilter(doc: PdfDocument, unwanted: Unwanted): (action: Dict) => boolean {
  return (action) => {
    const kind = doc.name(action.get('S')) ?? '';
    if (kind === 'JavaScript') return unwanted.javaScript;
    if (kind === 'URI')
      return unwanted.links || (unwanted.javaScript && isScriptAddress(doc, action.get('URI')));
    return unwanted.actions && RISKY_ACTIONS.has(kind);
  };
}

function isScriptAddress(doc: PdfDocument, value: PdfValue | undefined): boolean {
  const address = doc.resolve(value);
  return address instanceof PdfString && /^[\s\0]*javascript:/i.test(textOf(address));
}

function cleanCatalog(doc: PdfDocument, { javaScript, embeddedFiles, actions, links }: Unwanted): void {
  const catalog = doc.edit(doc.catalogRef);
  if (actions) catalog.delete('OpenAction');
  if (links) catalog.delete('URI');
  if (embeddedFiles) {
    catalog.delete('Collection');
    if (isName(doc.resolve(catalog.get('PageMode')), 'UseAttachments')) catalog.delete('PageMode');
  }
  const names = doc.dict(catalog.get('Names'));
  if (names) {
    const left = new Dict(names);
    if (javaScript) left.delete('JavaScript');
    if (embeddedFiles) left.delete('EmbeddedFiles');
    if (actions) for (const tree of ['Renditions', 'AlternatePresentations']) left.delete(tree);
    catalog.put('Names', left.size > 0 ? left : undefined);
  }
  const elements = [...(javaScript ? ['script'] : []), ...(actions ? ['submit', 'execute'] : [])];
  if (elements.length > 0) removeXfaElements(doc, new Set(elements));
}

/** Entries that go from any dictionary that has them. */
function unwantedEntries(doc: PdfDocument, dict: Dict, unwanted: Unwanted): string[] {
  const keys: string[] = [];
  const drop = (key: string, fits: (value: PdfValue | Stream) => boolean): void => {
    const held = dict.get(key);
    if (held !== undefined && fits(doc.resolve(held))) keys.push(key);
  };
  const isContainer = (value: PdfValue | Stream): boolean => value instanceof Dict || Array.isArray(value);
  if (unwanted.javaScript) {
    // Rendition actions may carry a script beside their own work; 3D art may run one when it is shown.
    if (doc.resolve(dict.get('S')) instanceof Name) drop('JS', () => true);
    drop('OnInstantiate', (value) => value instanceof Stream);
    if (isName(doc.resolve(dict.get('Type')), 'RichMediaActivation')) drop('Scripts', isContainer);
  }
  if (unwanted.embeddedFiles) {
    drop('EF', (value) => value instanceof Dict);
    drop('RF', (value) => value instanceof Dict);
    drop('AF', (value) => Array.isArray(value) || (value instanceof Dict && !value.has('Subtype')));
  }
  if (unwanted.xmp) drop('Metadata', (value) => value instanceof Stream && !isDrawing(doc, value.dict));
  if (unwanted.metadata) drop('PieceInfo', (value) => value instanceof Dict);
  // Graphics states may name a font too.
  if (unwanted.fonts) drop('Font', Array.isArray);
  return keys;
}

/** An image or form may be called anything in a resource dictionary, Metadata too. */
const isDrawing = (doc: PdfDocument, dict: Dict): boolean =>
  ['Image', 'Form'].includes(doc.name(dict.get('Subtype')) ?? '');

function dropFonts(doc: PdfDocument, holder: Dict): boolean {
  const held = holder.get('Resources');
  const resources = doc.dict(held);
  if (!resources?.has('Font')) return false;
  (held instanceof Ref ? doc.edit(held) : resources).delete('Font');
  return true;
}

function annotationFilter(
  doc: PdfDocument,
  unwanted: Unwanted,
  emptied: ReadonlySet<Dict>,
): (annotation: Dict) => boolean {
  const kinds = new Set([
    ...(unwanted.embeddedFiles ? ['FileAttachment'] : []),
    ...(unwanted.actions ? MEDIA_ANNOTATIONS : []),
  ]);
  return (annotation) => {
    const kind = doc.name(annotation.get('Subtype')) ?? '';
    // A link that leads nowhere any more would still look like one.
    if (kind === 'Link') return emptied.has(annotation) && !annotation.has('Dest');
    return kinds.has(kind);
  };
}

function removeAnnotations(doc: PdfDocument, page: Dict, isGone: (annotation: Dict) => boolean): boolean {
  const annotations = doc.array(page.get('Annots')) ?? [];
  const gone = new Set<Dict | undefined>();
  for (const value of annotations) {
    const dict = doc.dict(value);
    if (dict && isGone(dict)) gone.add(dict).add(doc.dict(dict.get('Popup')));
  }
  gone.delete(undefined);
  if (gone.size === 0) return false;
  const left = annotations.filter((value) => !gone.has(doc.dict(value)));
  const lost = annotations.filter((value) => gone.has(doc.dict(value)));
  page.put('Annots', left.length > 0 ? left : undefined);
  // Tags may still lead to the annotation.
  for (const value of lost) if (value instanceof Ref) doc.replace(value, null);
  return true;
}
