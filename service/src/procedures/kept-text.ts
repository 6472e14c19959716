// Whether a document that was made from another still reads the same.
import type { InputFile } from '../contract/files.ts';
import { Problem } from '../contract/problems.ts';
import type { Pdfium } from '../engines/pdfium/pdfium.ts';

/** Text of every page; undefined where nobody can read the document. */
export type Reading = readonly string[] | undefined;

/** Blanks depend on the widths of letters; signs without a meaning say nothing. */
const WITHOUT_MEANING = /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\ufffd]+/gu;

/** Some take the letter Delta for the sign of a difference; other such signs are letters by NFKC. */
export function readingOf(pdfium: Pdfium, file: InputFile, onPage = () => {}): Reading {
  try {
    using view = pdfium.open(file);
    return Array.from({ length: view.pageCount }, (_, index) => {
      const text = view.pageText(index).normalize('NFKC').replaceAll('∆', 'Δ').replace(WITHOUT_MEANING, '');
      onPage();
      return text;
    });
  } catch (error) {
    if (error instanceof Problem && error.reason === 'invalid_pdf') return undefined;
    throw error;
  }
}

/** Every page from which a character is gone. More may be there: appearances that became part of the page. */
export function lostText(before: Reading, after: Reading): number[] {
  if (!before) return [];
  return before.flatMap((text, index) => (holdsAll(after?.[index] ?? '', text) ? [] : [index + 1]));
}

function holdsAll(text: string, wanted: string): boolean {
  if (text === wanted) return true;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  for (const character of wanted) {
    const left = counts.get(character) ?? 0;
    if (left === 0) return false;
    counts.set(character, left - 1);
  }
  return true;
}
