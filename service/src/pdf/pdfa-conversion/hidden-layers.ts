// Content of layers that are not shown, taken out: pages look the same to readers that know no layers.
import { removeAnnotations } from '../annotations/annotation-removal.ts';
import { dropUnusedResources } from '../compression/unused.ts';
import { Layers } from '../content/layers.ts';
import { contentParts, inheritedEntry, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { FontMeasures } from '../fonts/glyph-widths.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { otherContent } from '../redaction/content-work.ts';
import { withoutHidden } from './hidden-operations.ts';

/** Tells whether there was any. */
export function dropHiddenContent(doc: PdfDocument): boolean {
  if (!doc.catalog.has('OCProperties')) return false;
  const layers = new Layers(doc);
  const isHidden = (value: PdfValue | undefined): boolean => value !== undefined && !layers.isShown(value);
  removeAnnotations(doc, (annotation) => isHidden(annotation.get('OC')));
  const remover = new HiddenContent(doc, isHidden);
  remover.clean();
  if (remover.changed) dropUnusedResources(doc, doc.allRefs());
  return remover.changed;
}

class HiddenContent {
  changed = false;
  private readonly doc: PdfDocument;
  private readonly isHidden: (value: PdfValue | undefined) => boolean;
  private readonly fonts: FontMeasures;
  private readonly seen = new Set<string>();
  /** What draws with the resources of whatever draws it. */
  private readonly waiting: { ref: Ref; around: Dict }[] = [];

  constructor(doc: PdfDocument, isHidden: (value: PdfValue | undefined) => boolean) {
    this.doc = doc;
    this.isHidden = isHidden;
    this.fonts = new FontMeasures(doc);
  }

  clean(): void {
    const { doc } = this;
    for (const page of doc.pages()) {
      const resources =
        doc.dict(inheritedEntry(doc, doc.dict(page) ?? new Dict(), 'Resources')) ?? new Dict();
      const content = this.left(joinContent(doc, contentParts(doc, page)), resources);
      if (content) doc.edit(page).set('Contents', doc.addStream(new Dict(), content));
    }
    const refs = doc.allRefs();
    for (const ref of refs) this.cleanGlyphs(doc.get(ref));
    for (const ref of otherContent(doc, refs)) {
      const own = doc.dict(doc.dict(ref)?.get('Resources'));
      if (own) this.cleanStream(ref, own);
    }
    for (let next = this.waiting.pop(); next; next = this.waiting.pop())
      this.cleanStream(next.ref, next.around);
  }

  /** Glyphs that are drawings have the resources of their font. */
  private cleanGlyphs(font: unknown): void {
    const { doc } = this;
    if (!(font instanceof Dict) || !isName(font.get('Subtype'), 'Type3')) return;
    const resources = doc.dict(font.get('Resources'));
    if (!resources) return;
    for (const glyph of doc.dict(font.get('CharProcs'))?.values() ?? [])
      if (glyph instanceof Ref && doc.get(glyph) instanceof Stream) this.cleanStream(glyph, resources);
  }

  private cleanStream(ref: Ref, resources: Dict): void {
    if (this.seen.has(ref.key)) return;
    this.seen.add(ref.key);
    const isHidden = this.isHidden(this.doc.dict(ref)?.get('OC'));
    const content = isHidden ? new Uint8Array() : this.left(contentOf(this.doc, ref), resources);
    if (!content) return;
    this.doc.replaceStreamData(ref, content);
    this.changed = true;
  }

  /** Undefined where all of it is shown. */
  private left(content: Uint8Array, resources: Dict): Uint8Array | undefined {
    const { doc } = this;
    for (const category of ['XObject', 'Pattern']) {
      for (const value of doc.dict(resources.get(category))?.values() ?? []) {
        const dict = value instanceof Ref ? doc.dict(value) : undefined;
        const isBare = dict?.has('BBox') && !doc.dict(dict.get('Resources'));
        if (isBare && !this.seen.has((value as Ref).key))
          this.waiting.push({ ref: value as Ref, around: resources });
      }
    }
    const left = withoutHidden(doc, content, resources, { isHidden: this.isHidden, fonts: this.fonts });
    if (left) this.changed = true;
    return left;
  }
}
