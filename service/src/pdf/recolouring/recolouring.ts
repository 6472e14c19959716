// All content of a document, taken through a change of its colours: pages, forms, patterns, glyphs that are drawings,
// and what annotations say of their colours.

import { MAX_NESTING } from '../content/content-interpreter.ts';
import { contentParts, joinContent } from '../content/page-content.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { namesInContent } from '../syntax/content-names.ts';

/** What kind of content: a page's, that of a form or pattern, or that of one glyph. */
export type ContentKind = 'page' | 'form' | 'glyph';

export interface Changed {
  content: Uint8Array;
  /** Graphics states it names beside those it had. */
  states: Dict | undefined;
}

export type ColourUse = 'line' | 'background' | 'marker';

export interface Recolour {
  content(content: Uint8Array, resources: Dict, kind: ContentKind): Changed;
  /** Colours of an annotation: its lines and words, its background, or a marker that lies over words. */
  colour?(values: readonly number[], of: ColourUse): number[];
}

/** Every page of the document; `before` is drawn below what it shows. */
export function recolourPages(doc: PdfDocument, recolour: Recolour, before: (page: Ref) => string): void {
  const made = new Map<string, { stream: Ref; states: Dict | undefined }>();
  const numbers = new Map<Dict, number>();
  for (const page of doc.pages()) {
    const parts = contentParts(doc, page);
    const held = doc.inherited(doc.dict(page) ?? new Dict(), 'Resources');
    const resources = held instanceof Dict ? held : new Dict();
    if (!numbers.has(resources)) numbers.set(resources, numbers.size);
    const first = before(page);
    const key = `${parts.map((part) => part.key).join()} ${numbers.get(resources)} ${first}`;
    let shown = made.get(key);
    if (!shown) {
      const { content, states } = recolour.content(joinContent(doc, parts), resources, 'page');
      const bytes = Buffer.concat([Buffer.from(first, 'latin1'), content]);
      shown = { stream: doc.addStream(new Dict(), bytes), states };
      made.set(key, shown);
    }
    const dict = doc.edit(page);
    dict.set('Contents', shown.stream);
    if (shown.states) dict.set('Resources', withStates(doc, resources, shown.states));
  }
}

function withStates(doc: PdfDocument, resources: Dict, states: Dict): Dict {
  const all = new Dict(doc.dict(resources.get('ExtGState')) ?? []);
  for (const [key, value] of states) all.set(key, value);
  return new Dict(resources).set('ExtGState', all);
}

/** Forms, patterns and drawn glyphs, wherever they are used; those that only mask others stay as they are. */
export function recolourForms(doc: PdfDocument, recolour: Recolour, only?: ReadonlySet<string>): void {
  const refs = doc.allRefs();
  const masks = maskForms(doc, refs);
  for (const ref of refs) {
    const object = doc.get(ref);
    if (object instanceof Dict && isName(object.get('Subtype'), 'Type3')) {
      if (!only) recolourGlyphs(doc, object, recolour);
      continue;
    }
    if (!(object instanceof Stream) || masks.has(ref.key) || (only && !only.has(ref.key))) continue;
    const isForm = doc.name(object.dict.get('Subtype')) === 'Form';
    const isPattern = doc.number(object.dict.get('PatternType')) === 1;
    if (isForm || isPattern)
      recolourStream(doc, ref, doc.dict(object.dict.get('Resources')), recolour, 'form');
  }
}

function recolourStream(
  doc: PdfDocument,
  ref: Ref,
  held: Dict | undefined,
  recolour: Recolour,
  kind: ContentKind,
): void {
  const resources = held ?? new Dict();
  const before = contentOf(doc, ref);
  const { content, states } = recolour.content(before, resources, kind);
  if (content !== before) doc.replaceStreamData(ref, content);
  if (states) doc.edit(ref).set('Resources', withStates(doc, resources, states));
}

/** Glyphs that bring their own colours say so by d0; those of d1 take the colour of the text. */
function recolourGlyphs(doc: PdfDocument, font: Dict, recolour: Recolour): void {
  const resources = doc.dict(font.get('Resources'));
  for (const glyph of doc.dict(font.get('CharProcs'))?.values() ?? []) {
    if (!(glyph instanceof Ref) || !(doc.resolve(glyph) instanceof Stream)) continue;
    if (/\bd0\b/.test(Buffer.from(contentOf(doc, glyph)).toString('latin1', 0, 200)))
      recolourStream(doc, glyph, resources, recolour, 'glyph');
  }
}

/** Forms that stand for opacity (ISO 32000-1, 11.6.5.3). */
export function maskForms(doc: PdfDocument, refs: readonly Ref[]): Set<string> {
  const found = new Set<string>();
  const look = (value: PdfValue, depth: number): void => {
    if (depth > 12) return;
    if (Array.isArray(value)) for (const each of value) look(each, depth + 1);
    if (!(value instanceof Dict)) return;
    const group = value.get('G');
    if (group instanceof Ref && ['Alpha', 'Luminosity'].includes(doc.name(value.get('S')) ?? ''))
      found.add(group.key);
    for (const each of value.values()) if (each instanceof Dict || Array.isArray(each)) look(each, depth + 1);
  };
  for (const ref of refs) {
    const object = doc.get(ref);
    if (!(object instanceof PdfString)) look(object instanceof Stream ? object.dict : object, 0);
  }
  return found;
}

