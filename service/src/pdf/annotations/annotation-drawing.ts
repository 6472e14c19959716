// What the drawings of annotations are made of.
import type { PdfDocument } from '../document.ts';
import type { Box } from '../geometry/boxes.ts';
import type { Dict, PdfValue } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

export interface Drawing {
  operators: string;
  fonts?: Dict;
  /** Highlighting lets what is below shine through. */
  multiply?: boolean;
  /** How far it reaches, where that may be beyond the annotation's rectangle. */
  reach?: Box;
}

export type Numbers = readonly number[];
/** Points beyond these are not read. */
const MAX_NUMBERS = 100_000;

export function numbersOf(doc: PdfDocument, value: PdfValue | undefined): number[] {
  const numbers = (doc.array(value) ?? []).slice(0, MAX_NUMBERS).map((each) => doc.number(each) ?? 0);
  return numbers.slice(0, numbers.length & ~1);
}

export const path = (numbers: Numbers): string =>
  numbers
    .map((number, at) =>
      at % 2 === 0 ? formatNumber(number) : `${formatNumber(number)} ${at === 1 ? 'm' : 'l'}`,
    )
    .join(' ');
