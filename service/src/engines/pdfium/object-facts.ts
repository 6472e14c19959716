// What one object of a page is: how far it reaches, what it covers, whether it is painted, whether it is on a layer.
import type { Size } from '../../contract/raster.ts';
import type { Box } from '../../pdf/geometry/boxes.ts';
import { extentAt, isWithin } from './extents.ts';
import type { Library, Pointer } from './library.ts';
import { readPageSpace } from './page-items/page-space.ts';
import { OBJECT, TEXT_STATE, type Words, wordsOf } from './page-items/pdfium-memory.ts';
import { FORM, formObjects, type PageObjects, TEXT } from './page-objects.ts';

const INVISIBLE = 3;
const MAX_FORM_DEPTH = 20;
/** FPDFPATH_SEGMENTTYPE. */
const BEZIER = 1;
const OPAQUE = 255;
/** A rectangle has four corners and may come back to the first. */
const MOST_CORNERS = 6;
const MAX_CLIP_POINTS = 1000;
const LAYER = 'OC';
const SCRATCH = 32;
const NONE: PageObjects = { count: 0, objects: new Uint32Array(), types: new Uint8Array() };

export class ObjectFacts {
  private readonly library: Library;
  private readonly scratch: Pointer;
  private words: Words;
  /** Objects of one marked content share its marks. */
  private readonly onLayer = new Map<number, boolean>();
  /** Likewise those cut by one clip share that. */
  private readonly clips = new Map<number, Box | undefined>();
  /** Whether bounds and modes stand in the memory where they are looked for; undefined before that was tried. */
  private hasBoundsInMemory: boolean | undefined;
  private hasModesInMemory: boolean | undefined;

  constructor(library: Library) {
    this.library = library;
    this.scratch = library.allocate(SCRATCH);
    this.words = wordsOf(library);
  }

  close(): void {
    this.library.free(this.scratch);
  }

  extentOf(object: Pointer): Box | undefined {
    if (!this.hasBoundsInMemory) return this.askExtent(object);
    return extentAt(this.memory().f, (object >> 2) + OBJECT.bounds);
  }

