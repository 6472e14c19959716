import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CurrentPath } from '../content/current-path.ts';
import { IDENTITY, type Point } from '../geometry/matrix.ts';
import { pathText, withoutInside } from './path-cutting.ts';
import { contains, type Quad, quadOf, quadThrough } from './quads.ts';

const SQUARE = quadOf({ left: 40, bottom: 40, right: 60, top: 60 });
const TURNED = quadThrough([0.8, 0.6, -0.6, 0.8, 50, 50], { left: -10, bottom: -10, right: 10, top: 10 });

function pathOf(...operations: [string, ...number[]][]): CurrentPath {
  const path = new CurrentPath();
  for (const [operator, ...operands] of operations) path.addSegment(operator, operands, IDENTITY);
  return path;
}

type Lines = Point[][];

/** Corners of each subpath, curves as many short lines. */
function linesOf(path: CurrentPath): Lines {
  return path.subpaths.map(({ start, segments }) => {
    const points = [start];
    for (const segment of segments) {
      const from = points.at(-1) as Point;
      const [a, b, c] = segment as [Point, Point?, Point?];
      for (let step = 1; step <= 50; step += 1) {
        const t = step / 50;
        const s = 1 - t;
        if (!b || !c) points.push({ x: from.x * s + a.x * t, y: from.y * s + a.y * t });
        else
          points.push({
            x: s ** 3 * from.x + 3 * s * s * t * a.x + 3 * s * t * t * b.x + t ** 3 * c.x,
            y: s ** 3 * from.y + 3 * s * s * t * a.y + 3 * s * t * t * b.y + t ** 3 * c.y,
          });
      }
    }
    return points;
  });
}

/** How often the outlines wind about a point. */
function winding(lines: Lines, { x, y }: Point): number {
  let turns = 0;
  for (const points of lines) {
    points.forEach((p, at) => {
      const q = points[(at + 1) % points.length] as Point;
      if (p.y <= y === q.y <= y) return;
      const crossing = p.x + ((y - p.y) / (q.y - p.y)) * (q.x - p.x);
      if (crossing > x) turns += q.y > p.y ? 1 : -1;
    });
  }
  return turns;
}

const asPath = (subpaths: CurrentPath['subpaths']): CurrentPath =>
  Object.assign(new CurrentPath(), { subpaths });

const AREAS: { what: string; path: CurrentPath }[] = [
  { what: 'a triangle that enters', path: pathOf(['m', 0, 0], ['l', 50, 55], ['l', 100, 0], ['h']) },
  {
    what: 'a star that crosses',
    path: pathOf(['m', 20, 20], ['l', 50, 90], ['l', 80, 20], ['l', 10, 65], ['l', 90, 65], ['h']),
  },
  {
    what: 'a curve',
    path: pathOf(['m', 10, 50], ['c', 30, 120, 70, -20, 90, 50], ['l', 90, 10], ['l', 10, 10]),
  },
  {
    what: 'a ring',
    path: pathOf(['re', 10, 10, 80, 80], ['m', 45, 20], ['l', 45, 80], ['l', 80, 80], ['l', 80, 20], ['h']),
  },
  {
    what: 'one that begins inside',
    path: pathOf(['m', 50, 50], ['l', 90, 50], ['l', 90, 90], ['l', 50, 90], ['h']),
  },
  { what: 'one that is wholly inside', path: pathOf(['re', 48, 48, 4, 4], ['re', 0, 0, 10, 10]) },
];

for (const [name, quad] of [
  ['an upright box', SQUARE],
  ['a turned box', TURNED],
] as [string, Quad][]) {
  for (const { what, path } of AREAS) {
    test(`${what}: led around ${name}, the same area outside, no corner inside`, () => {
      const left = withoutInside(path.subpaths, [quad]);
      assert.ok(left);
      const [before, after] = [linesOf(path), linesOf(asPath(left.filled))];
      for (let x = 0.37; x < 100; x += 3.1)
        for (let y = 0.53; y < 100; y += 3.1)
          if (!contains(quad, { x, y }))
            assert.equal(winding(after, { x, y }), winding(before, { x, y }), `${x}, ${y}`);
      for (const point of after.flat()) {
        const towards = { x: point.x + (50 - point.x) * -0.02, y: point.y + (50 - point.y) * -0.02 };
        assert.ok(!contains(quad, towards) || !contains(quad, point), `${point.x}, ${point.y} is inside`);
      }
    });
  }
}

test('an outline that stays outside, or runs around the box, is left alone', () => {
  assert.equal(withoutInside(pathOf(['re', 0, 0, 100, 100]).subpaths, [SQUARE]), undefined);
  assert.equal(withoutInside(pathOf(['m', 0, 0], ['l', 100, 10]).subpaths, [SQUARE]), undefined);
});

test('a line loses the part inside', () => {
  const left = withoutInside(pathOf(['m', 0, 50], ['l', 100, 50]).subpaths, [SQUARE]);
  assert.equal(pathText(left?.stroked ?? [], IDENTITY), '0 50 m 40 50 l\n60 50 m 100 50 l');
});

test('a closed line is opened where the box cuts it', () => {
  const left = withoutInside(pathOf(['re', 50, 0, 50, 100]).subpaths, [SQUARE]);
  assert.equal(
    left?.stroked.some(({ closed }) => closed),
    false,
  );
  const points = (left?.stroked ?? []).flatMap(({ start, segments }) => [start, ...segments.flat()]);
  assert.ok(points.every(({ x, y }) => !(x > 40 && x < 60 && y > 40 && y < 60)));
});
