// Every image that pages draw: their own, those inside forms, patterns and annotations, and inline ones. In the
// order they are drawn, each once.

import { pageInterpreter } from '../content/content-interpreter.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { type ColourTarget, INITIAL_STATE } from '../content/graphics-state.ts';
import type { PdfDocument } from '../document.ts';
import { type Dict, type PdfValue, Ref, Stream } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
import { spellOut } from './inline-images.ts';

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

class ImageWalk implements ContentVisitor {
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
    this.page = index;
    const at = pageInterpreter(doc, ref, INITIAL_STATE);
    at.run(this);
    for (const annotation of doc.array(doc.dict(ref)?.get('Annots')) ?? []) {
      const shown = this.appearance(doc.dict(annotation));
      const dict = doc.dict(shown);
      if (!(shown instanceof Ref) || !dict) continue;
      if (doc.name(dict.get('Subtype')) === 'Image') this.drawImage(shown, dict, undefined, at);
      else if (this.isNew(shown)) at.pattern(shown)?.run(this);
    }
  }

  /** What an annotation shows: the one form, or that of its state. */
  private appearance(annotation: Dict | undefined): PdfValue | undefined {
    const normal = this.doc.dict(annotation?.get('AP'))?.get('N');
    const states = this.doc.resolve(normal) instanceof Stream ? undefined : this.doc.dict(normal);
    return states ? states.get(this.doc.name(annotation?.get('AS')) ?? '') : normal;
  }

  setColour(target: ColourTarget, _: unknown, at: ContentPosition): void {
    const pattern = at.state[target].pattern?.value;
    if (pattern instanceof Ref && this.isNew(pattern)) at.pattern(pattern)?.run(this);
  }

  drawForm(ref: Ref, _dict: Dict, _: unknown, at: ContentPosition): void {
    if (this.isNew(ref)) at.form(ref)?.run(this);
  }

  drawImage(ref: Ref, dict: Dict, _: unknown, at: ContentPosition): void {
    if (this.isNew(ref)) this.add(ref, dict, at);
  }

  drawInlineImage(inline: Dict, { data }: Operation, at: ContentPosition): void {
    const dict = spellOut(this.doc, inline, at.resources);
    if (data && this.sizeOf(dict))
      this.add(this.doc.addStream(dict, at.bytes.subarray(data.start, data.end)), dict, at);
  }

  private isNew(ref: Ref): boolean {
    if (this.seen.has(ref.key)) return false;
    this.seen.add(ref.key);
    return true;
  }

  private add(ref: Ref, dict: Dict, at: ContentPosition): void {
    const size = this.sizeOf(dict);
    if (size && this.found.length < this.most)
      this.found.push({ page: this.page, ref, ...size, resources: at.resources });
    if (this.found.length >= this.most) at.stop();
  }

  private sizeOf(dict: Dict): { width: number; height: number } | undefined {
    const width = this.doc.number(dict.get('Width')) ?? 0;
    const height = this.doc.number(dict.get('Height')) ?? 0;
    const isSide = (side: number): boolean => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE;
    return isSide(width) && isSide(height) ? { width, height } : undefined;
  }
}
