// Lines, areas and images among a page's objects, forms opened up.

import type { DrawnImage, Fill, ItemBox, Rule } from '../../../contract/page-items.ts';
import { type Matrix, product } from '../../../pdf/geometry/matrix.ts';
import type { Library, Pointer } from '../library.ts';
import { ObjectFacts } from '../object-facts.ts';
import { readColor } from './glyph-looks.ts';
import { isJpeg, type OpenPage } from './jpeg.ts';
import type { PageSpace } from './page-space.ts';
import { asRule, type Painted, tracePath } from './paths.ts';
import { OBJECT, wordsOf } from './pdfium-memory.ts';

/** FPDFPageObj_GetType. */
const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;

const MAX_FORM_DEPTH = 20;
/** A map may have a million objects: what lies beyond is not looked at. */
const MAX_OBJECTS = 100_000;
const MAX_SHAPES = 20_000;

const BLACK = '#000000';
const CORNERS = [0, 0, 1, 0, 0, 1, 1, 1];

export interface Shapes {
  rules: Rule[];
  fills: Fill[];
  curves: ItemBox[];
  images: DrawnImage[];
  truncated: boolean;
}

export const emptyShapes = (): Shapes => ({ rules: [], fills: [], curves: [], images: [], truncated: false });

export function readShapes(library: Library, openPage: OpenPage, space: PageSpace): Shapes {
  const { native } = library;
  const { page } = openPage;
  const facts = new ObjectFacts(library);
  try {
    const reader = new ShapeReader(library, openPage, space, { facts });
    reader.walk(
      native.FPDFPage_CountObjects(page),
      (i) => native.FPDFPage_GetObject(page, i),
      space.toDisplay,
      0,
    );
    return reader.shapes;
  } finally {
    facts.close();
  }
}

/** The image with this number: its object, by the same walk. */
export function findImage(
  library: Library,
  openPage: OpenPage,
  space: PageSpace,
  id: number,
): Pointer | undefined {
  const { native } = library;
  const { page } = openPage;
  const reader = new ShapeReader(library, openPage, space, { wantedId: id });
  reader.walk(
    native.FPDFPage_CountObjects(page),
    (i) => native.FPDFPage_GetObject(page, i),
    space.toDisplay,
    0,
  );
  return reader.wanted;
}

class ShapeReader {
  readonly shapes: Shapes = emptyShapes();
  wanted: Pointer | undefined;
  private readonly library: Library;
  private readonly openPage: OpenPage;
  private readonly space: PageSpace;
  private readonly facts: ObjectFacts | undefined;
  private readonly wantedId: number | undefined;
  private readonly colors = new Map<string, ReturnType<typeof readColor>>();
  private seen = 0;
  private imageCount = 0;

  constructor(
    library: Library,
    openPage: OpenPage,
    space: PageSpace,
    { facts, wantedId }: { facts?: ObjectFacts; wantedId?: number },
  ) {
    this.library = library;
    this.openPage = openPage;
    this.space = space;
    this.facts = facts;
    this.wantedId = wantedId;
  }

  walk(count: number, objectAt: (i: number) => Pointer, matrix: Matrix, depth: number): void {
    const { native } = this.library;
    for (let i = 0; i < count; i += 1) {
      if (this.isFull()) return;
      const object = objectAt(i);
      if (object === 0) continue;
      this.seen += 1;
      const type = native.FPDFPageObj_GetType(object);
      if (type === IMAGE) this.image(object, matrix);
      else if (type === PATH && this.wantedId === undefined) this.path(object, matrix);
      else if (type === SHADING && this.wantedId === undefined) this.shading(object, matrix);
      else if (type === FORM && depth < MAX_FORM_DEPTH) this.form(object, matrix, depth);
    }
  }

  private isFull(): boolean {
    const { rules, fills, curves, images } = this.shapes;
    if (this.seen < MAX_OBJECTS && rules.length + fills.length + curves.length + images.length < MAX_SHAPES)
      return false;
    this.shapes.truncated = true;
    return true;
  }

  private form(object: Pointer, matrix: Matrix, depth: number): void {
    const { native } = this.library;
    this.walk(
      native.FPDFFormObj_CountObjects(object),
      (i) => native.FPDFFormObj_GetObject(object, i),
      product(this.matrixOf(object), matrix),
      depth + 1,
    );
  }

