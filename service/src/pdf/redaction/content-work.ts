// What all content of a document shares while its characters are listed or taken out.
import { createHash } from 'node:crypto';
import { Problem } from '../../contract/problems.ts';
import { ContentInterpreter, OperationBudget, pageInterpreter } from '../content/content-interpreter.ts';
import { copyStream } from '../content/stream-copies.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { inverse, type Matrix, transformed } from '../geometry/matrix.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatValue } from '../syntax/object-syntax.ts';
import { type Ran, runContent } from './content-run.ts';
import type { Glyph, Listed } from './glyph-list.ts';
import type { Quad } from './quads.ts';
import { initialState, type Position } from './run-context.ts';
import { OtherNames } from './secret-names.ts';

/** What is to be taken out. */
export interface RemovalPlan {
  isGone(glyph: number): boolean;
  isSpanGone(span: number): boolean;
  /** Texts of marked content that must not stay. */
  isSecret?(text: string): boolean;
  /** Names of resources that must not stay. */
  isSecretName?(name: string): boolean;
  /** Data of inline images without what must not stay in it; undefined where there is nothing. */
  cleanedData?(data: Uint8Array): Uint8Array | undefined;
  /** Areas of the page under which nothing stays. */
  quads: readonly Quad[];
}

/** An image whose pixels under boxes are still to be overwritten. */
export interface ImageWork {
  image: Ref;
  page: string;
  /** In the unit square of the image, its lower-left corner at the origin. */
  areas: Quad[];
}

export interface Touched {
  texts: number;
  paths: number;
  images: number;
  forms: number;
}

class RedactionBudget extends OperationBudget {
  protected override refuse(): never {
    throw new Problem(
      'redaction_unverified',
      'The content of the document is nested too deeply to be proven clean.',
    );
  }
}

