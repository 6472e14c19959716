// What stands on one page, as plain data: words, lines, areas, images and links. The first step of reading a
// page back; tables and blocks are found in this.
//
//   const items = readPageItems(document.readPage(index));     // `engine.pdfium.open(file)` is such a document
//   items.words   every visible word once, in the order of the page's content, places as displayed
//   items.rules   straight lines along an axis (stroked, or thin filled areas); items.fills: areas of one colour
//
// A word is written in one style: where the style changes within a word ("H₂O"), its further pieces are `glued`.
// Recognised text of a scan (drawn invisibly) is here like any other, unless the same place has visible text.
import type { DrawnImage, DrawnPage, Fill, PageLink, Rule } from '../contract/page-items.ts';
import type { Box } from './model.ts';
import { attachAccents } from './words/accents.ts';
import { withSeenSizes } from './words/glyph-styles.ts';
import { readWords } from './words/glyph-words.ts';
import { joinLetterspaced } from './words/letterspaced-words.ts';
import { moveStrayMarks } from './words/marks.ts';
import { markUnderlined } from './words/underlines.ts';
import { findVisibleGlyphs } from './words/visible-glyphs.ts';
import { attachVowelPoints } from './words/vowel-points.ts';
import type { Word } from './words/word.ts';
import { dropRepeatedWords } from './words/words-once.ts';

export type { DrawnImage, DrawnPage, Fill, PageLink, Rule } from '../contract/page-items.ts';

export interface PageItems {
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  words: Word[];
  rules: Rule[];
  fills: Fill[];
  /** Curves and slanted lines, each as the box around it. */
  curves: Box[];
  images: DrawnImage[];
  links: PageLink[];
  /** There was more on the page than is told here: a map, a technical drawing. */
  truncated: boolean;
}

export function readPageItems(drawn: DrawnPage): PageItems {
  const { glyphs: _, ...rest } = drawn;
  const words = readPageWords(drawn);
  markUnderlined(words, drawn.rules);
  return { ...rest, words };
}

/** The words of a page, or of some of its glyphs. */
export const readPageWords = (drawn: DrawnPage, among?: Uint32Array): Word[] =>
  dropRepeatedWords(
    joinLetterspaced(
      readWords(
        moveStrayMarks(
          attachVowelPoints(attachAccents(findVisibleGlyphs(withSeenSizes(drawn.glyphs), drawn, among))),
        ),
      ),
    ),
  );