  private askExtent(object: Pointer): Box | undefined {
    const at = this.scratch;
    if (!this.library.native.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
    const { f } = this.memory();
    const asked = extentAt(f, at >> 2);
    if (this.hasBoundsInMemory === undefined && asked) {
      const seen = extentAt(f, (object >> 2) + OBJECT.bounds);
      this.hasBoundsInMemory = seen !== undefined && isWithin(seen, asked) && isWithin(asked, seen);
    }
    return asked;
  }

  isUnpainted(text: Pointer): boolean {
    const { u } = this.memory();
    const state = u[(text >> 2) + OBJECT.textState] as number;
    const seen = u[(state >> 2) + TEXT_STATE.mode] as number;
    if (this.hasModesInMemory && state !== 0) return seen === INVISIBLE;
    const asked = this.library.native.FPDFTextObj_GetTextRenderMode(text);
    this.hasModesInMemory ??= state !== 0 && asked === seen;
    return asked === INVISIBLE;
  }

  /** What an upright rectangle filled with an opaque colour hides of all that was drawn before it. */
  coverOf(path: Pointer): Box | undefined {
    const { native } = this.library;
    const at = this.scratch;
    const segments = native.FPDFPath_CountSegments(path);
    if (segments < 4 || segments > MOST_CORNERS) return undefined;
    if (!native.FPDFPath_GetDrawMode(path, at, at + 4)) return undefined;
    if (this.word(0) === 0 || native.FPDFPageObj_HasTransparency(path)) return undefined;
    if (!native.FPDFPageObj_GetFillColor(path, at, at + 4, at + 8, at + 12)) return undefined;
    if (this.word(3) !== OPAQUE || this.isOnLayer(path) || !this.isUpright(path, segments)) return undefined;
    const extent = this.extentOf(path);
    const clip = this.clipOf(path);
    if (!extent || !clip) return extent;
    // A clip that is no rectangle shows less than its bounds.
    return isWithin(extent, clip) && this.clipsAreBoxes(path) ? extent : undefined;
  }

  /** Around what is left by all its clips; undefined where there is none. */
  clipOf(object: Pointer): Box | undefined {
    const shared = this.memory().u[(object >> 2) + OBJECT.clip] ?? 0;
    if (shared === 0) return undefined;
    if (!this.clips.has(shared)) this.clips.set(shared, this.readClip(object));
    return this.clips.get(shared);
  }

  private readClip(object: Pointer): Box | undefined {
    const { native } = this.library;
    const clip = native.FPDFPageObj_GetClipPath(object);
    const paths = clip === 0 ? 0 : native.FPDFClipPath_CountPaths(clip);
    let around: Box | undefined;
    for (let i = 0; i < paths; i += 1) {
      const points = native.FPDFClipPath_CountPathSegments(clip, i);
      if (points < 1 || points > MAX_CLIP_POINTS) continue;
      const own: Box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
      for (let k = 0; k < points; k += 1) {
        const [x, y] = this.point(native.FPDFClipPath_GetPathSegment(clip, i, k));
        own.left = Math.min(own.left, x);
        own.right = Math.max(own.right, x);
        own.bottom = Math.min(own.bottom, y);
        own.top = Math.max(own.top, y);
      }
      around = around
        ? {
            left: Math.max(around.left, own.left),
            bottom: Math.max(around.bottom, own.bottom),
            right: Math.min(around.right, own.right),
            top: Math.min(around.top, own.top),
          }
        : own;
    }
    return around;
  }

  /** Drawn as optional content. */
  isOnLayer(object: Pointer): boolean {
    const marks = this.memory().u[(object >> 2) + OBJECT.marks] ?? 0;
    const known = this.onLayer.get(marks);
    if (known !== undefined) return known;
    const { native } = this.library;
    const count = native.FPDFPageObj_CountMarks(object);
    let found = false;
    for (let i = 0; i < count && !found; i += 1)
      found = this.nameOf(native.FPDFPageObj_GetMark(object, i)) === LAYER;
    this.onLayer.set(marks, found);
    return found;
  }

  textIn(form: Pointer, depth = 0): { object: Pointer; form: Pointer }[] {
    const found: { object: Pointer; form: Pointer }[] = [];
    const { count, objects, types } = formObjects(this.library, form) ?? NONE;
    for (let i = 0; i < count; i += 1) {
      const object = objects[i] as Pointer;
      const type = types[i];
      if (type === TEXT) found.push({ object, form });
      else if (type === FORM && depth < MAX_FORM_DEPTH) found.push(...this.textIn(object, depth + 1));
    }
    return found;
  }

  hasUnpaintedText(form: Pointer): boolean {
    return this.textIn(form).some(({ object }) => this.isUnpainted(object));
  }

  /** Left, top, right, bottom in an image of the page, with a pixel around them. */
  pixelsOf(page: Pointer, extent: Box, size: Size): [number, number, number, number] {
    const space = readPageSpace(this.library, page);
    const [a, b, c, d, e, f] = space.toDisplay;
    const corners = [
      [extent.left, extent.bottom],
      [extent.right, extent.top],
    ] as const;
    const xs = corners.map(([x, y]) => ((a * x + c * y + e) * size.width) / space.width);
    const ys = corners.map(([x, y]) => ((b * x + d * y + f) * size.height) / space.height);
    const bounded = (at: number, most: number): number => Math.max(0, Math.min(most, at));
    return [
      bounded(Math.floor(Math.min(...xs)) - 1, size.width),
      bounded(Math.floor(Math.min(...ys)) - 1, size.height),
      bounded(Math.ceil(Math.max(...xs)) + 1, size.width),
      bounded(Math.ceil(Math.max(...ys)) + 1, size.height),
    ];
  }

  private isUpright(path: Pointer, segments: number): boolean {
    const { native } = this.library;
    if (native.FPDFPageObj_GetMatrix(path, this.scratch)) {
      const [a = 1, b = 0, c = 0, d = 1] = this.memory().f.subarray(
        this.scratch >> 2,
        (this.scratch >> 2) + 4,
      );
      const isTurned =
        (Math.abs(b) > 1e-4 || Math.abs(c) > 1e-4) && (Math.abs(a) > 1e-4 || Math.abs(d) > 1e-4);
      if (isTurned) return false;
    }
    return this.isBox(segments, (i) => native.FPDFPath_GetPathSegment(path, i));
  }

  private clipsAreBoxes(object: Pointer): boolean {
    const { native } = this.library;
    const clip = native.FPDFPageObj_GetClipPath(object);
    const paths = native.FPDFClipPath_CountPaths(clip);
    for (let i = 0; i < paths; i += 1) {
      const points = native.FPDFClipPath_CountPathSegments(clip, i);
      if (points > MOST_CORNERS || !this.isBox(points, (k) => native.FPDFClipPath_GetPathSegment(clip, i, k)))
        return false;
    }
    return true;
  }

  /** Each side runs along one axis, and none is curved. */
  private isBox(count: number, segmentAt: (i: number) => Pointer): boolean {
    const { native } = this.library;
    let before: [number, number] | undefined;
    for (let i = 0; i < count; i += 1) {
      const segment = segmentAt(i);
      if (native.FPDFPathSegment_GetType(segment) === BEZIER) return false;
      const at = this.point(segment);
      if (before && Math.abs(before[0] - at[0]) > 0.01 && Math.abs(before[1] - at[1]) > 0.01) return false;
      before = at;
    }
    return true;
  }

  private point(segment: Pointer): [number, number] {
    const at = this.scratch;
    this.library.native.FPDFPathSegment_GetPoint(segment, at, at + 4);
    const { f } = this.memory();
    return [f[at >> 2] as number, f[(at >> 2) + 1] as number];
  }

  private nameOf(mark: Pointer): string {
    const at = this.scratch;
    // Longer names do not fit and are none that is looked for.
    if (mark === 0 || !this.library.native.FPDFPageObjMark_GetName(mark, at, SCRATCH - 4, at + SCRATCH - 4))
      return '';
    const bytes = Math.min(SCRATCH - 4, this.word(SCRATCH / 4 - 1));
    return Buffer.from(this.library.heap().slice(at, at + Math.max(0, bytes - 2))).toString('utf16le');
  }

  /** Views are made anew only when the memory has grown. */
  private memory(): Words {
    if (this.words.u.buffer !== this.library.heap().buffer) this.words = wordsOf(this.library);
    return this.words;
  }

  private word(i: number): number {
    return this.memory().u[(this.scratch >> 2) + i] ?? 0;
  }
}
