// The graphics state: what is in force where an operation of a content stream stands (ISO 32000-1, 8.4).

import type { MeasuredFont } from '../fonts/glyph-widths.ts';
import type { Box } from '../geometry/boxes.ts';
import { IDENTITY, type Matrix } from '../geometry/matrix.ts';
import { name, type PdfValue } from '../objects.ts';
import { INITIAL_TEXT, type TextState } from './text-state.ts';

/** A colour as content sets it. */
export interface Colour {
  /** A name that is no resource's, or what the resources hold under it; undefined: they hold nothing. */
  space: PdfValue | undefined;
  /** Undefined: those that a space begins with. */
  components: readonly number[] | undefined;
  pattern: { name: string; value: PdfValue | undefined } | undefined;
}

export type ColourTarget = 'fill' | 'stroke';

/** What q saves and Q restores. Its values are exchanged, never changed within: a copy of the whole is flat. */
export interface GraphicsState<F extends MeasuredFont = MeasuredFont> {
  ctm: Matrix;
  text: TextState<F>;
  /** The font as the resources hold it, and the name that chose it. */
  font: PdfValue | undefined;
  fontName: string;
  renderingMode: number;
  lineWidth: number;
  fill: Colour;
  stroke: Colour;
  /** The first of those wanted. */
  blendMode: string;
  overprint: { fill: boolean; stroke: boolean; mode: number };
  /** Around all that can be seen: the boxes of forms, and paths where a visitor follows these. */
  clip: Box;
}

const BLACK: Colour = { space: name('DeviceGray'), components: undefined, pattern: undefined };

export const INITIAL_STATE: GraphicsState = {
  ctm: IDENTITY,
  text: INITIAL_TEXT,
  font: undefined,
  fontName: '',
  renderingMode: 0,
  lineWidth: 1,
  fill: BLACK,
  stroke: BLACK,
  blendMode: 'Normal',
  overprint: { fill: false, stroke: false, mode: 0 },
  clip: { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 },
};

/** From this text rendering mode on text is added to the clip. */
export const CLIPPING_MODE = 4;
