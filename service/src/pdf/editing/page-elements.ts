// What the content of a page draws, piece by piece and in order: strings with all that places them, and images.

import { contentParts, joinedContent } from '../content/page-content.ts';
import { followTextOperator } from '../content/text-operators.ts';
import { INITIAL_TEXT, type PlacedGlyph, TextCursor } from '../content/text-state.ts';
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import type { GlyphFonts } from '../fonts/glyph-fonts.ts';
import { IDENTITY, type Matrix, matrixOf, product } from '../geometry/matrix.ts';
import { writtenOut } from '../images/inline-images.ts';
import { Dict, isName, Name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { BLACK, colourAfter } from './element-colours.ts';
import type { State, TextElement } from './text-element.ts';
import { elementOf } from './text-measures.ts';

export interface ImageElement {
  name: string | undefined;
  /** An inline image has become an object of its own. */
  ref: Ref;
  inline: boolean;
  nativeWidth: number;
  nativeHeight: number;
  matrix: Matrix;
  resources: Dict;
  zOrder: number;
}

export interface PageElements {
  texts: TextElement[];
  images: ImageElement[];
}

const MAX_NESTING = 30;
const MAX_SAVED = 10_000;
/** Hostile content draws one form from another again and again. */
const MAX_ELEMENTS = 200_000;
/** A gap in TJ, in thousandths of the size, from which on a reader sees a blank. */
const BLANK_FROM = 180;

export function pageElements(doc: PdfDocument, page: Ref, fonts: GlyphFonts): PageElements {
  const walk = new ElementWalk(doc, fonts);
  const resources = doc.dict(doc.inherited(doc.dict(page) ?? new Dict(), 'Resources')) ?? new Dict();
  const start: State = {
    ctm: IDENTITY,
    text: INITIAL_TEXT,
    fontName: '',
    font: undefined,
    glyphs: undefined,
    mode: 0,
    fill: BLACK,
    stroke: BLACK,
  };
  walk.content(joinedContent(doc, contentParts(doc, page)), resources, start, 0);
  return { texts: walk.texts, images: walk.images };
}

class ElementWalk {
  readonly texts: TextElement[] = [];
  readonly images: ImageElement[] = [];
  private readonly doc: PdfDocument;
  private readonly fonts: GlyphFonts;
  private order = 0;
  private readonly inside = new Set<string>();

  constructor(doc: PdfDocument, fonts: GlyphFonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  content(bytes: Uint8Array, resources: Dict, start: State, depth: number): void {
    const reader = new ContentReader(bytes);
    const cursor = new TextCursor();
    const saved: State[] = [];
    let state = start;
    for (let operation = reader.next(); operation; operation = reader.next()) {
      if (this.order > MAX_ELEMENTS) return;
      const { operator, operands } = operation;
      if (operator === 'q') {
        if (saved.length < MAX_SAVED) saved.push(state);
      } else if (operator === 'Q') state = saved.pop() ?? state;
      else if (operator === 'Do') this.draw(operands[0], resources, state, depth);
      else if (operator === 'BI') this.inline(operation, bytes, resources, state);
      else state = this.follow(operation, resources, state, cursor);
    }
  }

  private follow(
    { operator, operands }: Operation,
    resources: Dict,
    state: State,
    cursor: TextCursor,
  ): State {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map((each) =>
      typeof each === 'number' ? each : 0,
    );
    const text = followTextOperator(operator, [a, b, c, d, e, f], state.text, cursor);
    if (text !== undefined) return text === state.text ? state : { ...state, text };
    switch (operator) {
      case 'cm':
        return { ...state, ctm: product([a, b, c, d, e, f], state.ctm) };
      case 'Tr':
        return { ...state, mode: a };
      case 'Tf':
        return this.withFont(state, operands[0], b, resources);
      case 'gs':
        return this.withGraphicsState(state, operands[0], resources);
      case 'Tj':
        this.show([operands[0] ?? null], state, cursor);
        return state;
      case 'TJ':
        this.show(Array.isArray(operands[0]) ? operands[0] : [], state, cursor);
        return state;
      case "'":
        cursor.newLine(0, -state.text.leading);
        this.show([operands[0] ?? null], state, cursor);
        return state;
      case '"': {
        const spaced = { ...state, text: { ...state.text, wordSpacing: a, characterSpacing: b } };
        cursor.newLine(0, -state.text.leading);
        this.show([operands[2] ?? null], spaced, cursor);
        return spaced;
      }
      default:
        return this.withColour(state, operator, operands, resources);
    }
  }

  private named(resources: Dict, category: string, operand: PdfValue | undefined): PdfValue | undefined {
    return operand instanceof Name ? this.doc.dict(resources.get(category))?.get(operand.value) : undefined;
  }

  private withFont(state: State, name: PdfValue | undefined, size: number, resources: Dict): State {
    const font = this.named(resources, 'Font', name);
    const glyphs = this.fonts.of(font);
    const fontName = name instanceof Name ? name.value : '';
    return { ...state, font, fontName, glyphs, text: { ...state.text, font: glyphs.measured, size } };
  }

  private withGraphicsState(state: State, name: PdfValue | undefined, resources: Dict): State {
    const entry = this.doc.array(this.doc.dict(this.named(resources, 'ExtGState', name))?.get('Font'));
    if (!entry) return state;
    const glyphs = this.fonts.of(entry[0]);
    const size = this.doc.number(entry[1]) ?? 0;
    const fontName = name instanceof Name ? name.value : '';
    return {
      ...state,
      font: entry[0],
      fontName,
      glyphs,
      text: { ...state.text, font: glyphs.measured, size },
    };
  }

  private withColour(state: State, operator: string, operands: readonly PdfValue[], resources: Dict): State {
    const lower = operator.toLowerCase();
    const which = operator === lower ? 'fill' : 'stroke';
    const spaces = (name: PdfValue | undefined) => this.named(resources, 'ColorSpace', name);
    const colour = colourAfter(this.doc, state[which], lower, operands, spaces);
    return colour ? { ...state, [which]: colour } : state;
  }

  private show(items: readonly PdfValue[], state: State, cursor: TextCursor): void {
    const { glyphs, text, ctm } = state;
    if (!glyphs) return;
    const placed: PlacedGlyph[] = [];
    const codes: number[] = [];
    let said = '';
    let isGuessed = false;
    for (const item of items) {
      if (typeof item === 'number') {
        cursor.adjust(item, text);
        if (-item > BLANK_FROM && said !== '' && !said.endsWith(' ')) said += ' ';
        continue;
      }
      if (!(item instanceof PdfString)) continue;
      let at = 0;
      for (const glyph of cursor.show(item.bytes, text, ctm)) {
        const code = item.bytes.subarray(at, at + glyph.length);
        at += glyph.length;
        placed.push(glyph);
        codes.push(code.reduce((sum, byte) => sum * 256 + byte, 0));
        const character = glyphs.read(code).text;
        if (character === undefined) isGuessed = true;
        said += character ?? '\ufffd';
      }
    }
    const element = placed.length > 0 ? elementOf(placed, state) : undefined;
    if (!element) return;
    this.order += 1;
    this.texts.push({ ...element, text: said, codes, isGuessed, zOrder: this.order });
  }

  private draw(operand: PdfValue | undefined, resources: Dict, state: State, depth: number): void {
    const ref = this.named(resources, 'XObject', operand);
    const stream = this.doc.resolve(ref);
    if (!(ref instanceof Ref) || !(stream instanceof Stream)) return;
    const subtype = this.doc.resolve(stream.dict.get('Subtype'));
    if (isName(subtype, 'Image')) {
      const name = operand instanceof Name ? operand.value : undefined;
      this.image({ name, ref, inline: false, resources }, stream.dict, state);
      return;
    }
    if (!isName(subtype, 'Form') || depth >= MAX_NESTING || this.inside.has(ref.key)) return;
    this.inside.add(ref.key);
    const ctm = product(matrixOf(this.doc, stream.dict.get('Matrix')), state.ctm);
    const own = this.doc.dict(stream.dict.get('Resources')) ?? resources;
    this.content(contentOf(this.doc, ref), own, { ...state, ctm }, depth + 1);
    this.inside.delete(ref.key);
  }

  private inline({ operands, data }: Operation, bytes: Uint8Array, resources: Dict, state: State): void {
    const [entries] = operands;
    if (!data || !(entries instanceof Dict)) return;
    const dict = writtenOut(this.doc, entries, resources);
    const ref = this.doc.addStream(dict, bytes.subarray(data.start, data.end));
    this.image({ name: undefined, ref, inline: true, resources }, dict, state);
  }

  private image(
    image: Pick<ImageElement, 'name' | 'ref' | 'inline' | 'resources'>,
    dict: Dict,
    { ctm }: State,
  ): void {
    this.order += 1;
    const side = (key: string): number => Math.max(0, Math.trunc(this.doc.number(dict.get(key)) ?? 0));
    this.images.push({
      ...image,
      nativeWidth: side('Width'),
      nativeHeight: side('Height'),
      matrix: ctm,
      zOrder: this.order,
    });
  }
}
