import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../testing/processor-time.ts';
import { Problem } from '../../contract/problems.ts';
import { cleanText } from './clean-text.ts';
import { type TermOptions, Terms } from './terms.ts';

const find = (terms: string[], text: string, options: Partial<TermOptions> = {}): string[] =>
  new Terms(terms, { useRegex: false, wholeWords: false, ...options })
    .find(text)
    .map(({ start, end }) => text.slice(start, end));

const CASES: {
  what: string;
  terms: string[];
  text: string;
  found: string[];
  options?: Partial<TermOptions>;
}[] = [
  { what: 'letter case', terms: ['secret'], text: 'SECRET, Secret', found: ['SECRET', 'Secret'] },
  {
    what: 'case in other scripts',
    terms: ['ΟΔΟΣ', 'жук'],
    text: 'οδος οδοσ ЖУК',
    found: ['οδος', 'οδοσ', 'ЖУК'],
  },
  { what: 'sharp s', terms: ['straße'], text: 'STRASSE Straße', found: ['STRASSE', 'Straße'] },
  { what: 'ligatures', terms: ['office'], text: 'o\ufb03ce', found: ['o\ufb03ce'] },
  { what: 'wide letters', terms: ['secret'], text: 'ＳＥＣＲＥＴ', found: ['ＳＥＣＲＥＴ'] },
  { what: 'accents apart from their letters', terms: ['café'], text: 'cafe\u0301', found: ['cafe\u0301'] },
  { what: 'a letter with an accent is another', terms: ['cafe'], text: 'café cafe', found: ['cafe'] },
  {
    what: 'soft hyphens and joiners',
    terms: ['secret'],
    text: 'se\u00adc\u200bret',
    found: ['se\u00adc\u200bret'],
  },
  { what: 'blanks of any kind', terms: ['a b'], text: 'a\u00a0b a \r\n b', found: ['a\u00a0b', 'a \r\n b'] },
  { what: 'blanks around a term', terms: ['  secret '], text: 'xsecretx', found: ['secret'] },
  { what: 'hyphens at line ends', terms: ['secret'], text: 'sec-\nret sec- ret', found: ['sec-\nret'] },
  {
    what: 'hyphens of their own at line ends',
    terms: ['555-123-4567', 'and/or', 'well-known'],
    text: '555-123-\n4567 and/\nor well-\nknown',
    found: ['555-123-\n4567', 'and/\nor', 'well-\nknown'],
  },
  {
    what: 'hyphens of both kinds in one term',
    terms: ['Hans-Peter Müller'],
    text: 'an exam-\nple: Hans-\nPeter Mül-\nler',
    found: ['Hans-\nPeter Mül-\nler'],
  },
  { what: 'soft hyphens at line ends', terms: ['secret'], text: 'sec\u00ad\nret', found: ['sec\u00ad\nret'] },
  {
    what: 'blanks of no width at line ends, which are blanks to other terms',
    terms: ['zerowidth', 'one two', 'threefour'],
    text: 'zero\u200b\nwidth one\u200b \ntwo three\n\u200bfour three\u200b four',
    found: ['one\u200b \ntwo', 'zero\u200b\nwidth', 'three\n\u200bfour'],
  },
  { what: 'hyphens of any kind', terms: ['a-b'], text: 'a\u2011b a\u2010b', found: ['a\u2011b', 'a\u2010b'] },
  {
    what: 'hyphens said twice',
    terms: ['biało-czerwony'],
    text: 'biało-\n-czerwony',
    found: ['biało-\n-czerwony'],
  },
  { what: 'not the next line as it is', terms: ['overhere'], text: 'over\nhere over -\nhere', found: [] },
  {
    what: 'expressions over hyphens at line ends',
    terms: ['\\d{3}-\\d{4}', 'Smith-\\w+'],
    text: '123-\n4567 Smith-\nJones',
    found: ['123-\n4567', 'Smith-\nJones'],
    options: { useRegex: true },
  },
  { what: 'lines of scripts without blanks', terms: ['東京都'], text: '東京\n都', found: ['東京\n都'] },
  { what: 'letters set wide', terms: ['secret'], text: 'so s e c r e t', found: ['s e c r e t'] },
  { what: 'not letters of other words', terms: ['herein'], text: 'here in', found: [] },
  {
    what: 'whole words of any script',
    terms: ['кот'],
    text: 'кот котик скот',
    found: ['кот'],
    options: { wholeWords: true },
  },
  { what: 'overlapping places', terms: ['aa'], text: 'aaa', found: ['aa', 'aa'] },
  { what: 'expressions', terms: ['\\d+'], text: 'a 12 b 3', found: ['12', '3'], options: { useRegex: true } },
  {
    what: 'the end of a line ends .*',
    terms: ['x.*'],
    text: 'x 1\n2',
    found: ['x 1'],
    options: { useRegex: true },
  },
  {
    what: 'blanks in expressions',
    terms: ['a b'],
    text: 'a\nb',
    found: ['a\nb'],
    options: { useRegex: true },
  },
  {
    what: 'a blank that begins a range',
    terms: ['[ -/]+'],
    text: 'a!! b',
    found: ['!! '],
    options: { useRegex: true },
  },
  { what: 'quoted blanks', terms: ['\\Qa b\\E'], text: 'a\nb', found: ['a\nb'], options: { useRegex: true } },
  { what: 'case on demand', terms: ['(?-i)ab'], text: 'AB ab', found: ['ab'], options: { useRegex: true } },
];

for (const { what, terms, text, found, options } of CASES)
  test(`terms: ${what}`, () => assert.deepEqual(find(terms, text, options), found));

for (const bad of [
  '(',
  '[',
  'a{1001}',
  '(?=x)',
  '(?<=x)y',
  '\\1',
  'a*',
  'a?',
  '',
  '\\b',
  '^',
  '$',
  'a|',
  '(?m)^',
]) {
  test(`${JSON.stringify(bad)} is refused as an expression, naming the term`, () => {
    assert.throws(
      () => new Terms(['fine', bad], { useRegex: true, wholeWords: false }),
      (error) =>
        error instanceof Problem &&
        error.reason === 'invalid_parameter' &&
        error.detail.includes('listOfText') &&
        error.detail.includes('term 2'),
    );
  });
}

test('an expression that other engines choke on is read in linear time', () => {
  const started = processorMs();
  assert.deepEqual(find(['(a+)+b'], 'a'.repeat(50_000), { useRegex: true }), []);
  assert.ok(processorMs() - started < 5000);
});

test('texts lose their terms, whatever the mark would match', () => {
  const clean = (text: string, term: string, useRegex = false) =>
    cleanText(text, new Terms([term], { useRegex, wholeWords: false }));
  assert.equal(clean('The secret plan', 'SECRET'), 'The █ plan');
  assert.equal(clean('nothing', 'SECRET'), undefined);
  assert.equal(clean('sesecretcret', 'SECRET'), 'se█cret');
  assert.equal(clean('any word', '\\S+', true), ' ');
  assert.equal(clean('█', '.', true), '');
  assert.equal(clean("D:20240102030405+01'00'", '\\d{4}', true), undefined);
  assert.equal(clean('2024-01-02T03:04:05Z', '\\d{4}', true), undefined);
  assert.equal(clean('room 2024', '\\d{4}', true), 'room █');
});
