// A document without images: those that content draws, wherever it stands, and those that nothing draws.

import { ContentInterpreter, MAX_NESTING } from '../content/content-interpreter.ts';
import { ContentOutput } from '../content/content-output.ts';
import { INITIAL_STATE } from '../content/graphics-state.ts';
import { contentParts, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { Dict, isName, name, type PdfValue, Ref, Stream } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';

/** Text and vector graphics stay; so do the images that a font's glyphs are drawn with, being text. */
export function removeImages(doc: PdfDocument): void {
  // Pages get their inherited attributes: resources are changed where they stand.
  doc.setPages(doc.pages());
  const remover = new ImageRemover(doc);
  for (const page of doc.pages()) remover.cleanPage(page);
  const form = doc.catalog.get('AcroForm');
  if (form instanceof Ref) remover.cleanResources(form, 'DR');
  for (const ref of doc.allRefs()) {
    const stream = doc.get(ref);
    if (
      stream instanceof Stream &&
      isName(doc.resolve(stream.dict.get('Subtype')), 'Image') &&
      !remover.isGlyph(ref)
    )
      doc.replace(ref, null);
  }
}

class ImageRemover {
  private readonly doc: PdfDocument;
  /** Drawings looked at, and whether they drew images. */
  private readonly drawings = new Map<string, boolean>();
  private readonly seenResources = new Map<Dict, boolean>();
  private readonly glyphImages = new Set<string>();
  private nesting = 0;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  isGlyph(ref: Ref): boolean {
    return this.glyphImages.has(ref.key);
  }

  cleanPage(ref: Ref): void {
    const page = this.doc.edit(ref);
    page.delete('Thumb');
    const resources = this.doc.dict(page.get('Resources')) ?? new Dict();
    const parts = contentParts(this.doc, ref);
    const content = this.withoutImages(joinContent(this.doc, parts), resources);
    if (content) page.set('Contents', this.doc.addStream(new Dict(), content));
    this.cleanResources(ref, 'Resources');
    for (const annotation of this.doc.array(page.get('Annots')) ?? []) this.cleanAppearances(annotation);
  }

  private cleanAppearances(annotation: PdfValue): void {
    for (const appearance of this.doc.dict(this.doc.dict(annotation)?.get('AP'))?.values() ?? []) {
      const states = this.doc.resolve(appearance);
      const drawings = states instanceof Dict ? [...states.values()] : [appearance];
      for (const drawing of drawings) this.cleanDrawing(drawing, new Dict());
    }
  }

  /** The resources a holder has under a key, where they stand. Tells whether what they name drew images. */
  cleanResources(holder: Ref, key: string): boolean {
    const held = this.doc.dict(holder)?.get(key);
    const resources = this.doc.dict(held);
    if (!resources) return false;
    const known = this.seenResources.get(resources);
    if (known !== undefined || this.nesting >= MAX_NESTING) return known ?? false;
    this.seenResources.set(resources, false);
    this.nesting += 1;
    const owner = held instanceof Ref ? held : holder;
    const drew = [
      this.cleanXObjects(owner, resources),
      this.cleanPatterns(resources),
      this.cleanStates(owner, resources),
    ];
    for (const font of this.doc.dict(resources.get('Font'))?.values() ?? []) this.keepGlyphs(font);
    this.nesting -= 1;
    const any = drew.includes(true);
    this.seenResources.set(resources, any);
    return any;
  }

  private cleanXObjects(owner: Ref, resources: Dict): boolean {
    const held = resources.get('XObject');
    const entries = this.doc.dict(held);
    let drew = false;
    for (const [key, value] of [...(entries ?? [])]) {
      if (this.isImage(value)) {
        drew = true;
        this.doc.edit(held instanceof Ref ? held : owner);
        entries?.delete(key);
      } else if (this.cleanDrawing(value, resources)) drew = true;
    }
    return drew;
  }

  private cleanPatterns(resources: Dict): boolean {
    const patterns = [...(this.doc.dict(resources.get('Pattern'))?.values() ?? [])];
    return patterns.map((pattern) => this.cleanDrawing(pattern, resources)).includes(true);
  }

  /** A mask drawn with images would hide everything once they are gone: it goes as a whole. */
  private cleanStates(owner: Ref, resources: Dict): boolean {
    const held = resources.get('ExtGState');
    for (const value of this.doc.dict(held)?.values() ?? []) {
      const mask = this.doc.dict(this.doc.dict(value)?.get('SMask'));
      if (!mask || !this.cleanDrawing(mask.get('G'), resources)) continue;
      const state = this.doc.dict(value);
      this.doc.edit(value instanceof Ref ? value : held instanceof Ref ? held : owner);
      state?.set('SMask', name('None'));
    }
    return false;
  }

  /** A form, a tiling pattern or an appearance. Tells whether it drew images. */
  private cleanDrawing(value: PdfValue | undefined, around: Dict): boolean {
    const stream = this.doc.resolve(value);
    if (!(value instanceof Ref) || !(stream instanceof Stream) || !drawsContent(this.doc, stream.dict))
      return false;
    const known = this.drawings.get(value.key);
    if (known !== undefined) return known;
    this.drawings.set(value.key, false);
    const own = this.doc.dict(stream.dict.get('Resources'));
    const content = this.withoutImages(contentOf(this.doc, value), own ?? around);
    if (content) this.doc.replaceStreamData(value, content);
    const below = this.cleanResources(value, 'Resources');
    const drew = content !== undefined || below;
    this.drawings.set(value.key, drew);
    return drew;
  }

  private isImage(value: PdfValue): boolean {
    const stream = this.doc.resolve(value);
    return stream instanceof Stream && isName(this.doc.resolve(stream.dict.get('Subtype')), 'Image');
  }

  /** The content without the operators that draw images; nothing where there are none. */
  private withoutImages(bytes: Uint8Array, resources: Dict): Uint8Array | undefined {
    const entries = this.doc.dict(resources.get('XObject'));
    const named = [...(entries?.values() ?? [])].some((value) => this.isImage(value));
    if (!named && !mayHoldInlineImage(bytes)) return undefined;
    const output = new ContentOutput(bytes);
    const remove = (operation: Operation) => output.replace(operation, ' ');
    new ContentInterpreter(this.doc, { content: () => bytes, resources, state: INITIAL_STATE }).run({
      drawImage: (_ref, _dict, operation) => remove(operation),
      drawInlineImage: (_dict, operation) => remove(operation),
      // Each form is cleaned by itself, once.
      drawForm: () => undefined,
    });
    return output.isChanged ? output.finish() : undefined;
  }

  /** Glyphs of a font made of drawings often are small images. */
  private keepGlyphs(font: PdfValue): void {
    const dict = this.doc.dict(font);
    if (!dict || !isName(this.doc.resolve(dict.get('Subtype')), 'Type3')) return;
    const resources = this.doc.dict(dict.get('Resources'));
    for (const value of this.doc.dict(resources?.get('XObject'))?.values() ?? []) {
      if (!(value instanceof Ref) || !this.isImage(value)) continue;
      this.glyphImages.add(value.key);
      for (const key of ['SMask', 'Mask']) {
        const mask = this.doc.dict(value)?.get(key);
        if (mask instanceof Ref) this.glyphImages.add(mask.key);
      }
    }
  }
}

const drawsContent = (doc: PdfDocument, dict: Dict): boolean =>
  !isName(doc.resolve(dict.get('Subtype')), 'Image') &&
  (isName(doc.resolve(dict.get('Subtype')), 'Form') ||
    doc.number(dict.get('PatternType')) === 1 ||
    dict.has('BBox'));

/** Whether the letters BI stand alone somewhere. */
function mayHoldInlineImage(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf('BI'); at !== -1; at = buffer.indexOf('BI', at + 2)) {
    const after = buffer[at + 2];
    if (after === undefined || after <= 0x20 || after === 0x2f) return true;
  }
  return false;
}
