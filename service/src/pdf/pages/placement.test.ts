import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformed } from '../geometry/matrix.ts';
import { badDatePattern, fillPlaceholders, formatDate } from './placeholders.ts';
import { cornerAt, rotatedPlacement, sizeGiven, turnedSize } from './placement.ts';

test('a thing turns about its centre, which stays', () => {
  const size = { width: 80, height: 20 };
  for (const degrees of [0, 30, 90, -135, 360]) {
    const centre = transformed(rotatedPlacement(100, 50, size, degrees), 40, 10);
    assert.ok(Math.hypot(centre.x - 140, centre.y - 60) < 1e-9, String(degrees));
  }
  const corner = transformed(rotatedPlacement(0, 0, size, 90), 80, 0);
  // Counter-clockwise: what was right is now above.
  assert.ok(corner.y > 40 && Math.abs(corner.x - 50) < 1e-9);
});

test('margins are a fraction of the mean of width and height', () => {
  const page = { width: 600, height: 800 };
  assert.deepEqual(cornerAt(1, { width: 10, height: 5 }, page, 'small'), { x: 14, y: 781 });
  assert.deepEqual(cornerAt(9, { width: 10, height: 5 }, page, 'x-large'), { x: 537.5, y: 52.5 });
});

test('one length alone keeps the aspect', () => {
  const own = { width: 200, height: 100 };
  assert.deepEqual(sizeGiven(own, undefined, undefined), own);
  assert.deepEqual(sizeGiven(own, 50, undefined), { width: 50, height: 25 });
  assert.deepEqual(sizeGiven(own, undefined, 50), { width: 100, height: 50 });
  assert.deepEqual(sizeGiven(own, 7, 9), { width: 7, height: 9 });
  assert.deepEqual(turnedSize(own, 90), { width: 100, height: 200 });
});

const FACTS = {
  now: new Date(Date.UTC(2024, 0, 2, 15, 4, 5)),
  page: 3,
  pageCount: 12,
  base: 'a.b',
  name: 'a.b.pdf',
  author: 'Ada',
  title: 'T',
  subject: '',
  uuid: 'u-u',
};

const TEXTS: [string, string][] = [
  ['@date @time', '2024-01-02 15:04:05'],
  ['@datetime', '2024-01-02T15:04:05Z'],
  ['@year-@month-@day', '2024-01-02'],
  ["@date{d.M.yy H:mm 'Uhr'}", '2.1.24 15:04 Uhr'],
  ['@date{dd MMM yyyy} @date{MMMM}', '02 Jan 2024 January'],
  ['@page of @page_count, @page_number/@total_pages', '3 of 12, 3/12'],
  ['@filename @filename_full', 'a.b a.b.pdf'],
  ['@author:@title:@subject:@uuid', 'Ada:T::u-u'],
  ['me@@page.org @nothing @', 'me@page.org @nothing @'],
  ['@date{} @date{x', '2024-01-02{} 2024-01-02{x'],
];

for (const [text, filled] of TEXTS) {
  test(`${text} becomes ${filled}`, () => assert.equal(fillPlaceholders(text, FACTS), filled));
}

test('date patterns have known letters and at most 50 characters', () => {
  assert.equal(badDatePattern(`@date{${'y'.repeat(50)}}`), undefined);
  assert.equal(badDatePattern(`@date{${'y'.repeat(51)}}`), 'y'.repeat(51));
  assert.equal(badDatePattern('@@date{QQ} @date{yyyy}'), undefined);
  assert.equal(badDatePattern('@date{yyyy} @date{EEE}'), 'EEE');
  assert.equal(formatDate(FACTS.now, "''yy"), "'24");
});
