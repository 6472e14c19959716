// The page-selection language (operations 1.4), parsed in one place, used by every page operation.
import { LIMITS } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';

/** A page as a number, which may not hold all of its digits, and as it was written. */
interface Page {
  number: number;
  written: string;
}

type Part =
  | { kind: 'all' }
  | { kind: 'page'; page: Page }
  | { kind: 'range'; from: Page; to: Page | null }
  | { kind: 'expression'; evaluate: (n: number) => number };

export type PageSelection = readonly Part[];

const refuse = (why: string): Problem => new Problem('invalid_page_selection', why);

/** Throws invalid_page_selection where the text is not in the table of operations 1.4. */
export function parsePageSelection(text: string): PageSelection {
  if (text.length > LIMITS.pageSelectionCharacters) {
    throw refuse(`The page selection is longer than ${LIMITS.pageSelectionCharacters} characters.`);
  }
  // "blanks tolerated": around numbers, not within them.
  if (/\d\s+\d/.test(text))
    throw refuse('The page selection has two numbers with only a blank between them.');
  const compact = text.replace(/\s+/g, '').toLowerCase();
  if (compact === '') throw refuse('The page selection is empty.');
  return compact.split(',').map(parsePart);
}

function parsePart(part: string): Part {
  if (part === '') throw refuse('The page selection has an empty part between commas.');
  if (part === 'all') return { kind: 'all' };
  if (/^\d+$/.test(part)) return { kind: 'page', page: pageOf(part) };
  const range = /^(\d+)-(\d*)$/.exec(part);
  if (range) {
    const from = pageOf(range[1] ?? '');
    const to = range[2] ? pageOf(range[2]) : null;
    if (to !== null && to.number < from.number) throw refuse(`The range ${shown(part)} runs backwards.`);
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

function pageOf(digits: string): Page {
  const number = Number(digits);
  if (number === 0) throw refuse('Pages count from 1; 0 is no page.');
  return { number, written: digits.length > 40 ? `${digits.slice(0, 40)}...` : digits };
}

/** What a step does with the stack. */
const STEP = { constant: 0, n: 1, '+': 2, '-': 3, '*': 4, '/': 5, negate: 6 } as const;

/** Brackets and signs nest this deep. */
const MAX_DEPTH = 200;

/**
 * Recursive descent over sums, products (also implied: 2n, 2(n+1)), signs and brackets. The result is a row of
 * steps for a stack, not nested functions: a sum of thousands of terms must not exhaust the call stack.
 */
function parseExpression(source: string): (n: number) => number {
  const steps: number[] = [];
  const constants: number[] = [];
  let at = 0;
  let depth = 0;
  const peek = (): string => source[at] ?? '';
  const malformed = (): Problem => refuse(`${shown(source)} is not a valid expression.`);

  const sum = (): void => {
    product();
    while (peek() === '+' || peek() === '-') {
      const operator = source[at++] as '+' | '-';
      product();
      steps.push(STEP[operator]);
    }
  };

  const product = (): void => {
    signed();
    for (;;) {
      const next = peek();
      if (next === '*' || next === '/') {
        at += 1;
        signed();
        steps.push(STEP[next]);
      } else if (next === 'n' || next === '(' || /\d/.test(next)) {
        atom();
        steps.push(STEP['*']);
      } else return;
    }
  };

  const nested = (inside: () => void): void => {
    depth += 1;
    if (depth > MAX_DEPTH) throw refuse(`${shown(source)} is nested too deeply.`);
    inside();
    depth -= 1;
  };

  const signed = (): void => {
    const sign = peek();
    if (sign === '-' || sign === '+') {
      at += 1;
      nested(signed);
      if (sign === '-') steps.push(STEP.negate);
    } else atom();
  };

  const atom = (): void => {
    const start = at;
    while (/\d/.test(peek())) at += 1;
    if (at > start) {
      steps.push(STEP.constant);
      constants.push(Number(source.slice(start, at)));
      return;
    }
    if (peek() === 'n') {
      at += 1;
      steps.push(STEP.n);
      return;
    }
    if (peek() !== '(') throw malformed();
    at += 1;
    nested(sum);
    if (peek() !== ')') throw refuse(`${shown(source)} has a bracket that is not closed.`);
    at += 1;
  };

  sum();
  if (at < source.length) throw malformed();
  const stack = new Float64Array(steps.length);
  return (n) => {
    const value = evaluate(steps, constants, n, stack);
    if (Number.isNaN(value)) throw refuse(`${shown(source)} divides by zero.`);
    return value;
  };
}

/** Not a number where it divides by zero. */
function evaluate(
  steps: readonly number[],
  constants: readonly number[],
  n: number,
  stack: Float64Array,
): number {
  let top = -1;
  let nextConstant = 0;
  for (const step of steps) {
    if (step === STEP.constant || step === STEP.n) {
      top += 1;
      stack[top] = step === STEP.n ? n : (constants[nextConstant++] ?? 0);
      continue;
    }
    const right = stack[top] ?? 0;
    if (step === STEP.negate) {
      stack[top] = -right;
      continue;
    }
    top -= 1;
    const left = stack[top] ?? 0;
    if (step === STEP['+']) stack[top] = left + right;
    else if (step === STEP['-']) stack[top] = left - right;
    else if (step === STEP['*']) stack[top] = left * right;
    else if (right === 0) return Number.NaN;
    else stack[top] = left / right;
  }
  return stack[0] ?? 0;
}

/** In rearrange-pages duplicates count; no result comes near this many pages. */
const MAX_IN_ORDER = 1_000_000;

/** Pages as written, counted from 1, duplicates kept. Throws page_out_of_range naming the page and the count. */
export function selectPagesInOrder(text: string, pageCount: number): number[] {
  const pages: number[] = [];
  for (const page of selected(text, pageCount)) {
    pages.push(page);
    if (pages.length > MAX_IN_ORDER)
      throw refuse(`The page selection names more than ${MAX_IN_ORDER} pages.`);
  }
  return pages;
}

function* selected(text: string, pageCount: number): Iterable<number> {
  for (const part of parsePageSelection(text)) {
    if (part.kind === 'expression') {
      for (let n = 1; n <= pageCount; n += 1) {
        // "evaluated for n = 1, 2, 3, ... N, fractions cut off, values outside 1..N skipped"
        const page = Math.trunc(part.evaluate(n));
        if (page >= 1 && page <= pageCount) yield page;
      }
      continue;
    }
    const [from, to] = bounds(part, pageCount);
    for (const { number, written } of [from, to]) {
      if (number > pageCount) {
        throw new Problem(
          'page_out_of_range',
          `Page ${written} does not exist: the document has ${pageCount} page(s).`,
        );
      }
    }
    for (let page = from.number; page <= to.number; page += 1) yield page;
  }
}

function bounds(part: Exclude<Part, { kind: 'expression' }>, pageCount: number): [Page, Page] {
  if (part.kind === 'page') return [part.page, part.page];
  const last = { number: pageCount, written: String(pageCount) };
  if (part.kind === 'all') return [{ number: 1, written: '1' }, last];
  return [part.from, part.to ?? last];
}

/** "Order is kept as written; duplicates collapse." */
export function selectPages(text: string, pageCount: number): number[] {
  return [...new Set(selected(text, pageCount))];
}

/** "Operations that say `set` use ascending order." */
export function selectPageSet(text: string, pageCount: number): number[] {
  return selectPages(text, pageCount).sort((a, b) => a - b);
}
