import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PdfString } from '../objects.ts';
import { labelText, type PageLabel } from './page-labels.ts';

const CASES: [PageLabel, string][] = [
  [{ style: 'D', number: 12 }, '12'],
  [{ style: 'r', number: 4 }, 'iv'],
  [{ style: 'R', number: 1994 }, 'MCMXCIV'],
  [{ style: 'a', number: 1 }, 'a'],
  [{ style: 'A', number: 26 }, 'Z'],
  [{ style: 'A', number: 27 }, 'AA'],
  [{ style: 'A', number: 54 }, 'BBB'],
  [{ prefix: new PdfString(Buffer.from('A-')), style: 'D', number: 3 }, 'A-3'],
  [{ prefix: new PdfString(Buffer.from('Cover')), number: 7 }, 'Cover'],
  [{ number: 7 }, ''],
  [{ style: 'R', number: 1e12 }, '1000000000000'],
];

for (const [label, expected] of CASES) {
  test(`label ${JSON.stringify(expected)}`, () => assert.equal(labelText(label), expected));
}

test('a huge letter label stays short', () => {
  assert.ok(labelText({ style: 'A', number: 1e15 }).length <= 1000);
});
