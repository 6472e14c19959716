// Quotation marks in right-to-left text. PDFium takes each for the other of its pair there, as is right for brackets;
// these are never mirrored (Unicode, Bidi_Mirrored): what the font says of their codes counts.
import type { Pointer } from '../library.ts';
import { CHAR, CHAR_WORDS, type CharRecords } from './pdfium-memory.ts';
import { NO_CODE } from './text-run.ts';

const isQuote = (letter: number): boolean =>
  letter === 0x2018 || letter === 0x2019 || letter === 0x201c || letter === 0x201d;
const isRightToLeft = (letter: number): boolean =>
  (letter >= 0x590 && letter <= 0x8ff) || (letter >= 0xfb1d && letter <= 0xfefc);

export function restoreQuotes(
  { u, count }: CharRecords & { count: number },
  textOf: (object: Pointer, code: number) => string | undefined,
): void {
  const quotes: number[] = [];
  let hasRightToLeft = false;
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS) {
    const letter = u[at + CHAR.unicode] as number;
    if (letter < 0x590) continue;
    if (isQuote(letter)) quotes.push(at);
    else if (isRightToLeft(letter)) hasRightToLeft = true;
  }
  if (!hasRightToLeft) return;
  for (const at of quotes) {
    const [object, code] = [u[at + CHAR.object] as Pointer, u[at + CHAR.code] as number];
    const said = object === 0 || code === NO_CODE ? undefined : textOf(object, code)?.codePointAt(0);
    if (said !== undefined && isQuote(said)) u[at + CHAR.unicode] = said;
  }
}
