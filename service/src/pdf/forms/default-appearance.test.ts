import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PdfString } from '../objects.ts';
import { type DefaultAppearance, readDefaultAppearance } from './default-appearance.ts';

const cases: Record<string, DefaultAppearance> = {
  '/Helv 12 Tf 0 g': { font: 'Helv', size: 12, colour: '0 g' },
  '0 0 1 rg/F#201 0 Tf': { font: 'F 1', size: 0, colour: '0 0 1 rg' },
  '0 0.5 1 0 k /A 1.5 Tf 2 Tr': { font: 'A', size: 1.5, colour: '0 0.5 1 0 k' },
  '/A 10 Tf /B 11 Tf': { font: 'B', size: 11, colour: '' },
  '/A -9 Tf': { font: 'A', size: 9, colour: '' },
  '/A 1e99 Tf': { font: 'A', size: 2000, colour: '' },
  '/A x Tf': { font: 'A', size: 0, colour: '' },
  'Tf g rg k': { font: undefined, size: 0, colour: '' },
  '1 x 0 rg 12 Tf': { font: undefined, size: 12, colour: '' },
  '': { font: undefined, size: 0, colour: '' },
};
for (const [text, expected] of Object.entries(cases)) {
  test(`default appearance: ${text}`, () => {
    assert.deepEqual(readDefaultAppearance(new PdfString(Buffer.from(text))), expected);
  });
}
