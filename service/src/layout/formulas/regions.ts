// Where formulas stand on a page, before they are read.
import type { DrawnPage, Rule } from '../../contract/page-items.ts';
import type { Word } from '../words/word.ts';
import type { MathWords } from './math-words.ts';

export interface FormulaSource {
  drawn: DrawnPage;
  rules: readonly Rule[];
  math: MathWords;
}

/** Words that are to be read as one formula, with the bars among them. */
export interface FormulaRegion {
  words: Word[];
  rules: Rule[];
  number?: Word[];
}
