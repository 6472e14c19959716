// The page-selection language (operations 1.4), parsed in one place, used by every page operation.
import { LIMITS } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';

type Part =
  | { kind: 'all' }
  | { kind: 'page'; page: number }
  | { kind: 'range'; from: number; to: number | null }
  | { kind: 'expression'; evaluate: (n: number) => number };

export type PageSelection = readonly Part[];

const refuse = (why: string): Problem => new Problem('invalid_page_selection', why);

/** Throws invalid_page_selection where the text is not in the table of operations 1.4. */
export function parsePageSelection(text: string): PageSelection {
  if (text.length > LIMITS.pageSelectionCharacters) {
    throw refuse(`The page selection is longer than ${LIMITS.pageSelectionCharacters} characters.`);
  }
  const compact = text.replace(/\s+/g, '').toLowerCase();
  if (compact === '') throw refuse('The page selection is empty.');
  return compact.split(',').map(parsePart);
}

function parsePart(part: string): Part {
  if (part === '') throw refuse('The page selection has an empty part between commas.');
  if (part === 'all') return { kind: 'all' };
  if (/^\d+$/.test(part)) return { kind: 'page', page: pageNumber(part) };
  const range = /^(\d+)-(\d*)$/.exec(part);
  if (range) {
    const from = pageNumber(range[1] ?? '');
    const to = range[2] ? pageNumber(range[2]) : null;
    if (to !== null && to < from) throw refuse(`The range ${shown(part)} runs backwards.`);
    return { kind: 'range', from, to };
  }
  if (/^[0-9n+\-*/()]+$/.test(part) && part.includes('n')) {
    const evaluate = parseExpression(part);
    // Division by zero that no value of n avoids is an error of the text, not of the document.
    evaluate(1);
    return { kind: 'expression', evaluate };
  }
  throw refuse(`${shown(part)} is not a page, a range, the word all or an expression with n.`);
}

const shown = (part: string): string => `"${part.slice(0, 40)}"`;

function pageNumber(digits: string): number {
  const page = Number(digits);
  if (page === 0) throw refuse('Pages count from 1; 0 is no page.');
  return page;
}

type Evaluate = (n: number) => number;

/** Recursive descent over sums, products (also implied: 2n, 2(n+1)), signs and brackets. */
function parseExpression(source: string): Evaluate {
  let at = 0;
  let depth = 0;
  const peek = (): string => source[at] ?? '';

  const sum = (): Evaluate => {
    let left = product();
    while (peek() === '+' || peek() === '-') {
      const sign = source[at++];
      const a = left;
      const b = product();
      left = sign === '+' ? (n) => a(n) + b(n) : (n) => a(n) - b(n);
    }
    return left;
  };

  const product = (): Evaluate => {
    let left = signed();
    for (;;) {
      const next = peek();
      const a = left;
      if (next === '*') {
        at += 1;
        const b = signed();
        left = (n) => a(n) * b(n);
      } else if (next === '/') {
        at += 1;
        const b = signed();
        left = (n) => {
          const divisor = b(n);
          if (divisor === 0) throw refuse(`${shown(source)} divides by zero.`);
          return a(n) / divisor;
        };
      } else if (next === 'n' || next === '(' || (/\d/.test(next) && /[n)]/.test(source[at - 1] ?? ''))) {
        const b = atom();
        left = (n) => a(n) * b(n);
      } else return left;
    }
  };

  const signed = (): Evaluate => {
    if (peek() !== '-' && peek() !== '+') return atom();
    depth += 1;
    if (depth > 200) throw refuse(`${shown(source)} is nested too deeply.`);
    const sign = source[at++];
    const value = signed();
    depth -= 1;
    return sign === '-' ? (n) => -value(n) : value;
  };

  const atom = (): Evaluate => {
    const digits = /^\d+/.exec(source.slice(at, at + 20))?.[0];
    if (digits) {
      at += digits.length;
      const value = Number(digits);
      return () => value;
    }
    if (peek() === 'n') {
      at += 1;
      return (n) => n;
    }
    if (peek() !== '(') throw refuse(`${shown(source)} is not a valid expression.`);
    depth += 1;
    if (depth > 200) throw refuse(`${shown(source)} is nested too deeply.`);
    at += 1;
    const inner = sum();
    if (peek() !== ')') throw refuse(`${shown(source)} has a bracket that is not closed.`);
    at += 1;
    depth -= 1;
    return inner;
  };

  const evaluate = sum();
  if (at < source.length) throw refuse(`${shown(source)} is not a valid expression.`);
  return evaluate;
}

/** Pages as written, counted from 1, duplicates kept. Throws page_out_of_range naming the page and the count. */
export function selectPagesInOrder(text: string, pageCount: number): number[] {
  const pages: number[] = [];
  const take = (page: number): void => {
    pages.push(page);
    if (pages.length > 1_000_000) throw refuse('The page selection names more than 1000000 pages.');
  };
  for (const part of parsePageSelection(text)) {
    if (part.kind === 'expression') {
      for (let n = 1; n <= pageCount; n += 1) {
        // "evaluated for n = 1, 2, 3, ... N, fractions cut off, values outside 1..N skipped"
        const page = Math.trunc(part.evaluate(n));
        if (page >= 1 && page <= pageCount) take(page);
      }
      continue;
    }
    const [from, to] = bounds(part, pageCount);
    for (const end of [from, to]) {
      if (end > pageCount) {
        throw new Problem('page_out_of_range', `Page ${end} does not exist: the document has ${pageCount} page(s).`);
      }
    }
    for (let page = from; page <= to; page += 1) take(page);
  }
  return pages;
}

function bounds(part: Exclude<Part, { kind: 'expression' }>, pageCount: number): [number, number] {
  if (part.kind === 'all') return [1, pageCount];
  if (part.kind === 'page') return [part.page, part.page];
  return [part.from, part.to ?? Math.max(part.from, pageCount)];
}

/** "Order is kept as written; duplicates collapse." */
export function selectPages(text: string, pageCount: number): number[] {
  return [...new Set(selectPagesInOrder(text, pageCount))];
}

/** "Operations that say `set` use ascending order." */
export function selectPageSet(text: string, pageCount: number): number[] {
  return selectPages(text, pageCount).sort((a, b) => a - b);
}
