// What `pdftotext -bbox` prints: pages, and words with their boxes.
import { lookup } from '../../contract/lookup.ts';

export interface Word {
  text: string;
  /** Of the page's media box as displayed, from the top left. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PageWords {
  width: number;
  height: number;
  words: Word[];
}

const PAGE = /<page width="([\d.]+)" height="([\d.]+)">/;
const WORD =
  /^\s*<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*)<\/word>\s*$/;
const ENTITIES: Readonly<Record<string, string>> = lookup({
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
});

export function wordsOf(printed: string): PageWords[] {
  const pages: PageWords[] = [];
  for (const line of printed.split('\n')) {
    const word = WORD.exec(line);
    if (word) {
      const [left = 0, top = 0, right = 0, bottom = 0] = word.slice(1, 5).map(Number);
      pages.at(-1)?.words.push({ text: unescaped(word[5] ?? ''), left, top, right, bottom });
      continue;
    }
    const page = PAGE.exec(line);
    if (page) pages.push({ width: Number(page[1]), height: Number(page[2]), words: [] });
  }
  return pages;
}

const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
