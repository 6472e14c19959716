// Where a row of values changes, and the line that most of many places agree on.

/** A place along a side, and how far out the side is there. */
export interface Place {
  t: number;
  d: number;
}

export interface Line {
  slope: number;
  /** The places that are on it. */
  near: readonly Place[];
}

/** A line counts where this part of the places agrees on it, within so many pixels. */
const LEAST_AGREEING = 0.25;
const AGREEING = 1.2;
/** Pixels from one value of a profile to the next. */
export const STEP = 0.5;

/** Steps that must be off the background, of so many, where a photo begins. */
const BEGIN_STEPS = 8;
const BEGIN_LEAST = 6;

/** `profile` goes inwards from `outermost`. The edge is where it has half of what it has just inside. */
export function edgeIn(profile: readonly number[], outermost: number, least: number): number | undefined {
  const begin = profile.findIndex((value, index) => {
    if (value <= least || index + BEGIN_STEPS >= profile.length) return false;
    const inside = profile.slice(index + 1, index + 1 + BEGIN_STEPS);
    return inside.filter((each) => each > least).length >= BEGIN_LEAST;
  });
  // Where it is off the background from the start, the edge lies further out.
  if (begin <= 0) return undefined;
  const half = quantile(profile.slice(begin + 3, begin + 3 + BEGIN_STEPS), 0.5) / 2;
  for (let index = Math.max(1, begin - 4); index < Math.min(profile.length, begin + 6); index += 1) {
    const value = profile[index] as number;
    const before = profile[index - 1] as number;
    if (value < half || before >= half) continue;
    return outermost - (index - 1 + (half - before) / (value - before)) * STEP;
  }
  return outermost - begin * STEP;
}

/** Median of slopes, then least squares through what is near. `count` places were looked at, some in vain. */
export function lineThrough(seen: readonly Place[], count: number): Line | undefined {
  const least = Math.max(3, count * LEAST_AGREEING);
  if (seen.length < least) return undefined;
  const half = Math.floor(seen.length / 2);
  const slopes: number[] = [];
  for (let index = 0; index + half < seen.length; index += 1) {
    const one = seen[index] as Place;
    const other = seen[index + half] as Place;
    if (other.t !== one.t) slopes.push((other.d - one.d) / (other.t - one.t));
  }
  let slope = quantile(slopes, 0.5);
  let offset = quantile(
    seen.map(({ t, d }) => d - slope * t),
    0.5,
  );
  let near: readonly Place[] = [];
  for (let round = 0; round < 3; round += 1) {
    near = seen.filter(({ t, d }) => Math.abs(d - offset - slope * t) <= AGREEING);
    if (near.length < least) return undefined;
    ({ slope, offset } = leastSquares(near));
  }
  return { slope, near };
}

function leastSquares(places: readonly Place[]): { slope: number; offset: number } {
  const n = places.length;
  const meanT = places.reduce((sum, { t }) => sum + t, 0) / n;
  const meanD = places.reduce((sum, { d }) => sum + d, 0) / n;
  const spread = places.reduce((sum, { t }) => sum + (t - meanT) ** 2, 0);
  const product = places.reduce((sum, { t, d }) => sum + (t - meanT) * (d - meanD), 0);
  const slope = spread === 0 ? 0 : product / spread;
  return { slope, offset: meanD - slope * meanT };
}

/** The value that this part of them is below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
