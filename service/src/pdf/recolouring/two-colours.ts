// Content drawn anew in two colours: text and lines in one, areas between it and the background, images as they are.

import { lookup } from '../../contract/lookup.ts';
import { ColourReading } from '../content/colour-reading.ts';
import type { Rgb } from '../content/colour-spaces.ts';
import { ContentInterpreter } from '../content/content-interpreter.ts';
import { ContentOutput } from '../content/content-output.ts';
import type { ContentPosition, ContentVisitor } from '../content/content-visitor.ts';
import { type ColourTarget, type GraphicsState, INITIAL_STATE } from '../content/graphics-state.ts';
import type { PathPainting } from '../content/operators.ts';
import type { PdfDocument } from '../document.ts';
import type { Box } from '../geometry/boxes.ts';
import { inverse, matrixText } from '../geometry/matrix.ts';
import { Dict, name, type Ref } from '../objects.ts';
import type { Operation } from '../syntax/content-reader.ts';
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

/** What is left to do where the area is not to be seen. */
const WITHOUT_FILL: Readonly<Record<string, string>> = lookup({
  f: 'n',
  F: 'n',
  'f*': 'n',
  B: 'S',
  'B*': 'S',
  b: 's',
  'b*': 's',
});
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
  const painter = new Repainter(doc, content, resources, colours, signs);
  const state = { ...INITIAL_STATE, given: NONE_GIVEN };
  new ContentInterpreter<State>(doc, { content: () => content, resources, state }).run(painter);
  return painter.repainted();
}

/** Colours that were written. */
type Given = Readonly<Record<ColourTarget, string>>;

const NONE_GIVEN: Given = { fill: '', stroke: '' };

interface State extends GraphicsState {
  given: Given;
}

type At = ContentPosition<State>;

const isMixed = ({ state: { blendMode } }: At): boolean =>
  blendMode !== 'Normal' && blendMode !== 'Compatible';

class Repainter implements ContentVisitor<State> {
  readonly paths = 'bounds';
  private readonly doc: PdfDocument;
  private readonly colours: TwoColours;
  private readonly signs: boolean;
  private readonly reading: ColourReading;
  private readonly output: ContentOutput;
  private readonly plain: string;
  private usesPlain = false;
  private wasMixed = false;
  /** Where colours go that the current path is painted with: they may not be set within it. */
  private beforePath: number | undefined;

  constructor(doc: PdfDocument, content: Uint8Array, resources: Dict, colours: TwoColours, signs: boolean) {
    this.doc = doc;
    this.colours = colours;
    this.signs = signs;
    this.reading = new ColourReading(doc);
    this.output = new ContentOutput(content);
    const taken = doc.dict(resources.get('ExtGState'));
    let plain = 'Unmixed';
    while (taken?.has(plain)) plain += 'x';
    this.plain = plain;
  }

  repainted(): Repainted {
    const unmixed = Dict.of({ Type: name('ExtGState'), BM: name('Normal') });
    return {
      content: this.output.finish(),
      states: this.usesPlain ? Dict.of({ [this.plain]: unmixed }) : undefined,
    };
  }

  operation({ operator }: Operation, at: At): void {
    if (operator === 'gs') this.wasMixed = isMixed(at);
    // Some readers take a Q too many for the state at the beginning.
    else if (operator === 'Q' && at.savedStates === 0) at.state.given = NONE_GIVEN;
  }

  setColour(_target: ColourTarget, operation: Operation): void {
    this.replace(operation, '');
  }

  /** Mixing with a background of another colour would give colours that nobody asked for. */
  useGraphicsState(_entries: Dict, operation: Operation, at: At): void {
    if (!isMixed(at) && !this.wasMixed) return;
    this.usesPlain = true;
    this.output.copyTo(operation.end);
    this.output.put(` /${this.plain} gs`);
  }

  constructPath({ start }: Operation): void {
    if (this.beforePath !== undefined) return;
    this.output.copyTo(start);
    this.beforePath = this.output.put('');
  }

