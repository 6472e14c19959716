// Rows that are told from each other by their colour: every second one shaded, or each in a colour of its own.
import { type Area, areaAround, median, type Tint } from './areas.ts';
import type { TextLine } from './text-lines.ts';

const WHITE = '#ffffff';
/** Cells of one row begin and end at the same height, up to so many points. */
const SAME_HEIGHT = 1;
/** A row is coloured over so much of the table's width. */
const ACROSS = 0.7;
/** What is higher, in parts of the letters' size, is the ground of more than a row. */
const HIGHEST = 16;

/** The coloured rows that lie at least in part in the area of these lines, if that is how rows are told. */
export function tintBands(tints: readonly Tint[], lines: readonly TextLine[]): Area[] {
  const area = areaAround(lines);
  const size = median(lines.map((line) => line.size));
  const near = tints.filter(
    ({ left, right, top, bottom, color }) =>
      color !== WHITE &&
      top < area.bottom &&
      bottom > area.top &&
      right > area.left &&
      left < area.right &&
      bottom - top > size * 0.8 &&
      bottom - top < size * HIGHEST,
  );
  const bands = rowsOf(near).filter(
    ({ left, right }) =>
      Math.min(right, area.right) - Math.max(left, area.left) >= (area.right - area.left) * ACROSS,
  );
  return bands.length >= 2 && isOneRowEach(bands, lines) ? bands : [];
}

function rowsOf(tints: readonly Tint[]): Area[] {
  const rows: Area[] = [];
  for (const tint of [...tints].sort((a, b) => a.top - b.top)) {
    const row = rows.at(-1);
    const isSame =
      row && Math.abs(row.top - tint.top) <= SAME_HEIGHT && Math.abs(row.bottom - tint.bottom) <= SAME_HEIGHT;
    if (isSame) rows[rows.length - 1] = areaAround([row, tint]);
    else rows.push(tint);
  }
  return rows;
}

/** Colours may also set off groups of rows: then most have several lines of text. */
function isOneRowEach(bands: readonly Area[], lines: readonly TextLine[]): boolean {
  const counts = bands.map(
    ({ top, bottom }) => lines.filter(({ baseline }) => baseline > top && baseline < bottom).length,
  );
  return median(counts) <= 1;
}
