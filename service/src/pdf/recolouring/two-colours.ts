// Content drawn anew in two colours: text and lines in one, areas between it and the background, images as they are.

import type { Rgb } from '../content/colour-spaces.ts';
import { ColourStates, type Target } from '../content/colour-states.ts';
import type { PdfDocument } from '../document.ts';
import type { Box } from '../geometry/boxes.ts';
import { inverse, matrixText, transformed } from '../geometry/matrix.ts';
import { Dict, name, type PdfValue } from '../objects.ts';
import { ContentReader, type Operation } from '../syntax/content-reader.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

export interface TwoColours {
  text: Rgb;
  background: Rgb;
}

/** Black areas come this near to the colour of text, which must still be read on them. */
const AREA_DEPTH = 0.35;
/** What is thinner than the one, or no larger than the other, in points, is a line or a sign, not an area. */
const THIN = 3;
const SMALL = 24;
const DARK = 0.5;

const SHOWING = new Set(['Tj', 'TJ', "'", '"']);
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);
/** What is left to do where the area is not to be seen. */
const WITHOUT_FILL: Readonly<Record<string, string>> = {
  f: 'n',
  F: 'n',
  'f*': 'n',
  B: 'S',
  'B*': 'S',
  b: 's',
  'b*': 's',
};
const POINTS: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, v: 4, y: 4, re: 4, h: 0 };

const luminance = ([r, g, b]: Rgb): number => 0.299 * r + 0.587 * g + 0.114 * b;

/** Between the background and the colour of text, as dark as it was light. */
export function areaColour({ text, background }: TwoColours, rgb: Rgb): Rgb {
  const share = AREA_DEPTH * (1 - luminance(rgb));
  return background.map((value, index) => value + share * ((text[index] ?? 0) - value)) as unknown as Rgb;
}

export interface Repainted {
  content: Uint8Array;
  /** Resources it needs beside those it had. */
  states: Dict | undefined;
}

/** `signs`: glyphs of a font, all of whose areas are text. */
export function repaint(
  doc: PdfDocument,
  content: Uint8Array,
  resources: Dict,
  colours: TwoColours,
  signs = false,
): Repainted {
  return new Repainter(doc, content, resources, colours, signs).run();
}

interface Given {
  fill: string;
  stroke: string;
}

class Repainter {
  private readonly doc: PdfDocument;
  private readonly content: Uint8Array;
  private readonly colours: TwoColours;
  private readonly signs: boolean;
  private readonly states: ColourStates;
  private readonly out: (Uint8Array | string)[] = [];
  private readonly plain: string;
  private copied = 0;
  private usesPlain = false;
  /** Colours that were written, for each saved state. */
  private given: Given = { fill: '', stroke: '' };
  private readonly saved: Given[] = [];
  /** The current path: where its first operator goes, and the box it takes on the page. */
  private path: { at: number; box: Box | undefined } | undefined;

  constructor(doc: PdfDocument, content: Uint8Array, resources: Dict, colours: TwoColours, signs: boolean) {
    this.doc = doc;
    this.content = content;
    this.colours = colours;
    this.signs = signs;
    this.states = new ColourStates(doc, resources);
    const taken = doc.dict(resources.get('ExtGState'));
    let plain = 'Unmixed';
    while (taken?.has(plain)) plain += 'x';
    this.plain = plain;
  }

  run(): Repainted {
    const reader = new ContentReader(this.content);
    for (let operation = reader.next(); operation; operation = reader.next()) this.take(operation);
    this.out.push(this.content.subarray(this.copied));
    const pieces = this.out.map((piece) =>
      typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece,
    );
    const unmixed = Dict.of({ Type: name('ExtGState'), BM: name('Normal') });
    return {
      content: Buffer.concat(pieces),
      states: this.usesPlain ? Dict.of({ [this.plain]: unmixed }) : undefined,
    };
  }

  private take(operation: Operation): void {
    const { operator, operands } = operation;
    const wasMixed = this.states.current.blends;
    if (this.states.apply(operation)) this.replace(operation, '');
    else if (operator === 'q') this.saved.push({ ...this.given });
    else if (operator === 'Q') this.given = this.saved.pop() ?? { fill: '', stroke: '' };
    else if (operator === 'gs') this.unmix(operation, wasMixed);
    else if (Object.hasOwn(POINTS, operator)) this.extend(operation, POINTS[operator] ?? 0);
    else if (SHOWING.has(operator)) this.paintText(operation);
    else if (FILLING.has(operator) || STROKING.has(operator)) this.paintPath(operation);
    else if (operator === 'n') this.path = undefined;
    else if (operator === 'sh') this.paintShading(operation);
    else if (operator === 'Do' || operator === 'BI') this.paintStencil(operation, operands[0]);
  }

  /** Mixing with a background of another colour would give colours that nobody asked for. */
  private unmix(operation: Operation, wasMixed: boolean): void {
    if (!this.states.current.blends && !wasMixed) return;
    this.usesPlain = true;
    this.copyTo(operation.end);
    this.out.push(` /${this.plain} gs`);
  }

