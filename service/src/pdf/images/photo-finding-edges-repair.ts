// A photo with the background's colour right across it is seen as two: the sides along the gap are ragged, the
// others go on in a line. Two photos beside each other have straight sides there.
import type { Settled } from './photo-finding-edges.ts';
import { axesOf, cornersOf, fromBounds, type Rectangle } from './rectangles.ts';

/** Degrees between two parts of one photo. */
const MOST_TURN = 1.5;
/** How far sides that go on in a line are off it, as a part of their distance. */
const MOST_OFF = 0.02;
const MOST_OFF_PIXELS = 4;
/** What the gap may be of the whole. */
const MOST_GAP = 0.35;

const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3] as const;

/** `settle` looks at the edges of a photo anew. */
export function repairPhotoEdges(
  parts: readonly Settled[],
  settle: (whole: Rectangle) => Settled,
): Rectangle[] {
  const whole = [...parts];
  for (let one = 0; one < whole.length; one += 1) {
    for (let other = 0; other < whole.length; other += 1) {
      const [first, second] = [whole[one], whole[other]];
      if (!first || !second || one === other || !isTorn(first, second)) continue;
      whole[one] = settle(around(first.rectangle, second.rectangle));
      whole.splice(other, 1);
      // From the start again: each joining leaves one less.
      one = -1;
      break;
    }
  }
  return whole.map(({ rectangle }) => rectangle);
}

/** Whether the second goes on to the right of the first, or below it. */
function isTorn(first: Settled, second: Settled): boolean {
  if (Math.abs(first.rectangle.degrees - second.rectangle.degrees) > MOST_TURN) return false;
  const one = boundsIn(first.rectangle, first.rectangle.degrees);
  const other = boundsIn(second.rectangle, first.rectangle.degrees);
  const goesOn = (a: number, b: number, c: number, d: number): boolean => {
    const most = Math.max(MOST_OFF_PIXELS, MOST_OFF * (b - a));
    return Math.abs(a - c) <= most && Math.abs(b - d) <= most;
  };
  const isNear = (from: number, end: number, start: number, to: number): boolean =>
    start > (from + end) / 2 && start - end <= MOST_GAP * (to - from);
  if (!first.firm[RIGHT] && !second.firm[LEFT])
    return (
      goesOn(one.minV, one.maxV, other.minV, other.maxV) && isNear(one.minU, one.maxU, other.minU, other.maxU)
    );
  if (!first.firm[BOTTOM] && !second.firm[TOP])
    return (
      goesOn(one.minU, one.maxU, other.minU, other.maxU) && isNear(one.minV, one.maxV, other.minV, other.maxV)
    );
  return false;
}

function boundsIn(rectangle: Rectangle, degrees: number) {
  const { across, down } = axesOf({ degrees });
  const corners = cornersOf(rectangle);
  const us = corners.map(([x, y]) => x * across[0] + y * across[1]);
  const vs = corners.map(([x, y]) => x * down[0] + y * down[1]);
  return { minU: Math.min(...us), maxU: Math.max(...us), minV: Math.min(...vs), maxV: Math.max(...vs) };
}

function around(one: Rectangle, other: Rectangle): Rectangle {
  const a = boundsIn(one, one.degrees);
  const b = boundsIn(other, one.degrees);
  return fromBounds(one.degrees, {
    minU: Math.min(a.minU, b.minU),
    maxU: Math.max(a.maxU, b.maxU),
    minV: Math.min(a.minV, b.minV),
    maxV: Math.max(a.maxV, b.maxV),
  });
}
