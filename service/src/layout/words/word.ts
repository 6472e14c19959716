// A word of a page: its text, where it stands and how it looks.
import type { Formula } from '../formulas/formula.ts';
import type { Box, TextStyle } from '../model.ts';

export interface Word {
  /** In logical order; never empty, without spaces. */
  text: string;
  /** From the height of capital letters to the depth of descenders, and as wide as it was set. */
  box: Box;
  /** y of the line it stands on (x, where the writing is turned a quarter). */
  baseline: number;
  /** Shared by all words of one look: may be compared by ===. */
  style: TextStyle;
  /** Degrees clockwise: 0 for nearly all, else rounded to whole degrees. */
  turn: number;
  /** Goes on from the word before it, without a space: only the style changed, or the writing was raised. */
  glued: boolean;
  /** A space was drawn before it. */
  spaced: boolean;
  direction: 'ltr' | 'rtl';
  /** Written downwards, as Chinese and Japanese may be: its turn is 90 then, though its characters stand upright. */
  vertical: boolean;
  /** The marked content it belongs to, by which tags know it; -1 where there is none. */
  markedContent: number;
  /** Recognised text of a scan: there, but not drawn. */
  hidden: boolean;
  /** Its place in the order of the page's content. */
  order: number;
  /** Its letters with their marks from left to right, where it has right-to-left writing. */
  visual?: readonly string[];
  /** What it is, where a formula stands for its words. */
  formula?: Formula;
}
