// Formulas in the flow of a page: each is one word, which stands where its letters stood; one whose layout is not
// known is a picture.
import type { Figure, Paragraph } from '../model.ts';
import type { Word } from '../words/word.ts';
import type { PlacedFormula } from './page-formulas.ts';

/** The words, with each of these formulas in the place of its own. */
export function withFormulas(words: readonly Word[], formulas: readonly PlacedFormula[]): Word[] {
  if (formulas.length === 0) return [...words];
  const used = new Set(formulas.flatMap((formula) => formula.words));
  return [...words.filter((word) => !used.has(word)), ...formulas.flatMap(formulaWords)].sort(
    (a, b) => a.order - b.order,
  );
}

export const withoutFormulas = (words: readonly Word[], formulas: readonly PlacedFormula[]): Word[] => {
  const used = new Set(formulas.flatMap((formula) => formula.words));
  return words.filter((word) => !used.has(word));
};

function formulaWords({ formula, text, box, baseline, words, tail = '' }: PlacedFormula): Word[] {
  const first = words.reduce((a, b) => (b.order < a.order ? b : a));
  const largest = words.reduce((a, b) => (b.style.size > a.style.size ? b : a));
  const word: Word = {
    ...first,
    text,
    // As high as its letters are: its line is not to be taken for a taller one.
    box: { ...box, y: baseline - largest.style.size * 0.75, height: largest.style.size },
    baseline,
    style: { ...largest.style, italic: false },
  };
  const whole = formula ? { ...word, formula } : word;
  if (tail === '') return [whole];
  const right = Math.max(...words.map((own) => own.box.x + own.box.width));
  const end = { ...word.box, x: right - largest.style.size * 0.2, width: largest.style.size * 0.2 };
  return [whole, { ...word, text: tail, box: end, glued: true, spaced: false, order: word.order + 0.5 }];
}

/** A formula on lines of its own, as a block. */
export function formulaBlock(placed: PlacedFormula, page: number): Paragraph {
  const { formula, text, box, words } = placed;
  const largest = words.find((word) => /^[\p{L}\p{N}]/u.test(word.text)) ?? words[0];
  const style = {
    ...(largest?.style ?? { font: '', size: 10, bold: false, monospace: false, color: '#000000' }),
    italic: false,
  };
  const run = { text, style, ...(formula ? { formula } : {}) };
  return {
    kind: 'paragraph',
    page,
    box,
    runs: [run],
    lines: [{ runs: [{ ...run }], box, turn: 0, direction: 'ltr' }],
    align: 'center',
    direction: 'ltr',
    firstLineIndent: 0,
    indent: 0,
    spaceBefore: 0,
  };
}

export const formulaFigure = (
  { text, box }: PlacedFormula,
  page: number,
  image: Figure['image'],
): Figure => ({ kind: 'figure', page, box, image, alternative: text, labels: [text] });
