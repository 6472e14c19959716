// Drawing on pages without rewriting their content: what was there is wrapped in q and Q, what is added stands
// before or behind it as form XObjects. Streams and resource entries are shared between pages wherever they can be.

import { computeOnce } from '../../contract/maps.ts';
import { type EnclosedContent, encloseContent } from '../content/enclosed-content.ts';
import { contentParts, inheritedEntry } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import { IDENTITY, inverse, type Matrix, matrixText, product } from '../geometry/matrix.ts';
import { cloneValue, Dict, type PdfValue, Ref } from '../objects.ts';

export interface Placed {
  form: Ref;
  /** From the form to the page as displayed, lower-left corner at the origin. */
  matrix?: Matrix;
}

export type Ground = 'foreground' | 'background';

export class PageOverlay {
  private readonly doc: PdfDocument;
  private readonly ground: Ground;
  private readonly streams = new Map<string, Ref>();
  /** Resource names by the dictionary that holds them and the form. */
  private readonly names = new Map<string, string>();
  /** Resources that a page had from the tree above and were written there directly. */
  private readonly inherited = new Map<PdfValue, Ref>();
  private readonly enclosed = new Map<string, EnclosedContent>();

  constructor(doc: PdfDocument, ground: Ground = 'foreground') {
    this.doc = doc;
    this.ground = ground;
  }

  /** Draws upright for the reader. What is drawn is no part of the tagged content, unless it is to be read. */
  draw(page: DisplayedPage, placed: readonly Placed[], { isRead = false }: { isRead?: boolean } = {}): void {
    const upright = inverse(page.matrix);
    if (!upright || placed.length === 0) return;
    const lines = placed.map(({ form, matrix = IDENTITY }) => {
      const place = matrixText(product(matrix, upright));
      return `q ${place} cm /${this.resourceName(page.ref, form)} Do Q`;
    });
    const drawing = isRead ? `${lines.join('\n')}\n` : `/Artifact BMC\n${lines.join('\n')}\nEMC\n`;
    const parts = contentParts(this.doc, page.ref);
    this.doc.edit(page.ref).set('Contents', this.contents(parts, drawing));
  }

  private contents(parts: readonly Ref[], drawing: string): Ref[] {
    if (parts.length === 0 || this.ground === 'background') return [this.stream(drawing), ...parts];
    // The page may leave its state changed, or things open: all are closed before the drawing.
    const enclosed = this.enclose(parts);
    return [this.stream(enclosed.before), ...enclosed.parts, this.stream(enclosed.after + drawing)];
  }

  private enclose(parts: readonly Ref[]): EnclosedContent {
    const key = parts.map((part) => part.key).join();
    return computeOnce(this.enclosed, key, () => encloseContent(this.doc, parts));
  }

  private stream(content: string): Ref {
    return computeOnce(this.streams, content, () =>
      this.doc.addStream(new Dict(), Buffer.from(content, 'latin1')),
    );
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
    while (xobjects.has(name) && !isSame(xobjects.get(name), form)) name += 'x';
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
    return computeOnce(this.inherited, direct, () => this.doc.add(cloneValue(direct)));
  }
}

const isSame = (value: PdfValue | undefined, ref: Ref): boolean =>
  value instanceof Ref && value.key === ref.key;

function ownResources(doc: PdfDocument, page: Ref): Dict {
  const dict = doc.edit(page);
  const held = dict.get('Resources');
  if (held instanceof Dict) return held;
  const made = new Dict();
  dict.set('Resources', made);
  return made;
}
