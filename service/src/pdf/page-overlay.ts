// Drawing on pages without touching their content: what was there is wrapped in q and Q, what is added comes after
// it as form XObjects. Streams and resource entries are shared between pages wherever they are the same.
import type { DisplayedPage } from './displayed-page.ts';
import type { PdfDocument } from './document.ts';
import { inverse, type Matrix, matrixText, product } from './matrix.ts';
import { cloneValue, Dict, type PdfValue, Ref } from './objects.ts';
import { inheritedEntry } from './page-form.ts';

export interface Placed {
  form: Ref;
  /** From the form to the page as displayed, lower-left corner at the origin. */
  matrix: Matrix;
}

export class PageOverlay {
  private readonly doc: PdfDocument;
  private readonly streams = new Map<string, Ref>();
  /** Resource names by the dictionary that holds them and the form. */
  private readonly names = new Map<string, string>();
  /** Resources that a page had from the tree above and were written there directly. */
  private readonly inherited = new Map<PdfValue, Ref>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** Draws above what the page shows, upright for the reader. It is no part of the tagged content. */
  draw(page: DisplayedPage, placed: readonly Placed[]): void {
    const upright = inverse(page.matrix);
    if (!upright || placed.length === 0) return;
    const lines = placed.map(({ form, matrix }) => {
      const place = matrixText(product(matrix, upright));
      return `q ${place} cm /${this.resourceName(page.ref, form)} Do Q`;
    });
    const after = `Q /Artifact BMC\n${lines.join('\n')}\nEMC\n`;
    const dict = this.doc.edit(page.ref);
    const held = dict.get('Contents');
    const before = this.doc.array(held) ?? (held === undefined ? [] : [held]);
    dict.set('Contents', [this.stream('q\n'), ...before, this.stream(after)]);
  }

  private stream(content: string): Ref {
    let made = this.streams.get(content);
    if (!made) {
      made = this.doc.addStream(new Dict(), Buffer.from(content, 'latin1'));
      this.streams.set(content, made);
    }
    return made;
  }

  /** The name of a form in the resources of a page; equal resources need it once. */
  private resourceName(page: Ref, form: Ref): string {
    const holder = this.resourcesHolder(page);
    const key = `${holder.key} ${form.key}`;
    const known = this.names.get(key);
    if (known) return known;
    const resources = holder === page ? ownResources(this.doc, page) : this.doc.edit(holder);
    const held = resources.get('XObject');
    const shared = this.doc.dict(held);
    const xobjects = held instanceof Ref && shared ? this.doc.edit(held) : (shared ?? new Dict());
    if (!(held instanceof Ref && shared)) resources.set('XObject', xobjects);
    let name = `Drawn${form.number}`;
    while (xobjects.has(name)) name += 'x';
    xobjects.set(name, form);
    this.names.set(key, name);
    return name;
  }

  /** The object whose change changes the page's resources: the page itself, or what it shares with others. */
  private resourcesHolder(page: Ref): Ref {
    const dict = this.doc.dict(page) ?? new Dict();
    const own = dict.get('Resources');
    if (own instanceof Ref && this.doc.dict(own)) return own;
    if (this.doc.dict(own)) return page;
    const above = inheritedEntry(this.doc, dict, 'Resources');
    if (above === undefined) return page;
    const ref = above instanceof Ref ? above : this.shared(above);
    this.doc.edit(page).set('Resources', ref);
    return ref;
  }

  private shared(direct: PdfValue): Ref {
    let ref = this.inherited.get(direct);
    if (!ref) {
      ref = this.doc.add(cloneValue(direct));
      this.inherited.set(direct, ref);
    }
    return ref;
  }
}

function ownResources(doc: PdfDocument, page: Ref): Dict {
  const dict = doc.edit(page);
  const held = dict.get('Resources');
  if (held instanceof Dict) return held;
  const made = new Dict();
  dict.set('Resources', made);
  return made;
}
