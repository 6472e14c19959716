// A page as a form XObject, to be drawn on another page. Its content is not interpreted: unbalanced q and Q, and
// whatever else it leaves behind, end with the form.

import { computeOnce } from '../../contract/maps.ts';
import { contentParts, inheritedEntry, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { boxArray } from '../geometry/boxes.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import { Dict, name, type Ref } from '../objects.ts';

export class PageForms {
  private readonly doc: PdfDocument;
  /** How many pages list a content stream. */
  private readonly listed = new Map<string, number>();
  private readonly made = new Map<string, Ref>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    for (const page of doc.pages())
      for (const part of contentParts(doc, page))
        this.listed.set(part.key, (this.listed.get(part.key) ?? 0) + 1);
  }

  /** The form draws the page as displayed, its lower-left corner at the origin. One form for each page. */
  of(page: DisplayedPage): Ref {
    return computeOnce(this.made, page.ref.key, () => this.make(page));
  }

  private make(page: DisplayedPage): Ref {
    const parts = contentParts(this.doc, page.ref);
    const entries = formEntries(this.doc, page);
    const [only] = parts;
    if (!only || parts.length > 1) return this.doc.addStream(entries, joinContent(this.doc, parts));
    const held = this.doc.dict(only) ?? new Dict();
    const belongsToPage = this.listed.get(only.key) === 1 && !held.has('Subtype') && !held.has('Type');
    const packed = new Dict(entries);
    for (const key of ['Filter', 'DecodeParms']) {
      const value = held.get(key);
      if (value !== undefined) packed.set(key, value);
    }
    if (!belongsToPage) return this.doc.addStream(packed, this.doc.rawStreamData(only));
    const form = this.doc.edit(only);
    form.clear();
    for (const [key, value] of packed) form.set(key, value);
    return only;
  }
}

function formEntries(doc: PdfDocument, { ref, box, matrix }: DisplayedPage): Dict {
  const page = doc.dict(ref) ?? new Dict();
  const form = Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: boxArray(box),
    Matrix: [...matrix],
    Resources: inheritedEntry(doc, page, 'Resources') ?? new Dict(),
  });
  const group = doc.dict(page.get('Group'));
  // A page's group is isolated whatever it says (ISO 32000-1, 11.6.6); a form's is so only when it says it.
  if (group) form.set('Group', new Dict(group).set('I', true));
  return form;
}
