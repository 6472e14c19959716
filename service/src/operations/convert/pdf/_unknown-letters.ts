// What is told of glyphs that nothing in the document says the meaning of: they stand as U+FFFD in the text.

const HEADER = 'X-Unknown-Letters';

export const UNKNOWN_LETTERS_HEADER = {
  [HEADER]:
    'How many letters of the text are U+FFFD: neither ToUnicode nor the encoding of the font says what these glyphs ' +
    'mean. Absent where there are none; text recognition (misc/ocr-pdf) reads such pages by their looks',
};

const UNKNOWN = Buffer.from('\ufffd');

/** For the result of a text in UTF-8. */
export function unknownLettersHeaders(text: Buffer): Record<string, string> {
  let count = 0;
  for (let at = text.indexOf(UNKNOWN); at >= 0; at = text.indexOf(UNKNOWN, at + UNKNOWN.length)) count += 1;
  return count > 0 ? { [HEADER]: String(count) } : {};
}