  showText(_items: unknown, operation: Operation, at: At): void {
    const { renderingMode } = at.state;
    this.output.copyTo(operation.start);
    if (renderingMode !== 3 && renderingMode !== 7)
      this.output.put(this.colour('fill', this.colours.text, at));
    if ([1, 2, 5, 6].includes(renderingMode)) this.output.put(this.colour('stroke', this.colours.text, at));
  }

  paintPath({ fills, strokes }: PathPainting, operation: Operation, at: At): void {
    const { beforePath } = this;
    this.beforePath = undefined;
    if (!fills && !strokes) return;
    const isInk = fills && this.isInk(at);
    const isSeen = !fills || isInk || !isMixed(at);
    let set = '';
    if (fills && isSeen)
      set += this.colour('fill', isInk ? this.colours.text : areaColour(this.colours, this.fillRgb(at)), at);
    if (strokes) set += this.colour('stroke', this.colours.text, at);
    if (beforePath === undefined) {
      this.output.copyTo(operation.start);
      this.output.put(set);
    } else this.output.exchange(beforePath, set);
    // What only tinted what lies below would now hide it.
    if (!isSeen) this.replace(operation, WITHOUT_FILL[operation.operator] ?? 'n');
  }

  /** A sign or a line drawn as an area. */
  private isInk(at: At): boolean {
    if (this.signs) return true;
    const box: Box | undefined = at.path.bounds;
    if (luminance(this.fillRgb(at)) >= DARK || !box) return false;
    const width = box.right - box.left;
    const height = box.top - box.bottom;
    return Math.min(width, height) <= THIN || Math.max(width, height) <= SMALL;
  }

  private fillRgb({ state: { fill } }: At): Rgb {
    const { space, values } = this.reading.of(fill);
    return space && fill.pattern === undefined ? space.rgb(values) : [0.6, 0.6, 0.6];
  }

  /** A gradient becomes an even area: all that the clip lets through. */
  paintShading(_shading: unknown, operation: Operation, at: At): void {
    const back = inverse(at.state.ctm);
    const even = this.colour('fill', areaColour(this.colours, [0.7, 0.7, 0.7]), at);
    const everywhere = back ? `q ${matrixText(back)} cm -20000 -20000 40000 40000 re f Q` : '';
    this.replace(operation, isMixed(at) ? '' : even + everywhere);
  }

  /** Stencils are painted with the colour in force; images have colours of their own. */
  drawImage(_ref: Ref, dict: Dict, operation: Operation, at: At): void {
    if (this.doc.boolean(dict.get('ImageMask') ?? dict.get('IM')) === true) this.paintStencil(operation, at);
  }

  drawInlineImage(dict: Dict, operation: Operation, at: At): void {
    if (this.doc.boolean(dict.get('ImageMask') ?? dict.get('IM')) === true) this.paintStencil(operation, at);
  }

  /** Forms take colours over as they find them. */
  drawForm(_ref: Ref, _dict: Dict, operation: Operation, at: At): void {
    this.paintStencil(operation, at);
  }

  private paintStencil(operation: Operation, at: At): void {
    this.output.copyTo(operation.start);
    const isText = luminance(this.fillRgb(at)) < DARK || this.signs;
    const rgb = isText ? this.colours.text : areaColour(this.colours, this.fillRgb(at));
    this.output.put(this.colour('fill', rgb, at));
  }

  private colour(target: ColourTarget, rgb: Rgb, { state }: At): string {
    const operator = target === 'fill' ? 'rg' : 'RG';
    // Operators may stand next to brackets: blanks keep the new ones apart.
    const set = ` ${rgb.map((value) => formatNumber(Math.round(value * 10_000) / 10_000)).join(' ')} ${operator} `;
    if (state.given[target] === set) return '';
    state.given = { ...state.given, [target]: set };
    return set;
  }

  private replace(operation: Operation, words: string): void {
    this.output.replace(operation, ` ${words} `);
  }
}
