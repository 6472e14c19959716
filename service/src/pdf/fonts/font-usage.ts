// Which codes pages show in which fonts: in their content, in the forms, patterns and soft masks it draws, in glyphs
// that are drawings themselves, and in the appearances of annotations.

import type { PdfDocument } from '../document.ts';
import { MAX_CONTENT_BYTES } from '../filters/content-data.ts';
import { Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import type { PageParcel } from '../page-tree/page-objects.ts';
import type { ContentNames, NameScanner, ResourceCategory } from '../syntax/content-names.ts';
import { type EmbeddedFont, readEmbeddedFont } from './embedded-font.ts';
import { TextScanner } from './text-scanner.ts';

/** By font. Undefined codes: what it shows cannot be told. */
export type FontCodes = ReadonlyMap<EmbeddedFont, Uint16Array | undefined>;

const MAX_DRAWINGS = 20_000;
const ICONS = ['I', 'RI', 'IX'];

/** The nearest first: what a drawing's own resources lack is looked for in those around it. */
type Resources = readonly Dict[];

interface Drawing {
  content: readonly PdfValue[];
  resources: Resources;
  within: 'page' | 'form' | 'appearance';
}

interface ReadPage {
  codes: FontCodes | undefined;
  names: ContentNames | undefined;
}

export class FontUsage {
  private readonly doc: PdfDocument;
  private readonly fonts = new Map<string, EmbeddedFont | undefined>();
  private readonly pages = new Map<string, ReadPage>();

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** Undefined where the page's content is not understood in full. */
  ofPage(page: PageParcel): FontCodes | undefined {
    return this.read(page).codes;
  }

  /** What the page's own content names; undefined where that is not understood. */
  namesOn(page: PageParcel): ContentNames | undefined {
    return this.read(page).names;
  }

  private read(page: PageParcel): ReadPage {
    let read = this.pages.get(page.ref.key);
    if (!read) {
      read = new PageReading(this.doc, this).read(page);
      this.pages.set(page.ref.key, read);
    }
    return read;
  }

  font(value: PdfValue | undefined): EmbeddedFont | undefined {
    if (!(value instanceof Ref)) return undefined;
    if (!this.fonts.has(value.key)) this.fonts.set(value.key, readEmbeddedFont(this.doc, value));
    return this.fonts.get(value.key);
  }
}

/** Those that are written in the page itself as well, which belong to no parcel. */
export function annotationsOn(doc: PdfDocument, { dict, annotations }: PageParcel): Dict[] {
  const own = new Set(annotations.map(({ ref }) => ref.key));
  const others = (doc.array(dict.get('Annots')) ?? []).filter(
    (value) => !(value instanceof Ref && own.has(value.key)),
  );
  return [
    ...annotations.map((annotation) => annotation.dict),
    ...others.flatMap((value) => doc.dict(value) ?? []),
  ];
}

class PageReading {
  private readonly doc: PdfDocument;
  private readonly usage: FontUsage;
  /** For each font a mark for each of its codes. */
  private readonly shown = new Map<EmbeddedFont, Uint8Array | undefined>();
  private readonly waiting: Drawing[] = [];
  private readonly seen = new Set<string>();
  private readonly ids = new Map<Dict, number>();
  private ownNames: ContentNames | undefined;

  constructor(doc: PdfDocument, usage: FontUsage) {
    this.doc = doc;
    this.usage = usage;
  }

  read(page: PageParcel): ReadPage {
    const codes = this.codesOn(page);
    return { codes, names: this.ownNames };
  }

  private codesOn(page: PageParcel): FontCodes | undefined {
    const { dict } = page;
    const own = this.doc.dict(dict.get('Resources'));
    const resources = own ? [own] : [];
    const held = dict.get('Contents');
    const content = this.doc.array(held) ?? (held === undefined ? [] : [held]);
    this.waiting.push({ content, resources, within: 'page' });
    for (const annotation of annotationsOn(this.doc, page)) this.addAppearances(annotation, resources);
    for (let drawing = this.waiting.pop(); drawing; drawing = this.waiting.pop())
      if (!this.readDrawing(drawing) || this.seen.size > MAX_DRAWINGS) return undefined;
    const codes = new Map<EmbeddedFont, Uint16Array | undefined>();
    for (const [font, found] of this.shown) codes.set(font, found && codesOfMarks(found));
    return codes;
  }

  private addAppearances(annotation: Dict, resources: Resources): void {
    const around = { resources, within: 'appearance' } as const;
    for (const appearance of this.doc.dict(annotation.get('AP'))?.values() ?? []) {
      const states = this.doc.resolve(appearance);
      for (const form of states instanceof Dict ? states.values() : [appearance]) this.addForm(form, around);
    }
    const look = this.doc.dict(annotation.get('MK'));
    for (const icon of ICONS) this.addForm(look?.get(icon), around);
  }

  private readDrawing(drawing: Drawing): boolean {
    const bytes = this.bytesOf(drawing.content);
    if (!bytes) return false;
    const scanner = new TextScanner(bytes, {
      fontNamed: (name) => this.find(drawing.resources, 'Font', name),
      fontOfState: (name) =>
        this.doc.array(this.doc.dict(this.find(drawing.resources, 'ExtGState', name))?.get('Font'))?.[0],
      show: (font, strings) => this.show(font, strings),
    });
    if (!scanner.run()) return false;
    if (drawing.within === 'page') this.ownNames = scanner.names;
    // A form may go on in the font of whoever draws it; appearances may use the form's fonts, which stay whole.
    if (scanner.showsUnset && drawing.within !== 'page') return false;
    if (scanner.showsUnknown && drawing.within !== 'appearance') return false;
    this.followNames(scanner, drawing);
    return true;
  }

  private bytesOf(content: readonly PdfValue[]): Uint8Array | undefined {
    const pieces: Uint8Array[] = [];
    for (const part of content) {
      if (!(part instanceof Ref) || !(this.doc.get(part) instanceof Stream)) continue;
      const { bytes, decoded } = this.doc.streamData(part);
      if (!decoded || bytes.length > MAX_CONTENT_BYTES) return undefined;
      pieces.push(bytes, Buffer.from('\n'));
    }
    return pieces.length === 2 ? pieces[0] : Buffer.concat(pieces);
  }

  private find(resources: Resources, category: ResourceCategory, name: string): PdfValue | undefined {
    for (const each of resources) {
      const value = this.doc.dict(each.get(category))?.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private followNames({ names }: NameScanner, around: Drawing): void {
    const each = (category: ResourceCategory, use: (value: PdfValue) => void): void => {
      for (const name of names[category]) {
        const value = this.find(around.resources, category, name);
        if (value !== undefined) use(value);
      }
    };
    each('XObject', (value) => this.addForm(value, around));
    each('Pattern', (value) => this.addForm(value, around));
    each('ExtGState', (value) =>
      this.addForm(this.doc.dict(this.doc.dict(value)?.get('SMask'))?.get('G'), around),
    );
    each('Font', (value) => this.addDrawnFont(value, around));
  }

  private addForm(value: PdfValue | undefined, around: Omit<Drawing, 'content'>): void {
    const form = this.doc.resolve(value);
    if (!(form instanceof Stream)) return;
    if (isName(form.dict.get('Subtype'), 'Image') || isName(form.dict.get('Subtype'), 'PS')) return;
    this.add(value, form.dict, around);
  }

  /** A font whose glyphs are drawings. */
  private addDrawnFont(value: PdfValue, around: Drawing): void {
    const font = this.doc.dict(value);
    if (!font || this.doc.name(font.get('Subtype')) !== 'Type3') return;
    for (const glyph of this.doc.dict(font.get('CharProcs'))?.values() ?? []) this.add(glyph, font, around);
  }

  private add(ref: PdfValue | undefined, holder: Dict, around: Omit<Drawing, 'content'>): void {
    if (!(ref instanceof Ref)) return;
    const own = this.doc.dict(holder.get('Resources'));
    const resources = own ? [own, ...around.resources.slice(-1)] : around.resources;
    const key = `${ref.key} ${resources.map((dict) => this.idOf(dict)).join()}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.waiting.push({
      content: [ref],
      resources,
      within: around.within === 'page' ? 'form' : around.within,
    });
  }

  private idOf(dict: Dict): number {
    const id = this.ids.get(dict) ?? this.ids.size;
    this.ids.set(dict, id);
    return id;
  }

  private show(value: PdfValue, strings: Iterable<Uint8Array>): void {
    const font = this.usage.font(value);
    if (!font || (this.shown.has(font) && this.shown.get(font) === undefined)) return;
    const marks = this.shown.get(font) ?? new Uint8Array(font.codeCount);
    this.shown.set(font, marks);
    for (const bytes of strings) {
      const codes = font.codesIn(bytes);
      if (!codes) return void this.shown.set(font, undefined);
      for (let at = 0; at < codes.length; at += 1) marks[codes[at] as number] = 1;
    }
  }
}

function codesOfMarks(marks: Uint8Array): Uint16Array {
  const codes: number[] = [];
  for (let code = marks.indexOf(1); code !== -1; code = marks.indexOf(1, code + 1)) codes.push(code);
  return new Uint16Array(codes);
}