const LINE_COLOURS = ['C'];
const FILL_COLOURS = ['IC'];

/** Borders, backgrounds and default appearances of annotations and fields. Returns the forms that draw them. */
export function recolourAnnotations(doc: PdfDocument, recolour: Recolour): Set<string> {
  const appearances = new Set<string>();
  const seen = new Set<PdfValue>();
  for (const page of doc.pages()) {
    const list = doc.array(doc.dict(page)?.get('Annots')) ?? [];
    for (const entry of list) {
      const annotation = doc.dict(entry);
      if (!annotation || seen.has(annotation)) continue;
      seen.add(annotation);
      // Annotations may be written inside the list, or the list be an object of its own.
      if (entry instanceof Ref) doc.edit(entry);
      else doc.edit(page).set('Annots', [...list]);
      collectStreams(doc, annotation.get('AP'), appearances, 0);
      const isMarker = doc.name(annotation.get('Subtype')) === 'Highlight';
      recolourEntries(doc, annotation, LINE_COLOURS, isMarker ? 'marker' : 'line', recolour);
      recolourEntries(doc, annotation, FILL_COLOURS, 'background', recolour);
      recolourWords(annotation, recolour);
      recolourParents(doc, annotation, recolour, seen);
      const held = doc.dict(annotation.get('MK'));
      if (!held) continue;
      const look = new Dict(held);
      recolourEntries(doc, look, ['BC'], 'line', recolour);
      recolourEntries(doc, look, ['BG'], 'background', recolour);
      annotation.set('MK', look);
    }
  }
  const form = doc.catalog.get('AcroForm');
  if (form instanceof Ref && doc.get(form) instanceof Dict) recolourWords(doc.edit(form), recolour);
  return appearances;
}

/** Fields above a widget say what its words look like. */
function recolourParents(doc: PdfDocument, widget: Dict, recolour: Recolour, seen: Set<PdfValue>): void {
  let held = widget.get('Parent');
  for (let depth = 0; held instanceof Ref && depth < MAX_TREE_DEPTH; depth += 1) {
    const field = doc.get(held);
    if (!(field instanceof Dict) || seen.has(field)) return;
    seen.add(field);
    if (field.has('DA')) recolourWords(doc.edit(held), recolour);
    held = field.get('Parent');
  }
}

function recolourEntries(
  doc: PdfDocument,
  dict: Dict,
  keys: readonly string[],
  of: ColourUse,
  { colour }: Recolour,
): void {
  for (const key of keys) {
    const values = doc.array(dict.get(key))?.map((each) => doc.number(each) ?? 0);
    if (colour && values && [1, 3, 4].includes(values.length)) dict.set(key, colour(values, of));
  }
}

/** A default appearance is content too. */
function recolourWords(dict: Dict, recolour: Recolour): void {
  const words = dict.get('DA');
  if (!(words instanceof PdfString)) return;
  const text = Buffer.from(words.bytes).toString('latin1');
  const changed = text.replace(
    /((?:[-+.\d]+\s+){1,4})(g|rg|k|G|RG|K)\b/g,
    (whole, numbers: string, operator: string) => {
      const made = recolour.colour?.(numbers.trim().split(/\s+/).map(Number), 'line');
      if (!made) return whole;
      const lower = { 1: 'g', 3: 'rg', 4: 'k' }[made.length] ?? 'g';
      return `${made.join(' ')} ${operator === operator.toUpperCase() ? lower.toUpperCase() : lower}`;
    },
  );
  dict.set('DA', new PdfString(Buffer.from(changed, 'latin1')));
}

/** Streams of an entry, and the forms that they draw. */
function collectStreams(
  doc: PdfDocument,
  value: PdfValue | undefined,
  into: Set<string>,
  depth: number,
): void {
  if (depth > MAX_NESTING) return;
  if (value instanceof Ref && doc.get(value) instanceof Stream) {
    if (into.has(value.key)) return;
    into.add(value.key);
    const drawn = doc.dict(doc.dict(doc.dict(value)?.get('Resources'))?.get('XObject'));
    // Resources may be shared with pages: only what the content names is drawn by it.
    for (const key of drawn ? (namesInContent(contentOf(doc, value))?.XObject ?? []) : []) {
      const inner = drawn?.get(key);
      if (doc.name(doc.dict(inner)?.get('Subtype')) === 'Form') collectStreams(doc, inner, into, depth + 1);
    }
    return;
  }
  for (const each of doc.dict(value)?.values() ?? []) collectStreams(doc, each, into, depth + 1);
}
