// Fonts that Ghostscript wrote: some of its versions swap the bytes where a glyph reads as several letters.
import type { PdfDocument } from '../document.ts';
import { writeToUnicode } from '../fonts/cmap-writer.ts';
import { toUnicodeOf } from '../fonts/to-unicode.ts';
import { Dict, Ref, Stream } from '../objects.ts';

/** Several characters, each a Latin letter with its bytes swapped. */
const SWAPPED = /^[\u2000\u2100-\u7e00]{2,}$/;

export function repairToUnicode(doc: PdfDocument): void {
  for (const ref of doc.allRefs()) {
    const font = doc.get(ref);
    if (!(font instanceof Dict)) continue;
    const held = font.get('ToUnicode');
    if (!(held instanceof Ref) || !(doc.get(held) instanceof Stream)) continue;
    const map = toUnicodeOf(doc, held)?.all();
    if (!map || ![...map.values()].some(isSwapped)) continue;
    const length = doc.name(font.get('Subtype')) === 'Type0' ? 2 : 1;
    const codes = [...map].map(([code, text]) => ({
      code,
      length,
      text: isSwapped(text) ? swapped(text) : text,
    }));
    doc.replaceStreamData(held, writeToUnicode(codes));
  }
}

const isSwapped = (text: string): boolean =>
  SWAPPED.test(text) && [...text].every((character) => (character.charCodeAt(0) & 0xff) === 0);

const swapped = (text: string): string =>
  Array.from(text, (character) => String.fromCharCode(character.charCodeAt(0) >> 8)).join('');
