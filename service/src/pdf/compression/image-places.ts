// How large each image is drawn, at its largest: pages, the forms and patterns they draw, soft masks, and the
// appearances of annotations are followed with the transforms that hold there.

import type { Size } from '../../contract/raster.ts';
import { pageInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { type ColourTarget, INITIAL_STATE } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import { boxOf } from '../geometry/boxes.ts';
import { boxThrough, matrixOf, product, scaling } from '../geometry/matrix.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

/** Drawings read at most; hostile files draw forms within forms. */
const MAX_DRAWINGS = 50_000;

/** In points, by image; images that are not found are drawn in ways that are not followed. */
export function imagePlaces(doc: PdfDocument): Map<string, Size> {
  const walk = new PlaceWalk(doc);
  for (const ref of doc.pages()) {
    const page = doc.dict(ref) ?? new Dict();
    const unit = Math.min(100, Math.max(1, doc.number(page.get('UserUnit')) ?? 1));
    const at = pageInterpreter(doc, ref, { ...INITIAL_STATE, ctm: scaling(unit) });
    if (walk.mayDraw(at)) at.run(walk);
    for (const annotation of doc.array(page.get('Annots')) ?? []) walk.annotation(doc.dict(annotation), at);
  }
  return walk.places;
}

class PlaceWalk implements ContentVisitor {
  readonly places = new Map<string, Size>();
  private readonly doc: PdfDocument;
  private readonly seen = new Set<string>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** Content that names no drawing needs not be read. */
  mayDraw({ resources }: ContentPosition): boolean {
    const { doc } = this;
    return ['XObject', 'Pattern', 'ExtGState'].some((category) => {
      const entries = doc.dict(resources.get(category));
      if (!entries || entries.size === 0) return false;
      if (category !== 'ExtGState') return true;
      return [...entries.values()].some((state) => doc.dict(doc.dict(state)?.get('SMask')));
    });
  }

  /** What an annotation shows fills its rectangle. */
  annotation(annotation: Dict | undefined, at: ContentPosition): void {
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
        this.follow(form, at.pattern(form, product(scaling(x, y), at.initial.ctm)));
      }
    }
  }

  drawForm(ref: Ref, _dict: Dict, _: unknown, at: ContentPosition): void {
    this.follow(ref, at.form(ref));
  }

  setColour(target: ColourTarget, _: unknown, at: ContentPosition): void {
    const pattern = at.state[target].pattern?.value;
    if (pattern !== undefined) this.follow(pattern, at.pattern(pattern));
  }

  useGraphicsState(entries: Dict, _: unknown, at: ContentPosition): void {
    const group = this.doc.dict(entries.get('SMask'))?.get('G');
    if (group !== undefined) this.follow(group, at.form(group));
  }

  private follow(drawn: PdfValue, at: ContentPosition | undefined): void {
    if (!at || !(drawn instanceof Ref)) return;
    // Where it stands does not matter, only how large it is.
    const scale = at.state.ctm.slice(0, 4).map((each) => each.toPrecision(3));
    const key = `${drawn.key} ${scale.join(' ')}`;
    if (this.seen.has(key) || this.seen.size > MAX_DRAWINGS) return;
    this.seen.add(key);
    if (this.mayDraw(at)) at.run(this);
  }

  drawImage(ref: Ref, dict: Dict, _: unknown, { state }: ContentPosition): void {
    const [a, b, c, d] = state.ctm;
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
