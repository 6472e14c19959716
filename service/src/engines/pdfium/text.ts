// What stands on a page as text.
import type { Library, Pointer } from './library.ts';
import { CHAR, CHAR_WORDS, HYPHEN_AT_LINE_END } from './page-items/pdfium-memory.ts';
import {
  isReadAsMapped,
  type LetterSource,
  type RepairedChars,
  readChars,
} from './page-items/to-unicode-repairs.ts';

const utf16 = new TextDecoder('utf-16le');

/**
 * The Unicode text of a loaded page. Lines end with \n; a word broken at the end of a line keeps its hyphen
 * and its break, as it stands on the page. One call whatever the length, unless PDFium misreads a font.
 */
export function readPageText(library: Library, page: Pointer, source: LetterSource): string {
  const { native } = library;
  const text = native.FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = native.FPDFText_CountChars(text);
    if (count <= 0) return '';
    source.glyphCache.makeRoom();
    if (isReadAsMapped(library, source, text, count)) return asPrinted(readCharacters(library, text, count));
    const chars = readChars(library, source, text, count);
    return asPrinted(chars.from ? textOf(chars) : readCharacters(library, text, count));
  } finally {
    native.FPDFText_ClosePage(text);
  }
}

function readCharacters(library: Library, text: Pointer, characters: number): string {
  // A character outside the basic plane takes two units, and one more unit ends the text.
  using buffer = library.borrow((characters * 2 + 1) * 2);
  const units = library.native.FPDFText_GetText(text, 0, characters, buffer.at);
  return utf16.decode(library.heap().subarray(buffer.at, buffer.at + Math.max(0, units - 1) * 2));
}

/** As PDFium would: without what says nothing. */
function textOf({ u, count }: RepairedChars): string {
  let text = '';
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS) {
    const code = u[at + CHAR.unicode] as number;
    if (((u[at + CHAR.kind] as number) & 0xff) === HYPHEN_AT_LINE_END) text += '\ufffe';
    else if (!saysNothing(code)) text += String.fromCodePoint(code);
  }
  return text.toWellFormed();
}

const saysNothing = (code: number): boolean =>
  code === 0 || code === 2 || code === 3 || (code >= 0x93 && code <= 0x98) || code === 0xfffe;

/** PDFium writes U+FFFE for "hyphen, line end, and the word goes on". */
const asPrinted = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\ufffe', '-\n');
