// Which lines of text make one row: a row may have several lines, where a cell's text did not fit on one.

import { median } from './areas.ts';
import { headBands, headerRowsOf, headLinesAtTop } from './head-rows.ts';
import { conflicts, type PlacedLine, type Row, swallows } from './placed-lines.ts';
import { type Body, goesOn, isGroup, MAX_ROW_LINES, readBody, spacingOf } from './wrapped-rows.ts';

/** Rows between two lines drawn across are one each, when most such bands have so few lines of text. */
const LINES_IN_RULED_ROW = 3;

export interface Rows {
  rows: Row[];
  headerRows: number;
}

/** `rules` are the heights of lines drawn across the whole table. */
export function groupRows(lines: readonly PlacedLine[], rules: readonly number[]): Rows {
  const bands = bandsOf(lines, rules);
  const head = headBands(bands);
  const body = bands.slice(head);
  const isRowEach =
    body.length >= 3 && median(body.map((band) => band.length)) <= LINES_IN_RULED_ROW && !hasTitles(bands);
  const headLines = bands.slice(0, head).flat();
  const unruledHead = head > 0 ? 0 : headLinesAtTop(lines);
  const headRows = head > 0 ? headerRowsOf(headLines) : headerRowsOf(lines.slice(0, unruledHead));
  const bodyBands = unruledHead > 0 ? bandsOf(lines.slice(unruledHead), rules) : body;
  const known = readBody(lines, bodyBands.flat(), bodyBands.length > 1);
  const bodyRows = bodyBands.flatMap((band) =>
    isRowEach && !hasConflict(band) && !isGroup(band, known) ? [band] : splitBand(band, known),
  );
  return { rows: [...headRows, ...bodyRows], headerRows: headRows.length };
}

/** Lines above titles, or above and below them, part groups of rows. */
const hasTitles = (bands: readonly PlacedLine[][]): boolean =>
  bands.filter(([first]) => first?.isTitle).length >= bands.length * 0.4;

function bandsOf(lines: readonly PlacedLine[], rules: readonly number[]): PlacedLine[][] {
  const sorted = [...rules].sort((a, b) => a - b);
  const bands: PlacedLine[][] = [];
  let [band, last] = [0, -1];
  for (const placed of lines) {
    const middle = (placed.line.top + placed.line.bottom) / 2;
    while ((sorted[band] ?? Infinity) < middle) band += 1;
    if (band !== last) bands.push([]);
    last = band;
    bands.at(-1)?.push(placed);
  }
  return bands;
}

const hasConflict = (band: Row): boolean =>
  band.length > MAX_ROW_LINES ||
  band.some((placed, i) => {
    const before = band.slice(0, i);
    return (conflicts(before, placed) && placed.cells.length > 1) || swallows(before, placed);
  });

function splitBand(band: readonly PlacedLine[], body: Body): Row[] {
  const rows: Row[] = [];
  const gaps = band.slice(1).map((placed, i) => placed.line.baseline - (band[i]?.line.baseline ?? 0));
  const spacing = spacingOf(gaps);
  band.forEach((placed, i) => {
    const before = rows.at(-1);
    const gap = gaps[i - 1] ?? Infinity;
    if (before && goesOn(before, placed, gap, spacing, body)) before.push(placed);
    else rows.push([placed]);
  });
  return rows;
}
