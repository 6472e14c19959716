// Boxes against boxes.
import type { Box } from './model.ts';

export function boxAround(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const areaOf = ({ width, height }: Box): number => width * height;

/** Whether the middle of one lies in the other. */
export function holdsMiddle(outer: Box, { x, y, width, height }: Box): boolean {
  const [middle, level] = [x + width / 2, y + height / 2];
  return (
    middle >= outer.x &&
    middle <= outer.x + outer.width &&
    level >= outer.y &&
    level <= outer.y + outer.height
  );
}

/** Whether they overlap, or are no further apart than this. */
export const isNear = (a: Box, b: Box, apart = 0): boolean =>
  a.x <= b.x + b.width + apart &&
  b.x <= a.x + a.width + apart &&
  a.y <= b.y + b.height + apart &&
  b.y <= a.y + a.height + apart;

/** What of both is one, as an area. */
export function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
