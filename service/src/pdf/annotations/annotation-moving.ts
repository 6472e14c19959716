// Annotations that move with their page onto a sheet: everything they say in the page's coordinates is said anew.

import type { PdfDocument } from '../document.ts';
import { boxArray, boxOf, intersection } from '../geometry/boxes.ts';
import { turnMatrix } from '../geometry/displayed-page.ts';
import { boxThrough, type Matrix, matrixOf, product, scaleOf, transformed } from '../geometry/matrix.ts';
import type { PageMove } from '../geometry/page-move.ts';
import { cloneValue, Dict, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

/** Annotation flags (ISO 32000-1, table 165). */
const HIDDEN = 2;
const NO_ZOOM = 8;
const NO_ROTATE = 16;

/** Entries that are rows of points. */
const POINTS = ['QuadPoints', 'L', 'Vertices', 'CL'];
/** Entries that are rows of such rows. */
const POINT_LISTS = ['InkList', 'Path'];
const LENGTHS = ['LL', 'LLE', 'LLO'];

export class AnnotationMover {
  private readonly doc: PdfDocument;
  private readonly turnedForms = new Map<string, Ref>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** Changes an annotation of the page; the dictionary may be changed freely, what it refers to may not. */
  move(annotation: Dict, move: PageMove): void {
    const { doc } = this;
    const { matrix, page } = move;
    const scale = scaleOf(matrix);
    const flags = doc.number(annotation.get('F')) ?? 0;
    if (annotation.get('P') !== undefined) annotation.set('P', move.sheet);
    this.hideOutside(annotation, move, flags);
    this.moveRect(annotation, matrix, flags);
    for (const key of POINTS) this.replace(annotation, key, (value) => this.points(value, matrix));
    for (const key of POINT_LISTS)
      this.replace(annotation, key, (value) =>
        doc.array(value)?.map((row) => this.points(row, matrix) ?? row),
      );
    this.replace(annotation, 'RD', (value) => this.insets(value, scale, page.turn));
    if (scale !== 1) this.scaleEntries(annotation, scale);
    if (page.turn === 0) return;
    this.turnEntries(annotation, page.turn);
    if ((flags & NO_ROTATE) === 0) this.turnAppearances(annotation, page.turn);
  }

  /** What lay beside the visible page must not show on the neighbour it now lies on. */
  private hideOutside(annotation: Dict, { page }: PageMove, flags: number): void {
    const rect = boxOf(this.doc, annotation.get('Rect') ?? null);
    if (!rect || this.doc.name(annotation.get('Subtype')) === 'Popup') return;
    if (!intersection(rect, page.box)) annotation.set('F', flags | HIDDEN);
  }

  private moveRect(annotation: Dict, matrix: Matrix, flags: number): void {
    const corners = (this.doc.array(annotation.get('Rect')) ?? []).map((each) => this.doc.number(each));
    const [x0, y0, x1, y1] = corners;
    if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return;
    const rect = {
      left: Math.min(x0, x1),
      bottom: Math.min(y0, y1),
      right: Math.max(x0, x1),
      top: Math.max(y0, y1),
    };
    if ((flags & (NO_ZOOM | NO_ROTATE)) === 0) {
      annotation.set('Rect', boxArray(boxThrough(matrix, rect)));
      return;
    }
    // "the upper-left corner of the annotation rectangle shall remain in a fixed location on the page"
    const scale = flags & NO_ZOOM ? 1 : scaleOf(matrix);
    const { x, y } = transformed(matrix, rect.left, rect.top);
    const [width, height] = [(rect.right - rect.left) * scale, (rect.top - rect.bottom) * scale];
    annotation.set('Rect', [x, y - height, x + width, y]);
  }

  private replace(dict: Dict, key: string, change: (value: PdfValue) => PdfValue | undefined): void {
    const held = dict.get(key);
    const changed = held === undefined ? undefined : change(held);
    if (changed !== undefined) dict.set(key, changed);
  }

  private points(value: PdfValue, matrix: Matrix): PdfValue[] | undefined {
    const numbers = this.doc.array(value)?.map((each) => this.doc.number(each));
    if (!numbers) return undefined;
    const moved: PdfValue[] = [];
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const { x, y } = transformed(matrix, numbers[at] ?? 0, numbers[at + 1] ?? 0);
      moved.push(x, y);
    }
    return moved;
  }

  /** Left, bottom, right and top differences, which change places when the page is turned. */
  private insets(value: PdfValue, scale: number, turn: number): PdfValue[] | undefined {
    const sides = this.doc.array(value)?.map((each) => (this.doc.number(each) ?? 0) * scale);
    if (sides?.length !== 4) return undefined;
    // Clockwise the bottom becomes the left, the right the bottom, the top the right, the left the top.
    return sides.map((_, index) => sides[(index + turn / 90) % 4] ?? 0);
  }

  private scaleEntries(annotation: Dict, scale: number): void {
    const { doc } = this;
    const times = (value: PdfValue): PdfValue | undefined => {
      const length = doc.number(value);
      return length === undefined ? undefined : length * scale;
    };
    for (const key of LENGTHS) this.replace(annotation, key, times);
    this.replace(annotation, 'CO', (value) => doc.array(value)?.map((each) => times(each) ?? each));
    this.replace(annotation, 'Border', (value) =>
      doc.array(value)?.map((each, index) => (index < 3 ? (times(each) ?? each) : each)),
    );
    this.replace(annotation, 'BS', (value) => {
      const width = doc.number(doc.dict(value)?.get('W'));
      return width === undefined ? undefined : (new Dict(doc.dict(value)).set('W', width * scale) as Dict);
    });
    this.scaleFont(annotation, scale);
  }

  /** Text that a reader draws anew keeps its proportion to the page. */
  private scaleFont(annotation: Dict, scale: number): void {
    const kind = this.doc.name(annotation.get('Subtype'));
    if (kind !== 'Widget' && kind !== 'FreeText') return;
    const ofForm = kind === 'Widget' ? this.doc.dict(this.doc.catalog.get('AcroForm'))?.get('DA') : undefined;
    const held = this.doc.inherited(annotation, 'DA') ?? this.doc.resolve(ofForm);
    if (!(held instanceof PdfString)) return;
    const appearance = Buffer.from(held.bytes).toString('latin1');
    const scaled = appearance.replace(
      /(\d*\.?\d+)(\s+Tf)(?![A-Za-z])/g,
      (_, size: string, operator: string) => `${formatNumber(Number(size) * scale)}${operator}`,
    );
    if (scaled !== appearance) annotation.set('DA', new PdfString(Buffer.from(scaled, 'latin1')));
  }

  private turnEntries(annotation: Dict, turn: number): void {
    const turned = (value: PdfValue | undefined): number =>
      ((((this.doc.number(value) ?? 0) - turn) % 360) + 360) % 360;
    if (annotation.has('Rotate')) annotation.set('Rotate', turned(annotation.get('Rotate')));
    if (this.doc.name(annotation.get('Subtype')) !== 'Widget') return;
    const characteristics = this.doc.dict(annotation.get('MK')) ?? new Dict();
    const rotation = turned(characteristics.get('R'));
    annotation.set('MK', new Dict(characteristics).set('R', rotation) as Dict);
  }

  private turnAppearances(annotation: Dict, turn: number): void {
    const appearances = this.doc.dict(annotation.get('AP'));
    if (!appearances) return;
    const turned = new Dict();
    for (const [key, value] of appearances) {
      const states = this.doc.resolve(value);
      if (states instanceof Dict) {
        const each = [...states].map(([state, form]): [string, PdfValue] => [state, this.turned(form, turn)]);
        turned.set(key, new Dict(each));
      } else turned.set(key, this.turned(value, turn));
    }
    annotation.set('AP', turned);
  }

  /** A reader fits the form's box, as its matrix turns it, into the annotation's rectangle. */
  private turned(form: PdfValue, turn: number): PdfValue {
    if (!(form instanceof Ref)) return form;
    const stream = this.doc.get(form);
    if (!(stream instanceof Stream)) return form;
    const key = `${form.key} ${turn}`;
    let made = this.turnedForms.get(key);
    if (!made) {
      const dict = cloneValue(stream.dict);
      dict.set('Matrix', [...product(matrixOf(this.doc, dict.get('Matrix')), turnMatrix(turn))]);
      made = this.doc.addStream(dict, this.doc.rawStreamData(form));
      this.turnedForms.set(key, made);
    }
    return made;
  }
}
