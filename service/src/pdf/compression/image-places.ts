// How large each image is drawn, at its largest: pages, the forms and patterns they draw, soft masks, and the
// appearances of annotations are followed with the transforms that hold there.

import { contentParts, joinedContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { boxOf } from '../geometry/boxes.ts';
import { boxThrough, IDENTITY, type Matrix, matrixOf, product } from '../geometry/matrix.ts';
import { Dict, isName, Name, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import type { Size } from './image-coder.ts';

const MAX_NESTING = 20;
const MAX_SAVED = 1000;
/** Drawings read at most; hostile files draw forms within forms. */
const MAX_DRAWINGS = 50_000;

/** In points, by image; images that are not found are drawn in ways that are not followed. */
export function imagePlaces(doc: PdfDocument): Map<string, Size> {
  const walk = new PlaceWalk(doc);
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const unit = Math.min(100, Math.max(1, doc.number(page.get('UserUnit')) ?? 1));
    const base: Matrix = [unit, 0, 0, unit, 0, 0];
    const resources = doc.dict(doc.inherited(page, 'Resources')) ?? new Dict();
    if (walk.mayDraw(resources)) walk.content(joinedContent(doc, contentParts(doc, ref)), resources, base, 0);
    for (const annotation of doc.array(page.get('Annots')) ?? [])
      walk.annotation(doc.dict(annotation), resources, base);
  }
  return walk.places;
}

class PlaceWalk {
  readonly places = new Map<string, Size>();
  private readonly doc: PdfDocument;
  private readonly seen = new Set<string>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** Content that names no drawing needs not be read. */
  mayDraw(resources: Dict): boolean {
    const { doc } = this;
    return ['XObject', 'Pattern', 'ExtGState'].some((category) => {
      const entries = doc.dict(resources.get(category));
      if (!entries || entries.size === 0) return false;
      if (category !== 'ExtGState') return true;
      return [...entries.values()].some((state) => doc.dict(doc.dict(state)?.get('SMask')));
    });
  }

  content(bytes: Uint8Array, resources: Dict, base: Matrix, depth: number): void {
    const reader = new ContentReader(bytes);
    const saved: Matrix[] = [];
    let ctm = base;
    for (let operation = reader.next(); operation; operation = reader.next()) {
      const { operator, operands } = operation;
      if (operator === 'q') {
        if (saved.length < MAX_SAVED) saved.push(ctm);
      } else if (operator === 'Q') ctm = saved.pop() ?? ctm;
      else if (operator === 'cm') ctm = product(matrixOf(this.doc, operands), ctm);
      else if (operator === 'Do')
        this.drawn(this.named(resources, 'XObject', operands), resources, ctm, depth);
      else if (operator === 'scn' || operator === 'SCN')
        this.pattern(this.named(resources, 'Pattern', operands), resources, base, depth);
      else if (operator === 'gs') {
        const mask = this.doc.dict(this.doc.dict(this.named(resources, 'ExtGState', operands))?.get('SMask'));
        this.drawn(mask?.get('G'), resources, ctm, depth);
      }
    }
  }

  /** What an annotation shows fills its rectangle. */
  annotation(annotation: Dict | undefined, resources: Dict, base: Matrix): void {
    const { doc } = this;
    const rect = boxOf(doc, annotation?.get('Rect') ?? null);
    if (!annotation || !rect) return;
    for (const held of doc.dict(annotation.get('AP'))?.values() ?? []) {
      const states = doc.resolve(held);
      for (const form of states instanceof Dict ? states.values() : [held]) {
        const dict = doc.dict(form);
        const box = boxOf(doc, dict?.get('BBox') ?? null);
        if (!dict || !box) continue;
        const shown = boxThrough(matrixOf(doc, dict.get('Matrix')), box);
        const fit = (to: number, from: number): number => (from > 0 && to > 0 ? to / from : 1);
        const x = fit(rect.right - rect.left, shown.right - shown.left);
        const y = fit(rect.top - rect.bottom, shown.top - shown.bottom);
        this.drawn(form, resources, product([x, 0, 0, y, 0, 0], base), 0);
      }
    }
  }

  private named(resources: Dict, category: string, operands: readonly PdfValue[]): PdfValue | undefined {
    const operand = operands.at(-1);
    return operand instanceof Name ? this.doc.dict(resources.get(category))?.get(operand.value) : undefined;
  }

  private drawn(value: PdfValue | undefined, resources: Dict, ctm: Matrix, depth: number): void {
    const stream = this.doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream)) return;
    if (isName(this.doc.resolve(stream.dict.get('Subtype')), 'Image')) this.place(value, stream.dict, ctm);
    else
      this.form(
        value,
        stream.dict,
        resources,
        product(matrixOf(this.doc, stream.dict.get('Matrix')), ctm),
        depth,
      );
  }

  /** A pattern stands on the page, whatever the transform where it is used. */
  private pattern(value: PdfValue | undefined, resources: Dict, base: Matrix, depth: number): void {
    const stream = this.doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream)) return;
    this.form(
      value,
      stream.dict,
      resources,
      product(matrixOf(this.doc, stream.dict.get('Matrix')), base),
      depth,
    );
  }

  private form(ref: Ref, dict: Dict, around: Dict, ctm: Matrix, depth: number): void {
    // Where it stands does not matter, only how large it is.
    const scale = ctm.slice(0, 4).map((each) => each.toPrecision(3));
    const key = `${ref.key} ${scale.join(' ')}`;
    if (depth >= MAX_NESTING || this.seen.has(key) || this.seen.size > MAX_DRAWINGS) return;
    this.seen.add(key);
    const resources = this.doc.dict(dict.get('Resources')) ?? around;
    if (this.mayDraw(resources)) this.content(contentOf(this.doc, ref), resources, ctm, depth + 1);
  }

  private place(ref: Ref, dict: Dict, [a, b, c, d]: Matrix = IDENTITY): void {
    const size = { width: Math.hypot(a, b), height: Math.hypot(c, d) };
    const mask = dict.get('SMask') ?? dict.get('Mask');
    for (const one of mask instanceof Ref ? [ref, mask] : [ref]) {
      const known = this.places.get(one.key);
      this.places.set(one.key, {
        width: Math.max(known?.width ?? 0, size.width),
        height: Math.max(known?.height ?? 0, size.height),
      });
    }
  }
}