  private extend({ operator, operands, start }: Operation, count: number): void {
    if (!this.path) {
      this.copyTo(start);
      // Colours may not be set within a path: they go here once it is known how it is painted.
      this.path = { at: this.out.push('') - 1, box: undefined };
    }
    const { ctm } = this.states.current;
    const numbers = operands
      .slice(-count || operands.length)
      .map((each) => (typeof each === 'number' ? each : 0));
    const [x = 0, y = 0, width = 0, height = 0] = numbers;
    const points =
      operator === 're'
        ? [x, y, x + width, y, x, y + height, x + width, y + height]
        : numbers.slice(0, count);
    for (let index = 0; index + 1 < points.length; index += 2) {
      const point = transformed(ctm, points[index] ?? 0, points[index + 1] ?? 0);
      this.path.box = around(this.path.box, point.x, point.y);
    }
  }

  private paintText(operation: Operation): void {
    const { textMode } = this.states.current;
    this.copyTo(operation.start);
    if (textMode !== 3 && textMode !== 7) this.out.push(this.colour('fill', this.colours.text));
    if ([1, 2, 5, 6].includes(textMode)) this.out.push(this.colour('stroke', this.colours.text));
  }

  private paintPath(operation: Operation): void {
    const { path } = this;
    this.path = undefined;
    const { operator } = operation;
    const isInk = FILLING.has(operator) && this.isInk(path?.box);
    const isSeen = !FILLING.has(operator) || isInk || !this.states.current.blends;
    let set = '';
    if (FILLING.has(operator) && isSeen)
      set += this.colour('fill', isInk ? this.colours.text : areaColour(this.colours, this.fillRgb()));
    if (STROKING.has(operator)) set += this.colour('stroke', this.colours.text);
    if (path) this.out[path.at] = set;
    else {
      this.copyTo(operation.start);
      this.out.push(set);
    }
    // What only tinted what lies below would now hide it.
    if (!isSeen) this.replace(operation, WITHOUT_FILL[operator] ?? 'n');
  }

  /** A sign or a line drawn as an area. */
  private isInk(box: Box | undefined): boolean {
    if (this.signs) return true;
    if (luminance(this.fillRgb()) >= DARK || !box) return false;
    const width = box.right - box.left;
    const height = box.top - box.bottom;
    return Math.min(width, height) <= THIN || Math.max(width, height) <= SMALL;
  }

  private fillRgb(): Rgb {
    const { space, values, pattern } = this.states.current.fill;
    return space && pattern === undefined ? space.rgb(values) : [0.6, 0.6, 0.6];
  }

  /** A gradient becomes an even area: all that the clip lets through. */
  private paintShading(operation: Operation): void {
    const back = inverse(this.states.current.ctm);
    const even = this.colour('fill', areaColour(this.colours, [0.7, 0.7, 0.7]));
    const everywhere = back ? `q ${matrixText(back)} cm -20000 -20000 40000 40000 re f Q` : '';
    this.replace(operation, this.states.current.blends ? '' : even + everywhere);
  }

  /** Stencils are painted with the colour in force; images have colours of their own. */
  private paintStencil(operation: Operation, operand: PdfValue | undefined): void {
    const dict = operand instanceof Dict ? operand : this.doc.dict(this.states.resource('XObject', operand));
    const isStencil = this.doc.boolean(dict?.get('ImageMask') ?? dict?.get('IM')) === true;
    if (operation.operator === 'Do' && !isStencil) {
      // Forms take colours over as they find them.
      if (this.doc.name(dict?.get('Subtype')) !== 'Form') return;
    } else if (!isStencil) return;
    this.copyTo(operation.start);
    const rgb =
      luminance(this.fillRgb()) < DARK || this.signs
        ? this.colours.text
        : areaColour(this.colours, this.fillRgb());
    this.out.push(this.colour('fill', rgb));
  }

  private colour(target: Target, rgb: Rgb): string {
    const operator = target === 'fill' ? 'rg' : 'RG';
    // Operators may stand next to brackets: blanks keep the new ones apart.
    const set = ` ${rgb.map((value) => formatNumber(Math.round(value * 10_000) / 10_000)).join(' ')} ${operator} `;
    if (this.given[target] === set) return '';
    this.given[target] = set;
    return set;
  }

  private copyTo(end: number): void {
    if (end > this.copied) this.out.push(this.content.subarray(this.copied, end));
    this.copied = Math.max(this.copied, end);
  }

  private replace({ start, end }: Operation, words: string): void {
    this.copyTo(start);
    this.out.push(` ${words} `);
    this.copied = end;
  }
}

const around = (box: Box | undefined, x: number, y: number): Box => ({
  left: Math.min(box?.left ?? x, x),
  bottom: Math.min(box?.bottom ?? y, y),
  right: Math.max(box?.right ?? x, x),
  top: Math.max(box?.top ?? y, y),
});
