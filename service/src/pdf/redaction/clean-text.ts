// Texts without what is to be redacted.
import { spelledTexts } from './escaped-text.ts';
import type { Terms } from './terms.ts';

/** What stands in the place of a term. */
export const MARK = '\u2588';
const ATTEMPTS = 5;

/** Dates are written anew with every save: digits in them are no secret. */
const DATE = /^(?:D:)?\d{4}(?:-?\d{2}(?:-?\d{2})?)?(?:T?[\d:.]*)?(?:Z|[+-]\d{2}[':]?\d{2}'?)?$/;

/** Undefined where the text holds no term. */
export function cleanText(text: string, terms: Terms): string | undefined {
  if (text === '' || (DATE.test(text.trim()) && text.trim().length >= 8)) return undefined;
  if (!terms.isIn(text)) return cleanSpelled(text, terms);
  for (const mark of [MARK, '']) {
    let left = text;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = terms.find(left);
      if (found.length === 0) return cleanSpelled(left, terms) ?? left;
      left = without(left, found, mark);
    }
  }
  return '';
}

/** The same for what escapes in the text spell. */
function cleanSpelled(text: string, terms: Terms): string | undefined {
  let left = text;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const spelled = spelledTexts(left).find((each) => terms.isIn(each.text));
    if (!spelled) return attempt === 0 ? undefined : left;
    left = spelled.redo(without(spelled.text, terms.find(spelled.text), MARK));
  }
  return '';
}

function without(text: string, places: readonly { start: number; end: number }[], mark: string): string {
  const sorted = [...places].sort((a, b) => a.start - b.start);
  let made = '';
  let at = 0;
  for (const { start, end } of sorted) {
    if (end <= at) continue;
    if (start >= at) made += text.slice(at, start) + mark;
    at = end;
  }
  return (made + text.slice(at)).toWellFormed();
}
