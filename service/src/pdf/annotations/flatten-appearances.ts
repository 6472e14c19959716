// What annotations show becomes content of their page (ISO 32000-1, 12.5.5).

import { encloseContent } from '../content/enclosed-content.ts';
import { contentParts } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { freeNames } from '../free-names.ts';
import { type Box, boxOf } from '../geometry/boxes.ts';
import { boxThrough, type Matrix, matrixOf, matrixText, product, translation } from '../geometry/matrix.ts';
import { rotationOf } from '../geometry/page-rotation.ts';
import { Dict, name, Ref, Stream } from '../objects.ts';
import { namesInContent } from '../syntax/content-names.ts';
import { formatName } from '../syntax/object-syntax.ts';

/** Annotation flags (table 165): Hidden and NoView; NoRotate. */
const HIDDEN = 2 | 32;
const NO_ROTATE = 16;

export const isHidden = (doc: PdfDocument, annotation: Dict): boolean =>
  ((doc.number(annotation.get('F')) ?? 0) & HIDDEN) !== 0;

/**
 * Draws the normal appearances of annotations onto the page, in order. The annotations themselves stay. `tagOf`
 * gives the number under which the structure tree knows what is drawn.
 */
export function drawAppearances(
  doc: PdfDocument,
  page: Ref,
  annotations: readonly Dict[],
  tagOf: (annotation: Dict) => number | undefined = () => undefined,
): void {
  const turn = rotationOf(doc, doc.dict(page) ?? new Dict());
  const shown = annotations.flatMap((annotation) => {
    const stream = normalAppearance(doc, annotation);
    const matrix = stream && placement(doc, annotation, stream, turn);
    return stream && matrix ? [{ stream, matrix, annotation }] : [];
  });
  if (shown.length === 0) return;
  const dict = doc.edit(page);
  const resources = new Dict(doc.dict(doc.inherited(dict, 'Resources')) ?? []);
  const forms = new Dict(doc.dict(resources.get('XObject')) ?? []);
  const states = new Dict(doc.dict(resources.get('ExtGState')) ?? []);
  const free = freeNames();
  for (const key of [...forms.keys(), ...states.keys()]) free(key);
  // The page's own content may leave its state changed or open.
  const { before, parts, after } = encloseContent(doc, contentParts(doc, page));
  let content = after;
  for (const { stream, matrix, annotation } of shown) {
    const key = free('Appearance');
    forms.set(key, asForm(doc, stream, annotation));
    const marker = isMarker(doc, annotation, stream) ? free('Marker') : undefined;
    if (marker !== undefined) states.set(marker, Dict.of({ Type: name('ExtGState'), BM: name('Multiply') }));
    const mixed = marker === undefined ? '' : `${formatName(marker)} gs `;
    const drawn = `q ${mixed}${matrixText(matrix)} cm ${formatName(key)} Do Q\n`;
    const tag = tagOf(annotation);
    content += tag === undefined ? drawn : `/Span <</MCID ${tag}>> BDC\n${drawn}EMC\n`;
  }
  resources.set('XObject', forms);
  if (states.size > 0) resources.set('ExtGState', states);
  dict.set('Resources', resources);
  const stream = (text: string) => doc.addStream(new Dict(), Buffer.from(text, 'latin1'));
  dict.set('Contents', [stream(before), ...parts, stream(content)]);
}

/** Readers let words be seen through a marker, whether or not its appearance says so. */
function isMarker(doc: PdfDocument, annotation: Dict, stream: Ref): boolean {
  if (doc.name(annotation.get('Subtype')) !== 'Highlight') return false;
  const states = doc.dict(doc.dict(doc.dict(stream)?.get('Resources'))?.get('ExtGState'));
  return ![...(states?.values() ?? [])].some((state) => doc.dict(state)?.has('BM'));
}

/** The stream that shows an annotation; undefined where nothing does. */
export function normalAppearance(doc: PdfDocument, annotation: Dict): Ref | undefined {
  if (isHidden(doc, annotation)) return undefined;
  const normal = doc.dict(annotation.get('AP'))?.get('N');
  if (doc.resolve(normal) instanceof Stream) return normal instanceof Ref ? normal : undefined;
  const state = doc.dict(normal)?.get(doc.name(annotation.get('AS')) ?? '');
  return state instanceof Ref && doc.resolve(state) instanceof Stream ? state : undefined;
}

/** An appearance is a form already; only what viewers forgive in annotations is set right. */
function asForm(doc: PdfDocument, stream: Ref, annotation: Dict): Ref {
  const form = doc.edit(stream);
  form.set('Type', name('XObject'));
  form.set('Subtype', name('Form'));
  lendFonts(doc, stream, form);
  const layer = annotation.get('OC');
  if (layer !== undefined && !form.has('OC')) form.set('OC', layer);
  return stream;
}

/** Appearances of fields may name fonts that only the form's default resources have. */
function lendFonts(doc: PdfDocument, stream: Ref, form: Dict): void {
  const lender = doc.dict(doc.dict(doc.catalog.get('AcroForm'))?.get('DR'));
  if (!lender) return;
  const resources = doc.dict(form.get('Resources'));
  if (!resources) {
    form.set('Resources', new Dict(lender));
    return;
  }
  const fonts = doc.dict(resources.get('Font'));
  const lent = doc.dict(lender.get('Font'));
  const used = lent && namesInContent(doc.streamData(stream).bytes)?.Font;
  const missing = [...(used ?? [])].filter((font) => lent?.has(font) && !fonts?.has(font));
  if (missing.length === 0) return;
  const all = new Dict(fonts ?? []);
  for (const font of missing) all.set(font, lent?.get(font) ?? null);
  form.set('Resources', new Dict(resources).set('Font', all) as Dict);
}

/** "Algorithm: appearance streams": the transformed BBox is moved and scaled onto Rect. */
function placement(doc: PdfDocument, annotation: Dict, stream: Ref, turn: number): Matrix | undefined {
  const form = doc.dict(stream);
  const rect = boxOf(doc, annotation.get('Rect') ?? null);
  const bbox = boxOf(doc, form?.get('BBox') ?? null);
  if (!rect || !bbox) return undefined;
  const box = boxThrough(matrixOf(doc, form?.get('Matrix')), bbox);
  if (!(box.right > box.left && box.top > box.bottom)) return undefined;
  const scaleX = (rect.right - rect.left) / (box.right - box.left);
  const scaleY = (rect.top - rect.bottom) / (box.top - box.bottom);
  const placed: Matrix = [
    scaleX,
    0,
    0,
    scaleY,
    rect.left - scaleX * box.left,
    rect.bottom - scaleY * box.bottom,
  ];
  const upright = ((doc.number(annotation.get('F')) ?? 0) & NO_ROTATE) !== 0;
  return upright && turn !== 0 ? product(placed, aboutUpperLeft(rect, turn)) : placed;
}

/** NoRotate: "the upper-left corner of the annotation's rectangle ... shall remain in a fixed location". */
function aboutUpperLeft({ left, top }: Box, turn: number): Matrix {
  const back: Matrix =
    turn === 90 ? [0, 1, -1, 0, 0, 0] : turn === 180 ? [-1, 0, 0, -1, 0, 0] : [0, -1, 1, 0, 0, 0];
  return product(product(translation(-left, -top), back), translation(left, top));
}
