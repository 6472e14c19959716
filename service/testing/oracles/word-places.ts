// Where words stand on pages, by what poppler says of them: whether a conversion and back left them in their places.
//
import { pdfinfo, pdftotext } from './programs.ts';

interface PlacedWord {
  text: string;
  x: number;
  y: number;
}

export interface WordPlaces {
  /** Words of the original. */
  words: number;
  /** How many of them stand on the page at all, each as often as it stood there. */
  found: number;
  /** How many stand where they stood. */
  inPlace: number;
}

/** How far the beginning of a word may have moved, in points. */
const NEAR = 6;

/** `page` counts from 1. A page that came out in another size is compared by its proportions. */
export function comparePlaces(original: Uint8Array, printed: Uint8Array, page: number): WordPlaces {
  const [before, after] = [wordsOn(original, page), wordsOn(printed, page)];
  const scale = after.side > 0 ? before.side / after.side : 1;
  const left = new Map<string, PlacedWord[]>();
  for (const word of after.words) left.set(word.text, [...(left.get(word.text) ?? []), word]);
  let [found, inPlace] = [0, 0];
  for (const { text, x, y } of before.words) {
    const alike = left.get(text) ?? [];
    const distance = (word: PlacedWord): number => Math.hypot(word.x * scale - x, word.y * scale - y);
    const nearest = alike.reduce<PlacedWord | undefined>(
      (best, word) => (!best || distance(word) < distance(best) ? word : best),
      undefined,
    );
    if (!nearest) continue;
    alike.splice(alike.indexOf(nearest), 1);
    found += 1;
    if (distance(nearest) <= NEAR) inPlace += 1;
  }
  return { words: before.words.length, found, inPlace };
}

/** Words by the lower left corners of their boxes: how high letters reach depends on the font. */
function wordsOn(pdf: Uint8Array, page: number): { side: number; words: PlacedWord[] } {
  const told = pdftotext(pdf, '-bbox', '-cropbox', '-f', String(page), '-l', String(page));
  const words = [
    ...told.matchAll(/<word xMin="([-\d.]+)" yMin="[-\d.]+" xMax="[-\d.]+" yMax="([-\d.]+)">(.*?)<\/word>/g),
  ].map(([, x, y, text = '']) => ({
    text: text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, ''),
    x: Number(x),
    y: Number(y),
  }));
  return {
    // Of turned pages poppler tells the sides as they were before.
    side: Math.max(
      ...[...told.matchAll(/ (?:width|height)="([\d.]+)"/g)].map(([, length]) => Number(length)),
      0,
    ),
    words: words.filter(({ text }) => text !== ''),
  };
}

export const pageCount = (pdf: Uint8Array): number => Number(pdfinfo(pdf).Pages);
