// What comes again at the edges of pages, and what only looks as if it did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, type Written } from '../../../testing/documents/plain-text-pages.ts';

const PROSE = Array.from(
  { length: 12 },
  (_, line): Written => [
    72,
    640 - line * 14,
    11,
    `Line ${'abcdefghijkl'[line]} of the text that all pages have in common.`,
  ],
);

const numbered = (page: (number: number) => Written[]): Written[][] => [1, 2, 3, 4].map(page);

test('running titles and page numbers are left out', async () => {
  const text = await markdown(
    numbered((number) => [
      [72, 800, 9, 'The Annual Report'],
      ...PROSE,
      [72, 60, 9, 'Office of Works'],
      [500, 60, 9, `${number + 6}`],
    ]),
  );
  assert.doesNotMatch(text, /Annual Report|Office of Works|\b8\b/);
  assert.equal(text.match(/Line a of the text/g)?.length, 4);
});

test('page numbers with a word and a total are left out', async () => {
  const text = await markdown(numbered((number) => [...PROSE, [270, 50, 9, `Page ${number} of 4`]]));
  assert.doesNotMatch(text, /Page/);
});

test('headings that count with the pages stay, large or not', async () => {
  const large = await markdown(numbered((number) => [[72, 790, 20, `Chapter ${number}`], ...PROSE]));
  for (const number of [1, 2, 3, 4]) assert.match(large, new RegExp(`Chapter ${number}`));
  const small = await markdown(numbered((number) => [[72, 790, 11, `Question ${number}`], ...PROSE]));
  for (const number of [1, 2, 3, 4]) assert.match(small, new RegExp(`Question ${number}`));
});

test('dates and numbers that pages differ by stay', async () => {
  const text = await markdown(
    numbered((number) => [
      [72, 790, 11, `Date: 2024-0${number}-1${number}`],
      [72, 750, 11, `Customer ${number * 17}`],
      ...PROSE,
    ]),
  );
  for (const number of [1, 2, 3, 4]) {
    assert.match(text, new RegExp(`Date: 2024-0${number}-1${number}`));
    assert.match(text, new RegExp(`Customer ${number * 17}`));
  }
});

test('a paragraph that begins alike on all pages keeps its beginning', async () => {
  const high = PROSE.map(([x, , size, text], line): Written => [x, 800 - line * 14, size, text]);
  const text = await markdown(numbered((number) => [...high, [72, 500, 11, `Given to person ${number}.`]]));
  assert.equal(text.match(/Line a of the text/g)?.length, 4);
});

test('notes alike but for their numbers stay', async () => {
  const text = await markdown(
    numbered((number) => [...PROSE, [72, 60, 8, `${number * 2} Note number ${number * 2} explains more.`]]),
  );
  for (const number of [1, 2, 3, 4]) assert.match(text, new RegExp(`Note number ${number * 2} explains`));
});

test('notes whose numbers count with the pages stay', async () => {
  const text = await markdown(
    numbered((number) => [
      ...PROSE,
      [
        72,
        60,
        8,
        `${number}   ${['See Smith.', 'Given by Jones.', 'In its older sense.', 'Not counted.'][number - 1]}`,
      ],
    ]),
  );
  for (const note of ['See Smith', 'Given by Jones', 'In its older sense', 'Not counted'])
    assert.match(text, new RegExp(note));
});

test('notes that the text calls stay, also where their first line is no sentence', async () => {
  const names = ['Smith', 'Jones', 'Brown', 'Green'];
  const text = await markdown(
    numbered((number) => [
      ...PROSE,
      [311, 644, 6, `${number}`],
      [72, 70, 8, `${number} See what ${names[number - 1]} wrote of it in the report that`],
      [72, 60, 8, 'was given to the ministry.'],
    ]),
  );
  for (const name of names) assert.match(text, new RegExp(`See what ${name} wrote`));
});

test('titles of a last page with nothing but small text are left out', async () => {
  const titles = (number: number): Written[] => [
    [72, 800, 12, 'Journal of Examples, vol. 7'],
    [250, 40, 12, `Page ${number} of 3`],
  ];
  const text = await markdown([
    [...titles(1), ...PROSE],
    [...titles(2), ...PROSE],
    [...titles(3), [72, 90, 9, 'The last note of all, which had no room before.']],
  ]);
  assert.doesNotMatch(text, /Journal|Page/);
  assert.match(text, /had no room/);
});

/** An image in the middle of the page. */
const IMAGE = 'q 200 0 0 200 150 300 cm BI /W 2 /H 2 /CS /G /BPC 8 ID abcd EI Q';

test('what is written on pages of images stays, but for page numbers', async () => {
  const text = await markdown(
    numbered((number) => [
      [72, 790, 11, `Plate ${number} of the series drawn in the field`],
      [270, 40, 9, `- ${number} -`],
    ]),
    IMAGE,
  );
  for (const number of [1, 2, 3, 4]) assert.match(text, new RegExp(`Plate ${number} of the series`));
  assert.doesNotMatch(text, /- 3 -/);
});

test('titles of pages with text are left out of pages of images too', async () => {
  const title = (number: number): Written => [72, 800, 9, `${number} City of Examples, Budget`];
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [title(number), ...(number < 3 ? PROSE : [])]);
  assert.doesNotMatch(await markdown(all, IMAGE), /City/);
});

test('what browsers print around a page goes, on one page as on many', async () => {
  const chromium: Written[] = [
    [24, 820, 8, '11/16/26, 12:18 PM'],
    [250, 820, 8, 'How to fold paper'],
    ...PROSE,
    [24, 16, 8, 'https://example.org/fold?a=1'],
    [560, 16, 8, '1/1'],
  ];
  const firefox: Written[] = [
    [24, 820, 8, 'How to fold paper'],
    [400, 820, 8, 'https://example.org/fold'],
    ...PROSE,
    [24, 16, 8, '1 of 3'],
    [500, 16, 8, '16.11.2026, 12:18'],
  ];
  for (const page of [chromium, firefox]) {
    const text = await markdown([page]);
    assert.doesNotMatch(text, /example\.org|12:18|fold paper/);
    assert.match(text, /Line l of the text/);
  }
  const own = await markdown([[[72, 800, 9, '11/16/26, 12:18 PM'], ...PROSE, [72, 60, 9, 'of 3/4 of them']]]);
  assert.match(own, /12:18 PM/);
});

test('what comes again at the same height is a running title in the outer sixth of a page, and none further in', async () => {
  const at = async (height: number): Promise<string> =>
    markdown(numbered(() => [[72, height, 9, 'The Annual Report'], ...PROSE]));
  // Of 842 points, counted from the top.
  assert.doesNotMatch(await at(842 * 0.87), /Annual Report/);
  assert.match(await at(842 * 0.8), /Annual Report/);
});
