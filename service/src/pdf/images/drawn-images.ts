// Every image that pages draw: their own, those inside forms, patterns and annotations, and inline ones. In the
// order they are drawn, each once.

import { contentParts, joinedContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, isName, Name, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader } from '../syntax/content-reader.ts';
import { writtenOut } from './inline-images.ts';

export interface DrawnImage {
  /** The first page that draws it, counted from 0. */
  page: number;
  /** An inline image has become an object of its own. */
  ref: Ref;
  width: number;
  height: number;
  /** The resources of the content that draws it: colour spaces there may replace the device ones. */
  resources: Dict;
}

const MAX_NESTING = 30;
const MAX_IMAGES = 50_000;
const MAX_SIDE = 1_000_000;

export function drawnImages(doc: PdfDocument): DrawnImage[] {
  const walk = new ImageWalk(doc, MAX_IMAGES);
  for (const [index, ref] of doc.pages().entries()) walk.drawnPage(ref, index);
  return walk.found;
}

/** Whether a page draws any; pages count from 0. */
export function drawsImage(doc: PdfDocument, index: number): boolean {
  const ref = doc.pages()[index];
  const walk = new ImageWalk(doc, 1);
  if (ref) walk.drawnPage(ref, index);
  return walk.found.length > 0;
}

class ImageWalk {
  readonly found: DrawnImage[] = [];
  private page = 0;
  private readonly doc: PdfDocument;
  private readonly most: number;
  private readonly seen = new Set<string>();

  constructor(doc: PdfDocument, most: number) {
    this.doc = doc;
    this.most = most;
  }

  drawnPage(ref: Ref, index: number): void {
    const { doc } = this;
    const page = doc.dict(ref) ?? new Dict();
    this.page = index;
    const resources = doc.dict(doc.inherited(page, 'Resources')) ?? new Dict();
    this.content(joinedContent(doc, contentParts(doc, ref)), resources, 0);
    for (const annotation of doc.array(page.get('Annots')) ?? []) this.appearance(doc.dict(annotation));
  }

  private get isFull(): boolean {
    return this.found.length >= this.most;
  }

  private content(bytes: Uint8Array, resources: Dict, depth: number): void {
    const reader = new ContentReader(bytes);
    for (let operation = reader.next(); operation; operation = reader.next()) {
      if (this.isFull) return;
      const { operator, operands, data } = operation;
      const operand = operands.at(-1);
      if (operator === 'Do') this.drawing(this.named(resources, 'XObject', operand), resources, depth);
      else if (operator === 'scn' || operator === 'SCN')
        this.drawing(this.named(resources, 'Pattern', operand), resources, depth);
      else if (data && operand instanceof Dict)
        this.inline(operand, bytes.subarray(data.start, data.end), resources);
    }
  }

  /** What an annotation shows: the one form, or that of its state. */
  private appearance(annotation: Dict | undefined): void {
    const normal = this.doc.dict(annotation?.get('AP'))?.get('N');
    const states = this.doc.resolve(normal) instanceof Stream ? undefined : this.doc.dict(normal);
    const shown = states ? states.get(this.doc.name(annotation?.get('AS')) ?? '') : normal;
    this.drawing(shown, new Dict(), 0);
  }

  private named(resources: Dict, category: string, operand: PdfValue | undefined): PdfValue | undefined {
    return operand instanceof Name ? this.doc.dict(resources.get(category))?.get(operand.value) : undefined;
  }

  /** An image, or a form or pattern that may draw some. */
  private drawing(value: PdfValue | undefined, resources: Dict, depth: number): void {
    const stream = this.doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream) || this.seen.has(value.key)) return;
    if (this.isFull) return;
    this.seen.add(value.key);
    if (isName(this.doc.resolve(stream.dict.get('Subtype')), 'Image')) {
      this.add(value, stream.dict, resources);
      return;
    }
    if (depth >= MAX_NESTING) return;
    const own = this.doc.dict(stream.dict.get('Resources')) ?? resources;
    this.content(contentOf(this.doc, value), own, depth + 1);
  }

  private inline(inline: Dict, data: Uint8Array, resources: Dict): void {
    const dict = writtenOut(this.doc, inline, resources);
    if (this.sizeOf(dict)) this.add(this.doc.addStream(dict, data), dict, resources);
  }

  private add(ref: Ref, dict: Dict, resources: Dict): void {
    const size = this.sizeOf(dict);
    if (size && !this.isFull) this.found.push({ page: this.page, ref, ...size, resources });
  }

  private sizeOf(dict: Dict): { width: number; height: number } | undefined {
    const width = this.doc.number(dict.get('Width')) ?? 0;
    const height = this.doc.number(dict.get('Height')) ?? 0;
    const isSide = (side: number): boolean => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;
    return isSide(width) && isSide(height) ? { width, height } : undefined;
  }
}
