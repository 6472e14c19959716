// Fonts of the form's own resources: fields are filled with them, so they stay whole, and those that no field of a
// part names do not come along.

import type { PdfDocument } from '../document.ts';
import { isEmbedded } from '../fonts/font-file.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, PdfString, type PdfValue, Ref } from '../objects.ts';
import { readDefaultAppearance } from './default-appearance.ts';

export class FormFonts {
  private readonly doc: PdfDocument;
  /** As they were found. */
  private readonly resources: Dict | undefined;
  private readonly fonts: Dict | undefined;
  private readonly formAppearance: PdfValue | undefined;
  private isWritten = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
    const form = doc.dict(doc.catalog.get('AcroForm'));
    const resources = doc.dict(form?.get('DR'));
    this.resources = resources && new Dict(resources);
    this.fonts = doc.dict(resources?.get('Font'));
    this.formAppearance = form?.get('DA');
  }

  /** Leaves the form those fonts that these annotations may be drawn with. Returns the fonts that must stay whole. */
  keep(catalog: Dict, annotations: readonly Dict[]): PdfValue[] {
    const whole: PdfValue[] = [];
    const named = this.namedBy(annotations, whole);
    const entries = [...(this.fonts ?? [])];
    const kept = new Dict(
      entries.filter(([key, font]) => !named || named.has(key) || !isEmbedded(this.doc, font)),
    );
    if (kept.size < entries.length || this.isWritten) this.write(catalog, kept);
    return [...whole, ...kept.values()];
  }

  /** The form has all its fonts again. */
  restore(catalog: Dict): void {
    if (this.fonts && this.isWritten) this.write(catalog, this.fonts);
  }

  private write(catalog: Dict, fonts: Dict): void {
    const held = catalog.get('AcroForm');
    const form = this.doc.dict(held);
    if (!form || !this.resources || !this.fonts) return;
    this.isWritten = true;
    const resources = new Dict(this.resources).set('Font', fonts) as Dict;
    if (held instanceof Ref) this.doc.edit(held).set('DR', resources);
    else catalog.set('AcroForm', new Dict(form).set('DR', resources) as Dict);
  }

  /** Names of fonts in default appearances; undefined where text may be set in any font. */
  private namedBy(annotations: readonly Dict[], whole: PdfValue[]): Set<string> | undefined {
    const named = new Set<string>();
    let isOpen = false;
    const add = (held: PdfValue | undefined): string | undefined => {
      const appearance = this.doc.resolve(held);
      const font = appearance instanceof PdfString ? readDefaultAppearance(appearance).font : undefined;
      if (font !== undefined) named.add(font);
      return font;
    };
    add(this.formAppearance);
    for (const annotation of annotations) {
      let node: Dict | undefined = annotation;
      for (let depth = 0; node && depth < MAX_TREE_DEPTH; depth += 1) {
        // Rich text names families of fonts.
        if (node.has('RV') || node.has('DS')) isOpen = true;
        const font = add(node.get('DA'));
        if (font !== undefined) this.addOwn(annotation, font, whole);
        node = this.doc.dict(node.get('Parent'));
      }
    }
    return isOpen ? undefined : named;
  }

  /** Some forms keep their fonts with the appearances only. */
  private addOwn(annotation: Dict, name: string, whole: PdfValue[]): void {
    const appearance = this.doc.dict(this.doc.dict(annotation.get('AP'))?.get('N'));
    for (const holder of [annotation.get('DR'), appearance?.get('Resources')]) {
      const font = this.doc.dict(this.doc.dict(holder)?.get('Font'))?.get(name);
      if (font !== undefined) whole.push(font);
    }
  }
}
