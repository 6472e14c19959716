import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineEndings, reachOfLine } from './line-endings.ts';
import { across, highlight, squiggle } from './text-markup.ts';

const PEN = { width: 1, inside: [] };
const pointsIn = (operators: string) =>
  [...operators.matchAll(/(-?[\d.]+) (-?[\d.]+) [ml]/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

test('an arrow has its tip at the end of the line and its barbs behind it, on both sides', () => {
  const points = pointsIn(lineEndings([undefined, 'OpenArrow'], [0, 0, 100, 0], PEN));
  const [one, tip, other] = points;
  assert.deepEqual(tip, [100, 0]);
  assert.ok(one && other && one[0] < 100 && other[0] < 100, JSON.stringify(points));
  assert.ok(Math.abs(one[1] + other[1]) < 1e-3 && one[1] > 0);
  assert.ok(Math.abs(Math.hypot(100 - one[0], one[1]) - 6) < 1e-3, 'six widths of the line');
});

test('a reversed arrow opens the other way, and the first end looks back along the line', () => {
  const [barb] = pointsIn(lineEndings(['ROpenArrow'], [0, 0, 100, 0], PEN));
  assert.ok(barb && barb[0] < 0, JSON.stringify(barb));
});

test('closed ends are filled where there is a colour inside; unknown ends draw nothing', () => {
  assert.match(lineEndings(['Square'], [0, 0, 9, 0], { width: 1, inside: [1, 0, 0] }), /1 0 0 rg .* h B$/);
  assert.match(lineEndings(['Square'], [0, 0, 9, 0], PEN), / h S$/);
  assert.equal(lineEndings(['None', 'constructor'], [0, 0, 9, 0], PEN), '');
  assert.equal(lineEndings(['Square'], [5, 5], PEN), '');
});

test('a line reaches as far as what stands at its ends', () => {
  const reach = reachOfLine([10, 10, 90, 10], 2, { left: 20, bottom: 5, right: 80, top: 15 });
  assert.deepEqual(reach, { left: -4, bottom: -4, right: 104, top: 24 });
});

/** Upper left, upper right, lower left, lower right. */
const QUAD = [0, 10, 100, 10, 0, 0, 100, 0];

test('a highlight goes round its corners; lines through text stand at a part of its height', () => {
  assert.deepEqual(pointsIn(highlight(QUAD)), [
    [0, 10],
    [100, 10],
    [100, 0],
    [0, 0],
  ]);
  assert.deepEqual(pointsIn(across(QUAD, 0.5)), [
    [0, 5],
    [100, 5],
  ]);
});

test('a squiggle runs the whole length, up and down, in a bounded number of steps', () => {
  const points = pointsIn(squiggle(QUAD));
  assert.equal(new Set(points.map(([, y]) => y)).size, 2);
  assert.ok((points.at(-1)?.[0] ?? 0) > 98);
  assert.ok(pointsIn(squiggle([0, 1, 1e7, 1, 0, 0, 1e7, 0])).length < 2100);
});
