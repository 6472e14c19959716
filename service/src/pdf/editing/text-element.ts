// Text on a page as an editor sees it.
import type { TextState } from '../content/text-state.ts';
import type { Matrix } from '../geometry/matrix.ts';
import type { PdfValue } from '../objects.ts';
import type { ElementColour } from './element-colours.ts';

export interface TextElement {
  text: string;
  /** The font as the resources name it, and the object behind the name. */
  fontName: string;
  font: PdfValue | undefined;
  state: TextState;
  /** The string's first glyph: text space (the font's size not in it) to the page. */
  matrix: Matrix;
  width: number;
  height: number;
  /** The font's size as it stands on the page. */
  seenSize: number;
  spaceWidth: number | undefined;
  fill: ElementColour;
  stroke: ElementColour;
  mode: number;
  codes: number[];
  /** Some code has no known character. */
  isGuessed: boolean;
  zOrder: number;
}
