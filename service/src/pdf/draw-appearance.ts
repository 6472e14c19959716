// What annotations show becomes content of their page (ISO 32000-1, 12.5.5).
import type { PdfDocument } from './document.ts';
import { freeNames } from './free-names.ts';
import { Dict, name, type PdfValue, Ref, Stream } from './objects.ts';
import { formatName, formatNumber } from './syntax.ts';

/** Annotation flags (table 165): bits for Hidden and NoView. */
const HIDDEN = 2 | 32;

type Matrix = [number, number, number, number, number, number];
type Box = [number, number, number, number];

/** Draws the normal appearances of annotations onto the page, in order. The annotations themselves stay. */
export function drawAppearances(doc: PdfDocument, page: Ref, annotations: readonly Dict[]): void {
  const shown = annotations.flatMap((annotation) => {
    const stream = normalAppearance(doc, annotation);
    const matrix = stream && placement(doc, annotation, stream);
    return stream && matrix ? [{ stream, matrix, annotation }] : [];
  });
  if (shown.length === 0) return;
  const dict = doc.edit(page);
  const resources = new Dict(doc.dict(doc.inherited(dict, 'Resources')) ?? []);
  const forms = new Dict(doc.dict(resources.get('XObject')) ?? []);
  const free = freeNames();
  for (const key of forms.keys()) free(key);
  let content = 'Q\n';
  for (const { stream, matrix, annotation } of shown) {
    const key = free('Appearance');
    forms.set(key, asForm(doc, stream, annotation));
    content += `q ${matrix.map(formatNumber).join(' ')} cm ${formatName(key)} Do Q\n`;
  }
  resources.set('XObject', forms);
  dict.set('Resources', resources);
  const held = dict.get('Contents');
  const before = doc.array(held) ?? (held === undefined || held === null ? [] : [held]);
  const stream = (text: string) => doc.addStream(new Dict(), Buffer.from(text, 'latin1'));
  // The page's own content may leave its state changed: it is put between q and Q.
  dict.set('Contents', [stream('q\n'), ...before, stream(content)]);
}

function normalAppearance(doc: PdfDocument, annotation: Dict): Ref | undefined {
  if ((doc.number(annotation.get('F')) ?? 0) & HIDDEN) return undefined;
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
  const fallback = doc.dict(doc.catalog.get('AcroForm'))?.get('DR');
  if (!form.has('Resources') && fallback !== undefined) form.set('Resources', fallback);
  const layer = annotation.get('OC');
  if (layer !== undefined && !form.has('OC')) form.set('OC', layer);
  return stream;
}

/** "Algorithm: appearance streams": the transformed BBox is moved and scaled onto Rect. */
function placement(doc: PdfDocument, annotation: Dict, stream: Ref): Matrix | undefined {
  const form = doc.dict(stream);
  const rect = boxOf(doc, annotation.get('Rect'));
  const bbox = boxOf(doc, form?.get('BBox'));
  if (!rect || !bbox) return undefined;
  const [x0, y0, x1, y1] = transformed(bbox, matrixOf(doc, form?.get('Matrix')));
  if (x1 - x0 <= 0 || y1 - y0 <= 0 || rect[2] - rect[0] <= 0 || rect[3] - rect[1] <= 0) return undefined;
  const scaleX = (rect[2] - rect[0]) / (x1 - x0);
  const scaleY = (rect[3] - rect[1]) / (y1 - y0);
  return [scaleX, 0, 0, scaleY, rect[0] - scaleX * x0, rect[1] - scaleY * y0];
}

function boxOf(doc: PdfDocument, value: PdfValue | undefined): Box | undefined {
  const [x0, y0, x1, y1] = (doc.array(value) ?? []).map((side) => doc.number(side));
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined;
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

function matrixOf(doc: PdfDocument, value: PdfValue | undefined): Matrix {
  const numbers = (doc.array(value) ?? []).map((each) => doc.number(each) ?? Number.NaN);
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as Matrix) : [1, 0, 0, 1, 0, 0];
}

function transformed([x0, y0, x1, y1]: Box, [a, b, c, d, e, f]: Matrix): Box {
  const corners = [
    [x0, y0],
    [x1, y0],
    [x0, y1],
    [x1, y1],
  ] as const;
  const xs = corners.map(([x, y]) => a * x + c * y + e);
  const ys = corners.map(([x, y]) => b * x + d * y + f);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
