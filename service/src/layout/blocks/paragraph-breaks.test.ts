// Where paragraphs end that nothing but their lines tells of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, type Written } from '../../../testing/documents/plain-text-pages.ts';

const paragraphs = (text: string): string[] => text.trim().split(/\n\n/);

test('of lines far apart each is a paragraph, where none is known to be full', async () => {
  const text = await markdown([
    [
      [72, 700, 12, 'This is a paragraph of a single line, and it is the longest one.'],
      [72, 674, 12, 'This is another one.'],
    ],
  ]);
  assert.equal(paragraphs(text).length, 2);
});

test('lines of a text set loosely stay together', async () => {
  const lines = [
    'It was said that lines which are set far apart from others',
    'as manuscripts are. They go on until the writer has come to an',
    'end. That is where the next one begins, and not before it was',
    'Written so.',
  ];
  const text = await markdown([lines.map((line, i): Written => [72, 700 - i * 26, 12, line])]);
  assert.equal(paragraphs(text).length, 1);
});

test('in a narrow column long words stand alone on their lines', async () => {
  const lines = [
    'The administration of',
    'internationalization',
    'and',
    'characterizations',
    'telecommunications',
    'counterrevolutionaries',
    'is not easy to do.',
  ];
  const text = await markdown([
    [
      ...lines.map((line, i): Written => [72, 700 - i * 14, 12, line]),
      [72, 580, 12, 'Antidisestablishmentarianismsandmore'],
      [72, 566, 12, 'of it.'],
    ],
  ]);
  assert.equal(paragraphs(text)[0], lines.join(' '));
});

test('what keeps its distance from a list is no part of its last item', async () => {
  const items: Written[] = [
    [72, 700, 12, '1.'],
    [90, 700, 12, 'first'],
    [72, 686, 12, '2.'],
    [90, 686, 12, 'second'],
  ];
  const quoted = await markdown([[...items, [90, 661, 12, 'A quotation that follows upon the list.']]]);
  assert.match(quoted, /^2\. second\n\nA quotation/m);
  const inside = await markdown([
    [
      ...items,
      [90, 661, 12, 'More that is said of the second.'],
      [72, 636, 12, '3.'],
      [90, 636, 12, 'third'],
    ],
  ]);
  assert.match(inside, /^2\. second\s+More that is said/m);
});

test('where paragraphs are short, their distance does not hide where they end', async () => {
  const long = 'This is a line of the text that is set here, and it reaches to the edge of the column,';
  const short = [
    'T.60 Terminal equipment',
    'T.61 Character sets',
    'F. 161 Services',
    'T.72 Capabilities',
    'T.73 Protocols',
  ];
  let y = 780;
  const written: Written[] = [];
  for (const text of short) {
    written.push([100, y, 10, text]);
    y -= 17.7;
  }
  for (let k = 0; k < 4; k += 1) {
    written.push([100, y, 10, long.slice(8)], [72, y - 11.7, 10, 'and ends there.']);
    y -= 29.4;
  }
  for (const text of short) {
    written.push([100, y, 10, `${text} again`]);
    y -= 17.7;
  }
  const read = paragraphs(await markdown([written]));
  assert.equal(read.length, 14);
  assert.equal(read.filter((text) => text.endsWith('column, and ends there.')).length, 4);
});

test('a short item ends where the next line stands under its mark', async () => {
  const text = await markdown([
    [
      ...[0, 1, 2].flatMap((k): Written[] => [
        [72, 780 - k * 14, 12, '-'],
        [90, 780 - k * 14, 12, 'Key'],
      ]),
      [72, 738, 12, 'Note that what is said here stands under the marks of the items, not their text.'],
    ],
  ]);
  assert.match(text, /^- Key\n\nNote that/m);
});
