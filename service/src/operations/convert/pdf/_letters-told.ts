// What is told of letters that cannot be trusted: glyphs that nothing in the document says the meaning of, which stand
// as U+FFFD in the text, and glyphs of which two things in it say different letters.

const UNKNOWN_HEADER = 'X-Unknown-Letters';
const DOUBTFUL_HEADER = 'X-Doubtful-Letters';

export const LETTERS_TOLD = {
  [UNKNOWN_HEADER]:
    'How many letters of the text are U+FFFD: neither ToUnicode nor the encoding of the font says what these glyphs ' +
    'mean. Absent where there are none; text recognition (misc/ocr-pdf) reads such pages by their looks',
  [DOUBTFUL_HEADER]:
    'How many letters of the pages are told as one letter by the ToUnicode map of their font and as another by the ' +
    'names of its glyphs (the map was followed, in the formula fonts of TeX the names), or are of a font that has no ' +
    'map and shows its glyphs by their numbers, which were taken for letters. Absent where there are none; text ' +
    'recognition reads such pages by their looks',
};

const UNKNOWN = Buffer.from('\ufffd');

/** For the result of a text in UTF-8. */
export function lettersTold(text: Buffer, doubtful: number): Record<string, string> {
  let unknown = 0;
  for (let at = text.indexOf(UNKNOWN); at >= 0; at = text.indexOf(UNKNOWN, at + UNKNOWN.length)) unknown += 1;
  return {
    ...(unknown > 0 ? { [UNKNOWN_HEADER]: String(unknown) } : {}),
    ...(doubtful > 0 ? { [DOUBTFUL_HEADER]: String(doubtful) } : {}),
  };
}
