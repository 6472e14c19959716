// What is to be redacted, and where it stands in a text. Expressions run in linear time (RE2).
import { RE2JS } from 're2js';
import { invalidParameter } from '../../contract/problems.ts';
import { hasUnknownLetters, hasUnknownWord, mayStandAmongUnknown } from '../text/unknown-letters.ts';
import { ByteSearch } from './byte-search.ts';
import { type Reading, readingsOf } from './readings.ts';

export interface TermOptions {
  useRegex: boolean;
  wholeWords: boolean;
}

/** Places in the text, end not included. */
export interface Found {
  start: number;
  end: number;
  term: number;
}

/** More places than this in one text are hostile, or an expression that takes everything. */
const MAX_FOUND = 200_000;

/** Steps of all expressions together, repetitions written out: `x{1000}` in each of a thousand terms fills gigabytes. */
const MAX_PROGRAM = 500_000;

const LONG = 200;

export class Terms {
  readonly count: number;
  /** No place of a term is longer, blanks and hyphens apart; what expressions find is taken to be this long. */
  readonly longest: number;
  /** In data that is no text; expressions would find anything there. */
  get bytes(): ByteSearch {
    this.byteSearch ??= new ByteSearch(this.literals);
    return this.byteSearch;
  }
  private byteSearch: ByteSearch | undefined;
  private readonly literals: readonly string[];
  private readonly search: (reading: Reading) => Found[];
  private readonly options: TermOptions;

  /** Throws invalid_parameter, naming the term, for expressions that are none or match the empty text. */
  constructor(terms: readonly string[], options: TermOptions, field = 'listOfText') {
    this.count = terms.length;
    this.options = options;
    this.literals = options.useRegex ? [] : terms;
    this.longest = options.useRegex ? LONG : terms.reduce((most, term) => Math.max(most, term.length), 0);
    this.search = options.useRegex
      ? expressionSearch(terms, field)
      : literalSearch(terms.map((term) => foldTerm(term)));
  }

  /** Every place where a term stands, in each way the text can be read. May overlap. */
  find(text: string): Found[] {
    const seen = new Set<string>();
    const found: Found[] = [];
    for (const reading of readingsOf(text, this.options.useRegex ? 'as-written' : 'folded')) {
      for (const { start, end, term } of this.search(reading)) {
        if (this.options.wholeWords && !isWholeWord(reading.text, start, end)) continue;
        const place = { start: reading.from[start] ?? 0, end: (reading.from[end - 1] ?? 0) + 1, term };
        const key = `${place.start} ${place.end}`;
        if (seen.has(key) || found.length >= MAX_FOUND) continue;
        seen.add(key);
        found.push(place);
      }
    }
    return found;
  }

  /** Whether a term that is not found may yet stand there, in part or wholly of letters that nobody can tell. */
  mayStandAmongUnknown(text: string): boolean {
    if (!hasUnknownLetters(text)) return false;
    if (this.options.useRegex) return hasUnknownWord(text);
    const [folded] = readingsOf(text, 'folded');
    return this.literals.some((term) => mayStandAmongUnknown(folded?.text ?? '', foldTerm(term)));
  }

  isIn(text: string): boolean {
    return this.find(text).length > 0;
  }
}

const foldTerm = (term: string): string => readingsOf(term.trim(), 'folded')[0]?.text ?? '';

function literalSearch(terms: readonly string[]): (reading: Reading) => Found[] {
  return ({ text }) => {
    const found: Found[] = [];
    terms.forEach((term, index) => {
      if (term === '') return;
      for (
        let at = text.indexOf(term);
        at !== -1 && found.length < MAX_FOUND;
        at = text.indexOf(term, at + 1)
      ) {
        const end = at + term.length;
        // "cafe" is not in "café": the accent belongs to the letter before it.
        if (!/^\p{M}/u.test(text.slice(end, end + 2))) found.push({ start: at, end, term: index });
      }
    });
    return found;
  };
}

function expressionSearch(terms: readonly string[], field: string): (reading: Reading) => Found[] {
  let size = 0;
  const expressions = terms.map((term, index) => {
    const expression = compile(term, index, field);
    size += expression.programSize();
    if (size <= MAX_PROGRAM) return expression;
    throw invalidParameter(
      `${field}: with term ${index + 1} (${quoteTerm(term)}) the expressions, their repetitions written out, are larger than the ${MAX_PROGRAM} steps allowed.`,
      { hint: 'Use smaller repetitions than such as {1000}, or send the terms in several calls.' },
    );
  });
  return ({ text }) => {
    const found: Found[] = [];
    expressions.forEach((expression, term) => {
      const matcher = expression.matcher(text);
      while (found.length < MAX_FOUND && matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) found.push({ start, end, term });
      }
    });
    return found;
  };
}

/** Texts on which an expression that can match nothing shows it. */
const PROBES = ['', 'a', ' ', 'a b', '1\n-', 'é, ü.'];

function compile(term: string, index: number, field: string): RE2JS {
  const named = `${field}: term ${index + 1} (${quoteTerm(term)})`;
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(withAnyBlank(term), RE2JS.CASE_INSENSITIVE);
  } catch (cause) {
    throw invalidParameter(`${named} is no regular expression in RE2 syntax.`, { cause });
  }
  for (const probe of PROBES) {
    const matcher = expression.matcher(probe);
    while (matcher.find()) {
      if (matcher.start() === matcher.end())
        throw invalidParameter(`${named} matches the empty text; it must match something.`);
    }
  }
  return expression;
}

const quoteTerm = (term: string): string => JSON.stringify(term.length > 60 ? `${term.slice(0, 60)}…` : term);

/** "white space in a term matches any white space, line ends included"; within [ ] it may end a range. */
function withAnyBlank(term: string): string {
  let made = '';
  let [inClass, inLiteral] = [false, false];
  for (let at = 0; at < term.length; at += 1) {
    const c = term[at] as string;
    if (inLiteral) {
      if (term.startsWith('\\E', at)) inLiteral = false;
      made += c === ' ' ? '\\E\\s\\Q' : c;
      continue;
    }
    if (c === '\\') {
      const next = term[at + 1] ?? '';
      if (next === 'Q') inLiteral = true;
      made += next === ' ' && !inClass ? '\\s' : c + next;
      at += 1;
      continue;
    }
    if (c === '[') {
      // `]` right after the opening is a character of the class.
      const opening = inClass ? '[' : (/^\[\^?\]?/.exec(term.slice(at, at + 3))?.[0] ?? '[');
      made += opening;
      at += opening.length - 1;
      inClass = true;
      continue;
    }
    if (c === ']') inClass = false;
    made += !inClass && /\s/.test(c) ? '\\s' : c;
  }
  return made;
}

/** Letters, digits, accents and the low line make words, of every script. */
const WORD = /[\p{L}\p{N}\p{M}_]/u;

function isWholeWord(text: string, start: number, end: number): boolean {
  const before = characterBefore(text, start);
  const after = String.fromCodePoint(text.codePointAt(end) ?? 32);
  return !WORD.test(before) && !WORD.test(after);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return ' ';
  const low = text.charCodeAt(at - 1);
  const isPair = low >= 0xdc00 && low < 0xe000 && at > 1;
  return text.slice(isPair ? at - 2 : at - 1, at);
}