  private image(object: Pointer, matrix: Matrix): void {
    const id = this.imageCount;
    this.imageCount += 1;
    if (id === this.wantedId) this.wanted = object;
    if (this.wantedId !== undefined) return;
    const { native } = this.library;
    const placed = product(this.matrixOf(object), matrix);
    const box = boxOf(CORNERS, placed);
    const within = this.withinPage(box);
    if (!within) return;
    using scratch = this.library.borrow(8);
    native.FPDFImageObj_GetImagePixelSize(object, scratch.at, scratch.at + 4);
    const view = scratch.view();
    const [pixelWidth, pixelHeight] = [view.getUint32(0, true), view.getUint32(4, true)];
    // Lines of pages that were PostScript are often one pixel, drawn as long as the line.
    const isUpright = Math.abs(placed[1]) + Math.abs(placed[2]) < 0.01;
    const rule =
      pixelWidth === 1 && pixelHeight === 1 && isUpright
        ? asRule(box, this.color(object, 'fill') ?? BLACK)
        : undefined;
    if (rule) {
      this.ruleWithinPage(rule);
      return;
    }
    this.shapes.images.push({
      box: within,
      pixelWidth,
      pixelHeight,
      // Images have their first row at the top, and y goes downwards here.
      upright: isUpright && placed[0] > 0 && placed[3] < 0,
      isJpeg: () => isJpeg(this.library, this.openPage, object),
      id,
      markedContent: native.FPDFPageObj_GetMarkedContentID(object),
    });
  }

  private shading(object: Pointer, matrix: Matrix): void {
    using scratch = this.library.borrow(16);
    const { native } = this.library;
    if (native.FPDFPageObj_GetBounds(object, scratch.at, scratch.at + 4, scratch.at + 8, scratch.at + 12)) {
      const [left = 0, bottom = 0, right = 0, top = 0] = scratch.floats();
      const box = this.withinPage(boxOf([left, bottom, right, top], matrix));
      if (box) this.shapes.curves.push(box);
    }
  }

  private path(object: Pointer, matrix: Matrix): void {
    const painted: Painted = {
      fill: () => this.color(object, 'fill'),
      stroke: () => this.color(object, 'stroke'),
      strokeWidth: () => this.strokeWidth(object),
      clip: () => this.clip(object, matrix),
    };
    tracePath(this.library, object, matrix, painted, {
      rule: (rule) => this.ruleWithinPage(rule),
      fill: (fill) => {
        const box = this.withinPage(fill.box);
        if (box) this.shapes.fills.push({ box, color: fill.color });
      },
      curve: (curve) => {
        const box = this.withinPage(curve);
        if (box) this.shapes.curves.push(box);
      },
    });
  }

  private clip(object: Pointer, matrix: Matrix): ItemBox | undefined {
    const clip = this.facts?.clipOf(object);
    return (
      clip &&
      boxOf(
        [clip.left, clip.bottom, clip.right, clip.top, clip.left, clip.top, clip.right, clip.bottom],
        matrix,
      )
    );
  }

  private color(object: Pointer, which: 'fill' | 'stroke'): string | undefined {
    const state = wordsOf(this.library).u[(object >> 2) + OBJECT.colorState];
    const key = `${state} ${which}`;
    if (!this.colors.has(key)) this.colors.set(key, readColor(this.library, object, which));
    const color = this.colors.get(key);
    return color && color.opacity > 0 ? color.color : undefined;
  }

  private strokeWidth(object: Pointer): number {
    using scratch = this.library.borrow(4);
    const read = this.library.native.FPDFPageObj_GetStrokeWidth(object, scratch.at);
    return read ? (scratch.floats()[0] ?? 1) : 1;
  }

  private matrixOf(object: Pointer): Matrix {
    using scratch = this.library.borrow(24);
    const read = this.library.native.FPDFPageObj_GetMatrix(object, scratch.at);
    const matrix = [...scratch.floats()] as unknown as Matrix;
    return read && matrix.every(Number.isFinite) ? matrix : [1, 0, 0, 1, 0, 0];
  }

  private ruleWithinPage(rule: Rule): void {
    const { width, height } = this.space;
    const [across, along] = rule.axis === 'horizontal' ? [height, width] : [width, height];
    if (rule.at < -1 || rule.at > across + 1) return;
    const [from, to] = [Math.max(0, rule.from), Math.min(along, rule.to)];
    if (to > from) this.shapes.rules.push({ ...rule, from, to });
  }

  private withinPage({ x, y, width, height }: ItemBox): ItemBox | undefined {
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const [right, bottom] = [Math.min(this.space.width, x + width), Math.min(this.space.height, y + height)];
    if (!(right >= left && bottom >= top)) return undefined;
    return { x: left, y: top, width: right - left, height: bottom - top };
  }
}

/** Around points, each told by its x and its y. */
export function boxOf(points: readonly number[], [a, b, c, d, e, f]: Matrix): ItemBox {
  const xs = points.filter((_, index) => index % 2 === 0);
  const ys = points.filter((_, index) => index % 2 === 1);
  const placed = xs.map((x, index) => [x, ys[index] ?? 0] as const);
  const across = placed.map(([x, y]) => a * x + c * y + e);
  const along = placed.map(([x, y]) => b * x + d * y + f);
  const [x, y] = [Math.min(...across), Math.min(...along)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...along) - y };
}
