// What is drawn in formulas: glyphs with what they mean, and rules.
import type { Glyphs, Rule } from '../../contract/page-items.ts';
import { isSpace } from '../words/visible-glyphs.ts';
import { type Face, type MathNode, Unclear } from './formula.ts';
import { faceOf } from './math-letters.ts';

export interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A part of a formula that is built so far. */
export interface Element extends Extent {
  node: MathNode;
  /** Of the letters of its main line. */
  size: number;
  /** y of the line it stands on; of what is centred on the axis of its line (bars, tall delimiters), that axis. */
  level: number;
  centred: boolean;
  /** What it is, where it is one character. */
  text: string;
  /** Where it begins and ends for what stands beside it: with the room its font leaves around letters. */
  begin: number;
  end: number;
  /** From a font of signs that grow with what they hold. */
  grows: boolean;
}

/** A level line: the bar of a fraction, of a root, over or under letters. */
export interface Bar {
  left: number;
  right: number;
  y: number;
}

/** How far the axis of a line is above it, in parts of the size: fractions and signs of relations stand around it. */
export const AXIS = 0.25;

const CENTRED = /^[∑∏∐∫∬∭∮⋃⋂⋀⋁⨀⨁⨂⨄⨆⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟⎷⎺√]$/;
/** Delimiters grow by glyphs of other fonts; taller than this part of the size they stand around the axis. */
const DELIMITER = /^[()[\]{}⟨⟩⌊⌋⌈⌉|∥‖/\\]$/;
const TALL = 1.15;

export function readElement(glyphs: Glyphs, i: number): Element | undefined {
  const [left, top, right, bottom] = glyphs.ink.subarray(i * 4, i * 4 + 4) as unknown as number[];
  const code = glyphs.codes[i] as number;
  const look = glyphs.looks[glyphs.lookOf[i] as number];
  const size = glyphs.sizes[i] as number;
  if (!look || left === undefined || top === undefined || right === undefined || bottom === undefined)
    return undefined;
  if (isSpace(code) && right - left < size * 0.02) return undefined;
  const { text, face } = faceOf(code, look);
  if (text === '') throw new Unclear('a glyph without a meaning');
  const height = bottom - top;
  const grows = GROWING_FONT.test(look.font);
  const centred = CENTRED.test(text) || (DELIMITER.test(text) && (grows || height > size * TALL));
  const [x, y] = [glyphs.origins[i * 2] as number, glyphs.origins[i * 2 + 1] as number];
  return {
    left,
    top,
    right,
    bottom,
    size,
    text,
    grows,
    begin: Math.min(left, x),
    end: Math.max(right, x + (glyphs.advances[i] as number)),
    centred,
    level: centred ? (top + bottom) / 2 : y,
    node: { kind: 'sign', text, face },
  };
}

const GROWING_FONT = /^(?:cmex|lmmathextension|stixsiz|mtextra|mt-?extra)/i;

export const readBar = ({ from, to, at }: Rule): Bar => ({ left: from, right: to, y: at });

export const isSign = (element: Element, text: string): boolean => element.text === text;

export const widthOf = ({ left, right }: Extent): number => right - left;
export const middleOf = ({ left, right }: Extent): number => (left + right) / 2;
export const centreOf = ({ top, bottom }: Extent): number => (top + bottom) / 2;

export function around(parts: readonly Extent[]): Extent {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    left = Math.min(left, part.left);
    top = Math.min(top, part.top);
    right = Math.max(right, part.right);
    bottom = Math.max(bottom, part.bottom);
  }
  return { left, top, right, bottom };
}

export const sign = (text: string, face: Face = 'upright'): MathNode => ({ kind: 'sign', text, face });

/** What is built anew of several. */
export const built = (
  node: MathNode,
  extent: Extent,
  place: Pick<Element, 'size' | 'level' | 'centred'> & Partial<Pick<Element, 'begin' | 'end'>>,
): Element => ({
  ...extent,
  size: place.size,
  level: place.level,
  centred: place.centred,
  begin: place.begin ?? extent.left,
  end: place.end ?? extent.right,
  node,
  text: '',
  grows: false,
});
