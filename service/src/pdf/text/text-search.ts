// Finding a phrase in the text of a page.

/** Case counts. The end of a line is as good as a blank; ligatures are the letters they stand for. */
export const containsText = (page: string, phrase: string): boolean =>
  page.includes(phrase) || asRead(page).includes(asRead(phrase));

const LIGATURES: Record<string, string> = {
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
  '\ufb05': 'st',
  '\ufb06': 'st',
};

/** Scripts that are written without blanks: a line may end anywhere. */
const BROKEN_ANYWHERE =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])\s+(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/gu;

/** Text as a reader takes it in, whatever the extraction made of its blanks and glyphs. */
const asRead = (text: string): string =>
  text
    .replace(/[\ufb00-\ufb06]/g, (ligature) => LIGATURES[ligature] ?? ligature)
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(BROKEN_ANYWHERE, '')
    .replace(/\s+/g, ' ');
