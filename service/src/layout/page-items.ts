// What stands on one page, as plain data: words, lines, areas, pictures and links. The first step of reading a
// page back; tables and blocks are found in this.
//
//   const marks = readPageMarks(document.drawing(index));     // `engine.pdfium.open(file)` is such a document
//   marks.words   every visible word once, in the order of the page's content, places as displayed
//   marks.rules   straight lines along an axis (stroked, or thin filled areas); marks.fills: areas of one colour
//
// A word is written in one style: where the style changes within a word ("H₂O"), its further pieces are `glued`.
// Recognised text of a scan (drawn invisibly) is here like any other, unless the same place has visible text.
import type { DrawnPicture, Fill, PageDrawing, PageLink, Rule } from '../contract/page-items.ts';
import type { Box } from './model.ts';
import { withAccents } from './words/accents.ts';
import { readWords } from './words/glyph-words.ts';
import { withoutSpacing } from './words/letterspaced-words.ts';
import { markUnderlined } from './words/underlines.ts';
import { visibleOnce } from './words/visible-glyphs.ts';
import { withPoints } from './words/vowel-points.ts';
import type { Word } from './words/word.ts';
import { wordsOnce } from './words/words-once.ts';

export type { DrawnPicture, Fill, PageDrawing, PageLink, Rule } from '../contract/page-items.ts';

export interface PageMarks {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  words: Word[];
  rules: Rule[];
  fills: Fill[];
  /** Curves and slanted lines, each as the box around it. */
  curves: Box[];
  pictures: DrawnPicture[];
  links: PageLink[];
  /** There was more on the page than is told here: a map, a technical drawing. */
  truncated: boolean;
}

export function readPageMarks(drawing: PageDrawing): PageMarks {
  const { glyphs: _, ...rest } = drawing;
  const words = readPageWords(drawing);
  markUnderlined(words, drawing.rules);
  return { ...rest, words };
}

/** The words of a page, or of some of its glyphs. */
export const readPageWords = (drawing: PageDrawing, among?: Uint32Array): Word[] =>
  wordsOnce(withoutSpacing(readWords(withPoints(withAccents(visibleOnce(drawing.glyphs, drawing, among))))));
