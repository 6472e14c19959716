// Level lines that are sides of frames around texts.
import type { Area } from './areas.ts';
import type { Ruling } from './rulings.ts';

/** A line is the side of a frame when it ends where that does, up to so many points. */
const SAME_END = 6;

/** Lines of two frames are no lines of one table: what stands between the frames is in none. */
export function partAtFrames(run: readonly Ruling[], frames: readonly Area[]): Ruling[][] {
  const frameOf = ({ at, from, to }: Ruling): Area | undefined =>
    frames.find(
      ({ top, bottom, left, right }) =>
        Math.min(Math.abs(at - top), Math.abs(at - bottom)) <= SAME_END &&
        Math.abs(left - from) <= SAME_END &&
        Math.abs(right - to) <= SAME_END,
    );
  const parts: Ruling[][] = [];
  let last: Area | undefined;
  for (const rule of run) {
    const frame = frameOf(rule);
    if (parts.length === 0 || (frame && last && frame !== last)) parts.push([]);
    last = frame ?? last;
    parts.at(-1)?.push(rule);
  }
  return parts.filter(({ length }) => length >= 2);
}
