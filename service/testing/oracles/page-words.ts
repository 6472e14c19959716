// How much of a page's text came through a conversion and back, and in which order, by what poppler reads of both.
//
//
// There is no one order of a page. pdftotext has two opinions, that of drawing (-raw) and one of its own, and in tables
// both may go down the columns, or by rows on one page and by columns on the next if a cell has become a little wider.
// So the original is read both ways, and a page of short pieces, as tables and forms are, by its rows (-layout) too.
// Running text is never read by rows: text taken across columns is out of order. The page printed from the converted
// document is read by the order of drawing alone, for an office program draws text as it follows in the document. A
// page is in order so far as it agrees with one of the readings of the original.
import { pdftotext } from './programs.ts';

export interface PageWords {
  /** Words of the original. */
  words: number;
  /** How many of them stand on the page, each as often as it stood there. */
  found: number;
  /** How many follow one another as they did. */
  inOrder: number;
}

/** Ideographs, kana and Hangul are broken anywhere and written with or without space to what is beside them. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|\p{N}+/gu;

/**
 * Letters and digits only, marks and case apart. Hyphens go, at line ends and within lines, for it depends on the line
 * whether a reader takes "line-ends" for one word or two.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      .normalize('NFC')
      .replace(/(?<=\p{L})[-\u00ad\u2010\u2011]\s*(?=\p{L})/gu, '')
      .match(SIGN) ?? []
  );
}

/** `page` counts from 1; the printed document may have ended before it. */
export function comparePage(original: Uint8Array, printed: Uint8Array | undefined, page: number): PageWords {
  // Only what is seen of a page: printers' marks beside it are no part of it.
  const where = ['-cropbox', '-f', String(page), '-l', String(page)];
  const read = (pdf: Uint8Array, ...how: string[]): string[] => wordsOf(pdftotext(pdf, ...how, ...where));
  const ours = printed ? read(printed, '-raw') : [];
  const rows = pdftotext(original, '-layout', ...where);
  const orders = [read(original), read(original, '-raw'), ...(isOfRows(rows) ? [wordsOf(rows)] : [])];
  const readings = orders.map((words) => ({
    words: words.length,
    found: common(words, ours),
    inOrder: longestCommon(words, ours),
  }));
  const share = ({ words, inOrder }: PageWords): number => inOrder / Math.max(1, words);
  return readings.reduce((best, other) => (share(other) > share(best) ? other : best));
}

/** Pieces of running text beside each other have more words than cells have, as a rule. */
const SHORT = 3;
const MOST = 0.75;

/** Whether what stands side by side on a page is short nearly everywhere. */
function isOfRows(layout: string): boolean {
  const rows = layout
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/))
    .filter((pieces) => pieces.length > 1);
  const short = rows.filter(
    (pieces) => pieces.reduce((sum, piece) => sum + piece.split(' ').length, 0) <= SHORT * pieces.length,
  );
  return rows.length > 1 && short.length >= rows.length * MOST;
}

function common(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const times = left.get(word) ?? 0;
    left.set(word, times - 1);
    return times > 0;
  }).length;
}

/** The longest common subsequence, by its length. */
function longestCommon(words: readonly string[], others: readonly string[]): number {
  let row = new Uint32Array(others.length + 1);
  for (const word of words) {
    const next = new Uint32Array(others.length + 1);
    for (let i = 0; i < others.length; i += 1)
      next[i + 1] = others[i] === word ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0);
    row = next;
  }
  return row[others.length] ?? 0;
}
