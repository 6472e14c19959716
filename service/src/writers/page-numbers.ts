// Which numbers in running titles are those of the pages.
import type { Line, Page } from '../layout/model.ts';
import { readRoman } from './docx/numbering.ts';

export interface PrintedNumber {
  /** What the page is called, as a number. */
  value: number;
  roman: 'lower' | 'upper' | undefined;
}

const TOKEN = /\d{1,5}|\b(?:[ivxlc]{1,9}|[IVXLC]{1,9})\b/g;

function readToken(token: string): PrintedNumber | undefined {
  if (/^\d+$/.test(token)) return { value: Number(token), roman: undefined };
  const lower = token.toLowerCase();
  const value = readRoman(lower);
  return value === undefined ? undefined : { value, roman: token === lower ? 'lower' : 'upper' };
}

const textOf = ({ runs }: Line): string => runs.map(({ text }) => text).join('');

/** For each page the number printed on it: one that grows with the pages. */
export function findPrintedNumbers(pages: readonly Page[]): (PrintedNumber | undefined)[] {
  const candidates = pages.map(({ headersAndFooters }) =>
    [...headersAndFooters.header, ...headersAndFooters.footer].flatMap((line) =>
      [...textOf(line).matchAll(TOKEN)].flatMap(([token]) => readToken(token) ?? []),
    ),
  );
  const offsets = new Map<string, number>();
  pages.forEach(({ number }, index) => {
    const seen = new Set((candidates[index] ?? []).map((each) => key(each, number)));
    for (const each of seen) offsets.set(each, (offsets.get(each) ?? 0) + 1);
  });
  return pages.map(({ number }, index) => {
    const ranked = (candidates[index] ?? [])
      .map((each) => ({ each, times: offsets.get(key(each, number)) ?? 0 }))
      .filter(({ each, times }) => times > 1 || each.value === number)
      .sort((a, b) => b.times - a.times);
    return ranked[0]?.each;
  });
}

const key = ({ value, roman }: PrintedNumber, page: number): string => `${roman ?? ''} ${value - page}`;

/** The text in parts: true stands for the page's number. */
export function splitAtNumber(text: string, number: PrintedNumber | undefined): (string | true)[] {
  if (!number) return [text];
  for (const match of text.matchAll(TOKEN)) {
    const read = readToken(match[0]);
    if (read?.value !== number.value || read.roman !== number.roman) continue;
    return [text.slice(0, match.index), true, text.slice(match.index + match[0].length)];
  }
  return [text];
}
