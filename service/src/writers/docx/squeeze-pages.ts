// Spaces between blocks give way from the bottom up, so that a page ends where it must.
import type { Item } from './column-bands.ts';
import type { Place } from './indents.ts';

export interface LaidBlock {
  block: Item;
  place: Place;
  height: number;
  /** What of the space before it must stay. */
  least: number;
  /** Of blocks that stand side by side in it. */
  within?: LaidBlock[][];
}

export interface LaidBand {
  start: number;
  columns: LaidBlock[][];
}

export const bandEnd = ({ start, columns }: LaidBand): number =>
  columns.reduce((most, column) => Math.max(most, columnEnd(column, start)), start);

const columnEnd = (column: readonly LaidBlock[], start: number): number =>
  column.reduce((sum, { place, height }) => sum + place.before + height, start);

/** Takes from the spaces what is needed for the last band to end by `bottom`; returns where it ends then. */
export function squeezeTo(bands: readonly LaidBand[], bottom: number): number {
  const band = bands.at(-1);
  if (!band) return 0;
  moveTogether(band, bandEnd(band) - bottom);
  for (const column of band.columns) squeeze(column, columnEnd(column, band.start) - bottom);
  const over = bandEnd(band) - bottom;
  if (over > 0 && bands.length > 1) {
    const earlier = bands.slice(0, -1);
    const start = Math.min(band.start, squeezeTo(earlier, band.start - over));
    moveUp(band, band.start - start, bottom);
  }
  return bandEnd(band);
}

/** What stands side by side moves up side by side, so far as there is space above it. */
function moveTogether({ columns }: LaidBand, over: number): void {
  if (columns.length < 2) return;
  const firsts = columns.flatMap(([first]) => first ?? []);
  const space = Math.min(...firsts.map(({ place, least }) => place.before - least));
  const taken = Math.max(0, Math.min(over, space));
  for (const { place } of firsts) place.before -= taken;
}

function squeeze(column: readonly LaidBlock[], over: number): void {
  let left = over;
  for (const { place, least } of column.toReversed()) {
    if (left <= 0) return;
    const taken = Math.min(left, Math.max(0, place.before - least));
    place.before -= taken;
    left -= taken;
  }
}

/** Columns that end early enough stay where they are. */
function moveUp(band: LaidBand, by: number, bottom: number): void {
  band.start -= by;
  for (const column of band.columns) {
    const [first] = column;
    if (first) first.place.before += Math.max(0, Math.min(by, bottom - columnEnd(column, band.start)));
  }
}
