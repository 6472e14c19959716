// Letters that nothing in a document says the meaning of stand as U+FFFD in its text. Whoever looks for a text there must
// not take them for something else: they may be any letter.

const UNKNOWN = '\ufffd';
/** Of a longer text only so much is compared: if that may stand there, the whole may. */
const MAX_COMPARED = 64;
/** What an expression may find among unknown letters cannot be told: so many in a row may be a word. */
const UNKNOWN_WORD = /\ufffd(?:\s*\ufffd){2}/;

export const hasUnknownLetters = (text: string): boolean => text.includes(UNKNOWN);
export const hasUnknownWord = (text: string): boolean => UNKNOWN_WORD.test(text);

/** Whether a text that is not found may yet stand on a page, in part or wholly of unknown letters. */
export function mayStandAmongUnknown(page: string, phrase: string): boolean {
  if (!hasUnknownLetters(page)) return false;
  const letters = Array.from(phrase.replace(/\s+/gu, '')).slice(0, MAX_COMPARED);
  if (letters.length === 0) return false;
  const each = letters.map((letter) => `[${letter.replace(/[\\\]^-]/g, '\\$&')}${UNKNOWN}]`);
  for (const [match] of page.matchAll(new RegExp(each.join('\\s*'), 'gu')))
    if (hasUnknownLetters(match)) return true;
  return false;
}
