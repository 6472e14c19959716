import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

test('the nearest name is a slip away; what is like no name has none', () => {
  const known = ['angle', 'pageNumbers', 'customMargin'];
  for (const [slip, meant] of [
    ['angel', 'angle'],
    ['Angle', 'angle'],
    ['angl', 'angle'],
    ['page_numbers', 'pageNumbers'],
    ['pageNumber', 'pageNumbers'],
    ['pages', undefined],
    ['margin', 'customMargin'],
    ['qqqqqq', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ] as const)
    assert.equal(nearestName(slip, known), meant, slip.slice(0, 20));
});
