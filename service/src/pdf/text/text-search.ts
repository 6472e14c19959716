// Finding a phrase in the text of a page.

/** Case counts. The end of a line is as good as a blank; ligatures are the letters they stand for. */
export const containsText = (page: string, phrase: string): boolean =>
  page.includes(phrase) || asRead(page).includes(asRead(phrase)) || containsSetWide(page, asRead(phrase));

/**
 * Whether another reading of the page may have the phrase where this one has not: it differs in blanks alone, or has
 * signs above and below letters, which readers put in the wrong place, or take for words of their own.
 */
export function mayContainText(page: string, phrase: string): boolean {
  const [text, wanted] = [page, phrase].map((each) => asRead(each).replaceAll(' ', '')) as [string, string];
  if (text.includes(wanted)) return true;
  return /\p{M}/u.test(wanted) && [...new Set(wanted)].every((character) => text.includes(character));
}

/** Other forms of the same letters: radicals of ideographs, ligatures, Arabic letters by their place in words. */
const OTHER_FORMS = /[\u2f00-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]/g;

/** Scripts that are written without blanks: a line may end anywhere. */
const BROKEN_ANYWHERE =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\s+(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu;

/** Text as a reader takes it in, whatever the extraction made of its blanks and glyphs. */
const asRead = (text: string): string =>
  text
    .replace(OTHER_FORMS, (form) => form.normalize('NFKC'))
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(BROKEN_ANYWHERE, '')
    .replace(/\s+/g, ' ');

/** Three and more single letters in a row are a word set wide; more than a blank parts it from the next. */
const SET_WIDE = /(?<!\S)\p{L}\p{M}*(?: \p{L}\p{M}*){2,}(?!\S)/gu;

/** Among words set wide, or across them. Where such a word ends need not be told by what the page says. */
function containsSetWide(page: string, phrase: string): boolean {
  const wide: string[] = [];
  const joined = page.replace(SET_WIDE, (letters) => {
    const word = letters.replaceAll(' ', '');
    wide.push(asRead(word));
    return word;
  });
  if (wide.length === 0) return false;
  const unparted = phrase.replaceAll(' ', '');
  return asRead(joined).includes(phrase) || (unparted !== '' && wide.some((word) => word.includes(unparted)));
}
