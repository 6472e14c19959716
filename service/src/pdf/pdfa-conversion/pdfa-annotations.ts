// Annotations as PDF/A asks for them: of known kinds, seen and printed, with one appearance each.
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import { flatten } from '../annotations/flatten-pages.ts';
import { allowedAnnotations } from '../conformance/rules/interactive.ts';
import type { Standard } from '../conformance/standards.ts';
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { boxOf } from '../geometry/boxes.ts';
import { Dict, Name, name, type PdfValue, Ref, Stream } from '../objects.ts';

const INVISIBLE = 1;
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
const TOGGLE_NO_VIEW = 256;

/** Kinds the part does not know stay to be seen, as content of their page. What nobody sees goes. */
export function tidyAnnotations(doc: PdfDocument, standard: Standard): void {
  const allowed = new Set(allowedAnnotations(standard));
  if (standard.part === 2) allowed.delete('FileAttachment');
  flatten(doc, (annotation) => !allowed.has(doc.name(annotation.get('Subtype')) ?? ''));
  removeAnnotations(doc, (annotation) => {
    const flags = doc.number(annotation.get('F')) ?? 0;
    const isUnseen = (flags & (HIDDEN | NO_VIEW)) !== 0;
    return !allowed.has(doc.name(annotation.get('Subtype')) ?? '') || isUnseen;
  });
  for (const page of doc.pages()) {
    const list = doc.array(doc.dict(page)?.get('Annots'));
    if (!list) continue;
    for (const value of list) {
      const dict = doc.dict(value);
      if (!dict) continue;
      if (value instanceof Ref) doc.edit(value);
      tidy(doc, dict, standard);
    }
    // Annotations may be written inside the list; what is gone is listed no more.
    doc.edit(page).set(
      'Annots',
      list.filter((value) => doc.dict(value) !== undefined),
    );
  }
}

function tidy(doc: PdfDocument, annotation: Dict, { part }: Standard): void {
  const flags = doc.number(annotation.get('F')) ?? 0;
  annotation.set('F', (flags & ~(INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW)) | PRINT);
  const subtype = doc.name(annotation.get('Subtype')) ?? '';
  if (subtype === 'Widget') for (const key of ['A', 'AA']) annotation.delete(key);
  else annotation.delete('AA');
  // Part 1 knows no transparency; the appearance tells how it looks.
  if (part === 1) annotation.delete('CA');
  const appearance = doc.dict(annotation.get('AP'));
  const normal = appearance?.get('N');
  const isButton = subtype === 'Widget' && fieldType(doc, annotation) === 'Btn';
  const chosen = isButton ? buttonStates(doc, annotation, normal) : singleStream(doc, annotation, normal);
  if (chosen !== undefined) annotation.set('AP', Dict.of({ N: chosen }));
  else if (needsAppearance(subtype))
    annotation.set('AP', Dict.of({ N: emptyAppearance(doc, annotation, isButton) }));
  else annotation.delete('AP');
}

const needsAppearance = (subtype: string): boolean => !['Popup', 'Link'].includes(subtype);

function fieldType(doc: PdfDocument, widget: Dict): string | undefined {
  let node: Dict | undefined = widget;
  for (let depth = 0; node && depth < 50; depth += 1) {
    const type = doc.name(node.get('FT'));
    if (type !== undefined) return type;
    node = doc.dict(node.get('Parent'));
  }
  return undefined;
}

/** One stream for each state; what is only a stream becomes the state that is shown. */
function buttonStates(doc: PdfDocument, widget: Dict, normal: PdfValue | undefined): PdfValue | undefined {
  const held = doc.resolve(normal);
  if (held instanceof Dict) {
    const states = new Dict();
    for (const [state, value] of held) if (doc.resolve(value) instanceof Stream) states.set(state, value);
    return states.size > 0 ? states : undefined;
  }
  if (!(held instanceof Stream) || normal === undefined) return undefined;
  const shown = doc.name(widget.get('AS')) ?? 'Off';
  widget.set('AS', name(shown));
  const states = new Dict();
  states.set(shown, normal);
  return states;
}

function singleStream(
  doc: PdfDocument,
  annotation: Dict,
  normal: PdfValue | undefined,
): PdfValue | undefined {
  const held = doc.resolve(normal);
  if (held instanceof Stream) return normal;
  if (!(held instanceof Dict)) return undefined;
  const state = doc.resolve(annotation.get('AS'));
  const shown = state instanceof Name ? held.get(state.value) : [...held.values()][0];
  return doc.resolve(shown) instanceof Stream ? shown : undefined;
}

function emptyAppearance(doc: PdfDocument, annotation: Dict, isButton: boolean): PdfValue {
  const rect = boxOf(doc, annotation.get('Rect') ?? null);
  const [width, height] = rect ? [rect.right - rect.left, rect.top - rect.bottom] : [1, 1];
  const form = addForm(doc, [0, 0, width, height], '', {});
  if (!isButton) return form;
  const states = new Dict();
  states.set('Off', form);
  annotation.set('AS', name('Off'));
  return states;
}
