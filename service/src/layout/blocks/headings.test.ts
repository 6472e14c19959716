// What is a heading where neither size nor weight says so, and what is none though it is large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, type Written } from '../../../testing/documents/plain-text-pages.ts';

const prose = (from: number): Written[] =>
  Array.from(
    { length: 8 },
    (_, line): Written => [
      72,
      from - line * 12,
      10,
      `line ${'abcdefgh'[line]} of a text that goes on until the page has come to its end, and`,
    ],
  );

test('headings in small capitals are headings', async () => {
  const text = await markdown([
    [
      ...prose(780),
      [250, 660, 10, 'I. I'],
      [261.2, 660, 8, 'NTRODUCTION'],
      ...prose(636),
      [250, 520, 10, 'II. R'],
      [265.6, 520, 8, 'ESULTS'],
      ...prose(496),
    ],
  ]);
  assert.match(text, /^#+ I\. INTRODUCTION$/m);
  assert.match(text, /^#+ II\. RESULTS$/m);
});

test('a stamp along the margin is no heading, and parts no paragraph', async () => {
  const stamp = 'BT /F 20 Tf 0 1 -1 0 40 250 Tm (archive:1601.03642 of 2016) Tj ET';
  const text = await markdown([prose(780), prose(780)], stamp);
  assert.doesNotMatch(text, /^#/m);
  assert.match(text, /its end, and line a of a text/);
});

const headingsIn = (text: string): string[] =>
  text.match(/^#+ .*$/gm)?.map((line) => line.replace(/^#+ /, '')) ?? [];

test('what is read, sent to, dated, counted or typed is no heading, however large or bold', async () => {
  const none: Written[] = [
    [72, 700, 15, '100 Portable Document Lane'],
    [72, 640, 10, '12345 Berlin', 'B'],
    [72, 580, 15, 'October 14, 1998'],
    [72, 520, 10, 'Page 3 of 7', 'B'],
    [72, 460, 10, 'WARNING', 'B'],
    [72, 400, 15, 'This page intentionally left blank'],
    [72, 340, 15, 'return value == 0;'],
    [72, 280, 10, 'Number: 0069 Issue: 1.3', 'B'],
    [72, 220, 10, 'Total Requirements 1,200 3,400', 'B'],
  ];
  const text = await markdown([
    [
      [72, 800, 20, 'The title'],
      ...none.flatMap((line): Written[] => [line, ...prose(line[1] - 16).slice(0, 2)]),
    ],
    prose(780),
  ]);
  assert.deepEqual(headingsIn(text), ['The title']);
});

test('seventy words in large letters are a paragraph', async () => {
  const words = 'large words that go on and on over the whole width of the page and then';
  const large = Array.from(
    { length: 4 },
    (_, i): Written => [72, 700 - i * 18, 15, i < 3 ? words : 'they end.'],
  );
  assert.deepEqual(headingsIn(await markdown([[[72, 790, 24, 'A title'], ...large, ...prose(600)]])), [
    'A title',
  ]);
});

test('entries of a table of contents are no headings, what they name is', async () => {
  const entries = ['1. Beginning 3', '2. Middle parts 9', '3. The end 27', 'Index 31'];
  const text = await markdown([
    [
      [72, 790, 20, 'Contents'],
      ...entries.flatMap((entry, i): Written[] => [
        [72, 740 - i * 60, 14, entry],
        [90, 722 - i * 60, 10, 'What stands there and more'],
      ]),
    ],
    [[72, 790, 14, '1. Beginning'], ...prose(760)],
    [[72, 790, 14, '2. Middle parts'], ...prose(760)],
  ]);
  assert.deepEqual(headingsIn(text), ['Contents', '1. Beginning', '2. Middle parts']);
});

test('a heading over two lines hangs under its number, and the word above it is no heading of its own', async () => {
  const text = await markdown([
    [
      [72, 790, 16, 'CHAPTER'],
      [72, 765, 20, 'What to know'],
      ...prose(740),
      [72, 600, 12, '1.2', 'B'],
      [96, 600, 12, 'Why is it that what is asked here takes more than one', 'B'],
      [96, 586, 12, 'line to ask?', 'B'],
      ...prose(560),
    ],
  ]);
  assert.deepEqual(headingsIn(text), [
    'What to know',
    '1.2 Why is it that what is asked here takes more than one line to ask?',
  ]);
});

test('names of functions in larger letters of one width are headings, lines of programs are not', async () => {
  const text = await markdown([
    [
      ...prose(790),
      [72, 660, 13, 'path.join\\(parts\\)', 'C'],
      ...prose(640),
      [72, 510, 9, 'path.join\\("a", "b"\\)', 'C'],
      ...prose(490),
    ],
  ]);
  assert.deepEqual(headingsIn(text), ['`path.join(parts)`']);
});

test('lines to be filled in are no code and no rules', async () => {
  const text = await markdown([
    [
      ...prose(790),
      [72, 660, 10, 'Name: ____________ Date: _________', 'C'],
      [72, 600, 10, '__________________', 'C'],
    ],
  ]);
  assert.doesNotMatch(text, /`/);
  assert.match(text, /^Name: _{12} Date: _{9}$/m);
  assert.match(text, /^\\_{18}$/m);
});

/** Each in bold over two lines of text; some of them headings. */
const overText = (written: Written[][]): Written[] =>
  written.flatMap((lines, i) => {
    const top = 760 - i * 70;
    return [
      ...lines.map(([x, y, size, text, font = 'B']): Written => [x, top - y, size, text, font]),
      ...prose(top - 16).slice(0, 2),
    ];
  });

test('names of columns and of authors side by side are no headings', async () => {
  const text = await markdown([
    [
      [72, 800, 20, 'The title'],
      ...overText([
        [
          [72, 0, 10, 'Feature'],
          [200, 0, 10, 'Sample'],
          [400, 0, 10, 'Setting'],
        ],
        [
          [72, 0, 12, '3.'],
          [100, 0, 12, 'A heading beside its number'],
        ],
        [
          [120, 0, 12, 'Ada Lovelace'],
          [380, 0, 12, 'Charles Babbage'],
        ],
        [[72, 0, 10, 'Another heading']],
      ]),
      ...prose(400),
    ],
  ]);
  assert.deepEqual(headingsIn(text), ['The title', '3. A heading beside its number', 'Another heading']);
});

test('theorems, captions, samples of letters and sentences with a name of their own are no headings', async () => {
  const text = await markdown([
    [
      [72, 800, 20, 'The title'],
      ...overText([
        [[72, 0, 10, 'Theorem 3.1 \\(Euler\\).']],
        [[72, 0, 10, 'Listing 4: What is written']],
        [[72, 0, 14, 'a b c d e f g h i k l m n']],
        [
          [72, 0, 10, '2.3. Compiling.', 'B'],
          [150, 0, 10, 'To compile the program and its library, type', 'F'],
        ],
        [[72, 0, 10, 'Listings of programs']],
      ]),
      ...prose(400),
    ],
  ]);
  assert.deepEqual(headingsIn(text), ['The title', 'Listings of programs']);
});

test('an author over an address is no heading, and the abstract is one though it is set small', async () => {
  const small = prose(690).map(([x, y, , words]): Written => [x + 40, y, 8, words.slice(0, 60)]);
  const text = await markdown([
    [
      [180, 800, 20, 'The title of it'],
      [240, 770, 12, 'Ada Lovelace', 'B'],
      [230, 755, 9, 'ada@example.org'],
      [270, 710, 8, 'Abstract', 'B'],
      ...small,
      ...prose(570),
      ...prose(470),
    ],
  ]);
  assert.deepEqual(headingsIn(text), ['The title of it', 'Abstract']);
});

test('terms over what they mean are no headings where the text begins as they do', async () => {
  const term = (name: string, at: number): Written[] => [
    [72, at, 10, name, 'B'],
    [108, at - 13, 10, 'what it means, said in a line that is long enough to be a text,'],
    [108, at - 25, 10, 'and in another one.'],
  ];
  const text = await markdown([
    [
      ...prose(790),
      ...term('First', 680),
      ...term('Second', 630),
      ...term('Third', 580),
      [72, 530, 10, 'A heading', 'B'],
      ...prose(514),
    ],
  ]);
  assert.deepEqual(headingsIn(text), ['A heading']);
});

test('headings that stand out from their text stay headings', async () => {
  const part = (name: string, at: number): Written[] => [
    [50, at, 10, name, 'B'],
    ...prose(at - 14).map(([, y, size, words]): Written => [90, y, size, words]),
  ];
  const text = await markdown([[...part('First', 780), ...part('Second', 640), ...part('Third', 500)]]);
  assert.deepEqual(headingsIn(text), ['First', 'Second', 'Third']);
});

test('bullets of the second level nest', async () => {
  const text = await markdown([
    [
      ...prose(790),
      [80, 660, 10, '\\267'],
      [92, 660, 10, 'One of the first level'],
      [104, 646, 10, '-'],
      [116, 646, 10, 'one below it'],
      [104, 632, 10, '-'],
      [116, 632, 10, 'another below it'],
      [80, 618, 10, '\\267'],
      [92, 618, 10, 'Two of the first level'],
      [104, 604, 10, '-'],
      [116, 604, 10, 'the only one below it'],
      [80, 590, 10, '\\267'],
      [92, 590, 10, 'Three of the first level'],
      ...prose(560),
    ],
  ]);
  assert.match(
    text,
    /^- One of the first level\n {2}- one below it\n {2}- another below it\n- Two of the first level\n {2}- the only one below it\n- Three/m,
  );
});

test('letters an eighth larger make a heading, a tenth larger do not', async () => {
  const sized = async (size: number): Promise<string[]> =>
    headingsIn(
      await markdown([
        [
          [72, 800, 24, 'A title'],
          ...prose(770),
          [72, 650, size, 'What was found in the end'],
          ...prose(626),
        ],
        prose(780),
      ]),
    );
  assert.deepEqual(await sized(11), ['A title']);
  assert.deepEqual(await sized(11.6), ['A title', 'What was found in the end']);
});
