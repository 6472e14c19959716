import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import bidiFactory from 'bidi-js';
import { made, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pairBrackets, visualToLogical } from './visual-to-logical.ts';

const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** What the fixture says, line by line. */
const TO_LEFT = [
  'שלום (עולם) ושלום לכולם.',
  'המחיר הוא 1,234.50 ש"ח (כולל מע"מ) בשנת 2024.',
  'הוא אמר: "בוא הנה [עכשיו]" והלך.',
  'המילה computer (מחשב) באה מאנגלית.',
  'טווח 10-20 אחוז, וגם 50% מהאנשים.',
  'טלפון: 03-1234567 (שלוחה 12)',
  'ספר (2024) ועוד {ספר} <גדול>',
  'עברית: English text (with parens) ושוב עברית.',
  'דו"ח 3.5% [ראו סעיף 4(ב)] לשנת 2019–2020',
  "כתובת: רח' הרצל 12/3, תל-אביב 6578901",
  'א. ראשון; ב. שני; ג. שלישי!',
  'האם? כן/לא (סמן X)',
  'הגרסה v2.0 (beta) של PDF/A-1b יצאה.',
  '1. פתיחה',
  '(א) סעיף ראשון',
  'C++ ו-C# הן שפות',
  'ב-15 במאי 1948, בשעה 16:00',
  'مرحبا (بالعالم) وأهلا بكم جميعا.',
  'السعر هو 1234 ريالا (شاملا الضريبة) في عام 2024.',
  'قال: «تعال [الآن]» ثم ذهب.',
  'كلمة computer (حاسوب) من الإنجليزية.',
  'من ١٢٣ إلى ٤٥٦ (تقريبا) في المائة.',
  'لا إله إلا (الله) والأرض',
  'العربية: English text (with parens) ثم عربية.',
  'المادة (١٢) من القانون رقم 45/2003',
  'الهاتف: +966-11-123-4567 (الرياض)',
  'نسبة 25% من الناس، أي 1/4 تقريبا؟',
  '١. المقدمة',
  'هل تعرف HTML5 و CSS3 (لغات الويب)؟',
  'الإصدار 3.2.1 متاح الآن!',
  'محمد وعلي لأن الإسلام',
  'تاريخ 12/05/2021م',
];
const TO_RIGHT = [
  'The word שלום (shalom) means peace.',
  'In Arabic (العربية) it is written (مرحبا) so.',
  'See [כאן] and (שם), then 12 (שנים עשר).',
  'Price: 100 ש"ח (about $27).',
];

const plain = (text: string): string[] =>
  text
    .normalize('NFKC')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

test('text reads as it was written: brackets, numbers, words of the other direction', async () => {
  const ran = await runHere('convert/pdf/text', { files: { fileInput: fixture('right-to-left.pdf') } });
  assert.deepEqual(plain(made(ran).toString('utf8')), plain([...TO_LEFT, ...TO_RIGHT].join('\n')));
});

test('flowing text reads the same', async () => {
  const ran = await runHere('convert/pdf/markdown', { files: { fileInput: fixture('right-to-left.pdf') } });
  const text = made(ran).toString('utf8').replaceAll('\\', '');
  for (const line of plain(
    [...TO_LEFT.filter((each) => !/^(?:.\.|\(.\))/.test(each)), ...TO_RIGHT].join('\n'),
  ))
    assert.ok(text.normalize('NFKC').includes(line), line);
});

test('what is seen of a line is read back, whatever the algorithm made of it', () => {
  for (const [lines, base] of [
    [TO_LEFT, 'rtl'],
    [TO_RIGHT, 'ltr'],
  ] as const)
    for (const line of lines) {
      const visual = bidi.getReorderedString(line, bidi.getEmbeddingLevels(line, base));
      const read = visualToLogical([...visual], base);
      assert.equal(read.map(({ text }) => text).join(''), line);
      assert.deepEqual(
        read.map(({ at }) => at).toSorted((a, b) => a - b),
        [...visual].map((_, i) => i),
      );
    }
});

test('of a pair the one that opens is seen first, though an engine turned some', () => {
  const pairs = (text: string): string => pairBrackets([...text]).join('');
  assert.equal(pairs('a (b( c )d( [e['), 'a (b) c (d) [e]');
  assert.equal(pairs('((a) b)'), '((a) b)');
  assert.equal(pairs('a) first'), 'a) first');
});

test('spans with their places read the same', async () => {
  const bytes = readFileSync(fixture('right-to-left.pdf'));
  const ran = await runHere('convert/pdf/xml', { files: { fileInput: { name: 'a.pdf', bytes } } });
  const spans = [
    ...made(ran)
      .toString('utf8')
      .matchAll(/<line>(.*?)<\/line>/g),
  ].map(([, line = '']) =>
    line
      .replace(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );
  assert.deepEqual(plain(spans.join('\n')), plain([...TO_LEFT, ...TO_RIGHT].join('\n')));
});
