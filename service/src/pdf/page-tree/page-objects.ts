// What belongs to a page alone: its dictionary and its annotations, as they were found. Pages that are left out
// have theirs taken from the file, so that no path whatever, known to us or not, leads to them.
import type { PdfDocument } from '../document.ts';
import { cloneValue, Dict, isName, type PdfValue, Ref } from '../objects.ts';

export interface Annotation {
  ref: Ref;
  dict: Dict;
}

export interface PageParcel {
  ref: Ref;
  dict: Dict;
  annotations: Annotation[];
}

/** Annotations beyond this many in one document are left to their page as they are. */
const MAX_ANNOTATIONS = 1_000_000;

export class PageParcels {
  private readonly doc: PdfDocument;
  private readonly parcels = new Map<string, PageParcel>();
  private readonly annotationRefs = new Map<string, Ref>();
  /** Objects that stand in the file now. */
  private readonly present = new Map<string, Ref>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    for (const ref of doc.pages()) {
      const dict = cloneValue(doc.dict(ref) ?? new Dict());
      this.parcels.set(ref.key, { ref, dict, annotations: this.readAnnotations(dict) });
      this.present.set(ref.key, ref);
    }
    for (const [key, ref] of this.annotationRefs) this.present.set(key, ref);
  }

  private readAnnotations(page: Dict): Annotation[] {
    const annotations: Annotation[] = [];
    for (const ref of this.doc.array(page.get('Annots')) ?? []) {
      const dict = this.doc.resolve(ref);
      if (!(ref instanceof Ref) || !(dict instanceof Dict) || this.annotationRefs.size >= MAX_ANNOTATIONS)
        continue;
      // A damaged list may hold the page itself.
      if (isName(dict.get('Type'), 'Page') || isName(dict.get('Type'), 'Pages')) continue;
      this.annotationRefs.set(ref.key, ref);
      annotations.push({ ref, dict: cloneValue(dict) });
    }
    return annotations;
  }

  get all(): Iterable<PageParcel> {
    return this.parcels.values();
  }

  of(page: Ref): PageParcel | undefined {
    return this.parcels.get(page.key);
  }

  /** Whether an object is an annotation of some page, kept or gone. */
  isAnnotation(key: string): boolean {
    return this.annotationRefs.has(key);
  }

  *widgets(): Iterable<Ref> {
    for (const { annotations } of this.parcels.values()) {
      for (const { ref, dict } of annotations) if (isName(dict.get('Subtype'), 'Widget')) yield ref;
    }
  }

  /** Puts these objects into the file and takes out all other pages and annotations. */
  place(objects: ReadonlyMap<string, { ref: Ref; value: PdfValue }>): void {
    for (const [key, ref] of this.present) {
      if (objects.has(key)) continue;
      this.doc.replace(ref, null);
      this.present.delete(key);
    }
    for (const [key, { ref, value }] of objects) {
      this.doc.replace(ref, value);
      this.present.set(key, ref);
    }
  }
}
