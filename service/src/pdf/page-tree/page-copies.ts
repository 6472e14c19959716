// Copies of a page within its document: content and resources are shared, the page and its annotations are not.
import type { PdfDocument } from '../document.ts';
import { cloneValue, Dict, isName, name, type PdfValue, Ref } from '../objects.ts';

/** Entries of a page that hold for one page only. */
const NOT_COPIED = ['StructParents', 'B', 'DPart', 'Parent'];

/** Entries that belong to a field rather than to its widget, where one dictionary is both. */
const FIELD_ENTRIES = [
  'FT',
  'Parent',
  'Kids',
  'T',
  'TU',
  'TM',
  'Ff',
  'V',
  'DV',
  'DA',
  'Q',
  'DS',
  'RV',
  'MaxLen',
  'Opt',
  'TI',
  'I',
  'Lock',
  'SV',
];
/** Events of a field; all others are those of the widget. */
const FIELD_EVENTS = ['K', 'F', 'V', 'C'];

export interface PageCopy {
  original: Ref;
  copy: Ref;
  /** Copies of the annotations by the keys of the originals. */
  annotations: ReadonlyMap<string, Ref>;
}

/** A copy of the page; inherited attributes must have been pushed to it before. */
export function copyPage(doc: PdfDocument, ref: Ref): PageCopy {
  const page = cloneValue(doc.dict(ref) ?? new Dict());
  for (const key of NOT_COPIED) page.delete(key);
  const copy = doc.add(page);
  const annotations = doc.array(page.get('Annots'));
  const copies = new Map<string, Ref>();
  if (annotations) page.set('Annots', copyAnnotations(doc, annotations, copy, copies));
  page.set('Type', name('Page'));
  return { original: ref, copy, annotations: copies };
}

/** Copies for another page; the copy of a field's widget is a further widget of that field. */
export function copyAnnotations(
  doc: PdfDocument,
  annotations: readonly PdfValue[],
  page: Ref,
  copies: Map<string, Ref>,
): PdfValue[] {
  const made: PdfValue[] = [];
  for (const annotation of annotations) {
    const dict = doc.resolve(annotation);
    if (!(dict instanceof Dict) || isName(dict.get('Type'), 'Page')) continue;
    const isWidget = annotation instanceof Ref && isName(doc.resolve(dict.get('Subtype')), 'Widget');
    const widget = isWidget ? separateWidget(doc, annotation) : dict;
    const copy = cloneValue(widget);
    copy.delete('StructParent');
    copy.set('P', page);
    if (!(annotation instanceof Ref)) {
      made.push(copy);
      continue;
    }
    const ref = doc.add(copy);
    if (isWidget) addKid(doc, copy.get('Parent'), ref);
    copies.set(annotation.key, ref);
    made.push(ref);
  }
  relate(doc, copies);
  return made;
}

/** Notes and their windows, and replies, point at each other: copies point at copies. */
function relate(doc: PdfDocument, copies: ReadonlyMap<string, Ref>): void {
  for (const ref of copies.values()) {
    const dict = doc.edit(ref);
    for (const key of ['Popup', 'IRT', 'Parent']) {
      const other = dict.get(key);
      const copy = other instanceof Ref ? copies.get(other.key) : undefined;
      if (copy) dict.set(key, copy);
    }
  }
}

/** The widget's dictionary; where it is its field too, the field becomes an object above it. */
function separateWidget(doc: PdfDocument, widget: Ref): Dict {
  const dict = doc.edit(widget);
  if (!dict.has('T') && dict.get('Parent') instanceof Ref) return dict;
  if (!dict.has('FT') && !dict.has('T')) return dict;
  const field = new Dict();
  for (const key of FIELD_ENTRIES) {
    const value = dict.get(key);
    if (value === undefined) continue;
    field.set(key, value);
    dict.delete(key);
  }
  moveFieldEvents(doc, dict, field);
  field.set('Kids', [widget]);
  const ref = doc.add(field);
  dict.set('Parent', ref);
  listInstead(doc, widget, ref, field.get('Parent'));
  return dict;
}

function moveFieldEvents(doc: PdfDocument, widget: Dict, field: Dict): void {
  const events = doc.dict(widget.get('AA'));
  if (!events) return;
  const isOfField = ([event]: [string, PdfValue]): boolean => FIELD_EVENTS.includes(event);
  const ofField = [...events].filter(isOfField);
  if (ofField.length === 0) return;
  const ofWidget = [...events].filter((entry) => !isOfField(entry));
  field.set('AA', new Dict(ofField));
  widget.put('AA', ofWidget.length > 0 ? new Dict(ofWidget) : undefined);
}

/** Puts the field where its widget was listed: below its parent, or in the form, and in the order of calculation. */
function listInstead(doc: PdfDocument, widget: Ref, field: Ref, parent: PdfValue | undefined): void {
  const exchange = (list: PdfValue | undefined): PdfValue[] | undefined =>
    doc.array(list)?.map((each) => (each instanceof Ref && each.key === widget.key ? field : each));
  if (parent instanceof Ref && doc.dict(parent)) {
    const kids = exchange(doc.dict(parent)?.get('Kids'));
    if (kids) doc.edit(parent).set('Kids', kids);
  }
  const held = doc.catalog.get('AcroForm');
  const form = held instanceof Ref ? doc.edit(held) : doc.dict(doc.edit(doc.catalogRef).get('AcroForm'));
  for (const key of ['Fields', 'CO']) {
    const list = exchange(form?.get(key));
    if (list) form?.set(key, list);
  }
}

function addKid(doc: PdfDocument, field: PdfValue | undefined, kid: Ref): void {
  if (!(field instanceof Ref) || !doc.dict(field)) return;
  const dict = doc.edit(field);
  const kids = doc.array(dict.get('Kids'));
  if (kids && dict.get('Kids') === kids) kids.push(kid);
  else dict.set('Kids', [...(kids ?? []), kid]);
}