export class ContentWork {
  readonly doc: PdfDocument;
  readonly fonts: GlyphFonts;
  readonly images: ImageWork[] = [];
  readonly touched: Touched = { texts: 0, paths: 0, images: 0, forms: 0 };
  /** Forms that were rewritten, by the keys of the originals. */
  readonly cutForms = new Map<string, { ref: Ref; lost: ReadonlySet<number> }>();
  /** Keys of forms and images that something else stands for now. */
  readonly replaced = new Set<string>();
  /** Pages on which something under a box can only be taken out with the whole page. */
  readonly stubborn = new Map<string, string>();
  /** For names that hold a term, in content as elsewhere. */
  readonly otherNames = new OtherNames();
  plan: RemovalPlan | undefined;
  /** Forms drawn by the content are left aside. */
  ownOnly = false;
  private listed: Listed = { glyphs: [], spans: [], texts: [], names: new Set(), data: [] };
  private glyphs = 0;
  private spans = 0;
  private readonly budget = new RedactionBudget();
  private page = '';
  private readonly made = new Map<string, Ref>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.fonts = new GlyphFonts(doc);
  }

  /** The characters of a page's content, forms included. */
  listPage(page: Ref): Listed {
    this.begin(page.key, undefined);
    this.runPage(page);
    return this.listed;
  }

  /** The characters of a form, a pattern, an appearance or a drawn glyph, in its own coordinates. */
  listStream(ref: Ref, around: Dict): Listed {
    this.begin('', undefined);
    this.runStream(ref, around);
    return this.listed;
  }

  /** Takes out what the plan names and puts the rest into the page. Tells what marked content lost something. */
  cutPage(page: Ref, plan: RemovalPlan): ReadonlySet<number> {
    this.begin(page.key, plan);
    const { changed, lost } = this.runPage(page);
    if (changed) {
      const dict = this.doc.edit(page);
      dict.set('Contents', this.doc.addStream(new Dict(), changed.content));
      dict.set('Resources', changed.resources);
    }
    return lost;
  }

  /** As `cutPage`, in place: wherever the stream is drawn. Tells whether anything changed. */
  cutStream(ref: Ref, around: Dict, plan: RemovalPlan): boolean {
    this.begin('', plan);
    const { changed, lost } = this.runStream(ref, around);
    if (!changed) return false;
    this.doc.replaceStreamData(ref, changed.content);
    this.doc.edit(ref).set('Resources', changed.resources);
    this.cutForms.set(ref.key, { ref, lost });
    return true;
  }

  private begin(page: string, plan: RemovalPlan | undefined): void {
    this.plan = plan;
    this.page = page;
    this.listed = { glyphs: [], spans: [], texts: [], names: new Set(), data: [] };
    this.glyphs = 0;
    this.spans = 0;
  }

  private runPage(page: Ref): Ran {
    return runContent(this, pageInterpreter(this.doc, page, initialState(this), this.budget));
  }

  private runStream(ref: Ref, around: Dict): Ran {
    const start = {
      content: () => contentOf(this.doc, ref),
      resources: this.doc.dict(this.doc.dict(ref)?.get('Resources')) ?? around,
      state: initialState(this),
      key: ref.key,
      budget: this.budget,
    };
    return runContent(this, new ContentInterpreter(this.doc, start));
  }

  nextGlyph(): number {
    this.glyphs += 1;
    return this.glyphs - 1;
  }

  list(glyph: Glyph): void {
    this.listed.glyphs.push(glyph);
  }

  listTexts(texts: readonly string[]): void {
    if (!this.plan) this.listed.texts.push(...texts);
  }

  listNames(names: ReadonlySet<string>): void {
    for (const name of names) this.listed.names.add(name);
  }

  listData(data: Uint8Array): void {
    if (!this.plan) this.listed.data.push(data);
  }

  openSpan(text: string): number {
    const id = this.spans;
    this.spans += 1;
    if (!this.plan) this.listed.spans.push({ id, text });
    return id;
  }

  unremovable(what: string): void {
    this.stubborn.set(this.page, what);
  }

  /** The form itself where nothing goes, a rewritten copy, or nothing where readers draw none. */
  form(ref: Ref, form: Position | undefined): Ref | undefined {
    if (this.ownOnly) return ref;
    if (!form) return undefined;
    const dict = this.doc.dict(ref) ?? new Dict();
    const { changed, lost } = runContent(this, form);
    if (!changed) return ref;
    this.touched.forms += 1;
    this.replaced.add(ref.key);
    // Pages that show the same form in the same place share its copy.
    const used = createHash('sha256').update(formatValue(changed.resources)).update(changed.content);
    const key = `${ref.key} ${used.digest('base64')}`;
    const known = this.made.get(key);
    if (known) return known;
    const copy = new Dict(dict).set('Resources', changed.resources) as Dict;
    for (const entry of ['Filter', 'DecodeParms', 'Length', 'PieceInfo', 'Metadata', 'OPI'])
      copy.delete(entry);
    const made = this.doc.addStream(copy, changed.content);
    this.made.set(key, made);
    if (!this.cutForms.has(ref.key)) this.cutForms.set(ref.key, { ref: made, lost });
    return made;
  }

  /** A copy of an image, to be overwritten where boxes lie on it. */
  image(ref: Ref, ctm: Matrix, quads: readonly Quad[]): Ref | undefined {
    const back = inverse(ctm);
    if (!back) return undefined;
    const areas = quads.map((quad) => quad.map(({ x, y }) => transformed(back, x, y)) as unknown as Quad);
    const image = copyStream(this.doc, ref);
    this.images.push({ image, page: this.page, areas });
    this.touched.images += 1;
    this.replaced.add(ref.key);
    return image;
  }

  /** Whether a pattern draws more than lines and areas. */
  drawsMore(pattern: Dict): boolean {
    const resources = this.doc.dict(pattern.get('Resources'));
    return ['Font', 'XObject'].some((key) => (this.doc.dict(resources?.get(key))?.size ?? 0) > 0);
  }
}

/** Streams of content other than pages: forms, appearances, patterns, drawn glyphs. */
export function otherContent(doc: PdfDocument, refs: readonly Ref[]): Ref[] {
  const found = new Map<string, Ref>();
  const add = (value: PdfValue | undefined): void => {
    if (value instanceof Ref && doc.get(value) instanceof Stream) found.set(value.key, value);
  };
  for (const ref of refs) {
    const object = doc.get(ref);
    const dict = object instanceof Stream ? object.dict : object;
    if (!(dict instanceof Dict)) continue;
    if (object instanceof Stream && (isName(dict.get('Subtype'), 'Form') || dict.get('PatternType') === 1))
      add(ref);
    for (const glyph of doc.dict(dict.get('CharProcs'))?.values() ?? []) add(glyph);
    for (const look of doc.dict(dict.get('AP'))?.values() ?? []) {
      add(look);
      const states = doc.resolve(look);
      if (states instanceof Dict) for (const state of states.values()) add(state);
    }
  }
  return [...found.values()];
}
