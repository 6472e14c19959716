// How far an object of a page reaches.
import type { Box } from '../../pdf/geometry/boxes.ts';

export const isWithin = (inner: Box, outer: Box, slack = 0): boolean =>
  inner.left >= outer.left - slack &&
  inner.right <= outer.right + slack &&
  inner.bottom >= outer.bottom - slack &&
  inner.top <= outer.top + slack;

export const meets = (a: Box, b: Box, slack = 0): boolean =>
  a.left <= b.right + slack &&
  b.left <= a.right + slack &&
  a.bottom <= b.top + slack &&
  b.bottom <= a.top + slack;

/** As four floats stand in a row; undefined where one is none. */
export function extentAt(f: Float32Array, at: number): Box | undefined {
  const left = f[at] as number;
  const bottom = f[at + 1] as number;
  const right = f[at + 2] as number;
  const top = f[at + 3] as number;
  return Number.isFinite(left + bottom + right + top) ? { left, bottom, right, top } : undefined;
}
