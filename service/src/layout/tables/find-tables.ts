// Finds the tables of a page.
//
//   const items = readPageItems(document.readPage(index));
//   for (const { table, area, words, turn } of findTables(items, index + 1)) ...
//
// `table` is the model's table; `area` is where it stands on the page as displayed; `words` are the words it used
// up, the same objects as in `items.words`: whoever reads the rest of the page leaves them out. Tables come in
// reading order. `placeTables` and `joinContinued` (continued-tables.ts) make one of tables that go on over pages.
//
// Drawn lines and alignment are both tried: cells between crossing lines first, then colours that meet, then level
// lines, then white space; what one way claims, the next does not see. Whether a grid is a table is decided in
// plausibility.ts.
import type { Box, Table } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Word as PageWord } from '../words/word.ts';
import { findAlignedGrids } from './aligned.ts';
import { type Area, areaAround, overlaps, type Word, WordIndex } from './areas.ts';
import { type Frame, LEAST_WORDS, type Quarter, turnUpright } from './frame.ts';
import type { Grid } from './grid.ts';
import { latticeGrid, withOuterRules } from './lattice.ts';
import { levelRuledGrids } from './level-ruled.ts';
import { buildTable } from './model-table.ts';
import { isFormOrFigure, isTable } from './plausibility.ts';
import { separateProse } from './prose.ts';
import { fullerGrid } from './reconcile.ts';
import { refine } from './refine.ts';
import { ruledRegions } from './rulings.ts';
import { readLines } from './text-lines.ts';
import { tintedGrids } from './tinted.ts';
import { addTurnedTexts } from './turned-cells.ts';

export interface FoundTable {
  table: Table;
  /** On the page as displayed. */
  area: Box;
  words: readonly PageWord[];
  /** Degrees clockwise that the table is turned on the page; its edges are measured as if it were upright. */
  turn: Quarter;
}

/** `page` counts from 1; `compounds` are words whose hyphen is their own (gatherCompounds). */
export function findTables(items: PageItems, page: number, compounds?: ReadonlySet<string>): FoundTable[] {
  const frames = turnUpright(items);
  return frames.flatMap((frame) =>
    findGrids(frame)
      .map((grid) => addTurnedTexts(grid, frame, frames))
      .map((grid) => ({
        table: buildTable(grid, frame, page, compounds),
        area: frame.onPage(grid.area),
        words: grid.cells.flatMap(({ words, turned }) =>
          [...words, ...(turned?.words ?? [])].map(({ mark }) => mark),
        ),
        turn: frame.turn,
      })),
  );
}

/** The tables of a frame in reading order. */
export function findGrids(frame: Frame): Grid[] {
  if (frame.words.length < LEAST_WORDS) return [];
  const found: Grid[] = [];
  const boxes: Area[] = [];
  const take = (grid: Grid | undefined): boolean => {
    if (!grid || found.some(({ area }) => overlaps(area, grid.area)) || !isTable(grid, frame, boxes))
      return false;
    found.push(grid);
    return true;
  };
  const index = new WordIndex(frame.words);
  const vectorFigures: Grid[] = [];
  const frames: Area[] = [];
  for (const region of ruledRegions(frame.rulings)) {
    if (region.upright.length === 0) continue;
    const grid = latticeGrid(withOuterRules(region, frame.rulings.level, index), index);
    take(grid && refine(grid, index));
    if (grid && isFormOrFigure(grid)) vectorFigures.push(grid);
    if (grid?.cells.length === 1) frames.push(grid.area);
    if (grid?.cells.length === 1 && readLines(grid.cells[0]?.words ?? []).length === 1) boxes.push(grid.area);
  }
  const tinted = tintedGrids(frame.tints, new WordIndex(wordsOutside(found, frame.words)));
  for (const grid of tinted) take(grid);
  const free = wordsOutside([...found, ...vectorFigures], frame.words);
  const { prose, rest } = separateProse(free);
  const ruled = levelRuledGrids(frame.rulings.level, new WordIndex(free), new WordIndex(prose), frames);
  const aligned = ruled.length > 0 ? findAlignedGrids(rest, prose, frame) : undefined;
  const before = found.length;
  for (const grid of ruled) if (!take(fullerGrid(grid, ruled, aligned ?? []))) take(grid);
  const taken = found.slice(before);
  const last =
    aligned && taken.length === 0
      ? aligned
      : findAlignedGrids(wordsOutside(taken, rest), wordsOutside(taken, prose), frame);
  for (const grid of last) take(grid);
  return inReadingOrder(found);
}

/** In the order given. */
function wordsOutside(grids: readonly Grid[], words: readonly Word[]): readonly Word[] {
  if (grids.length === 0) return words;
  const index = new WordIndex(words);
  const inside = new Set(grids.flatMap(({ area }) => index.inside(area)));
  return inside.size === 0 ? words : words.filter((word) => !inside.has(word));
}

/** From top to bottom; what stands side by side from left to right. */
function inReadingOrder(grids: readonly Grid[]): Grid[] {
  const sorted = [...grids].sort((a, b) => a.area.top - b.area.top);
  const bands: Grid[][] = [];
  for (const grid of sorted) {
    const band = bands.at(-1);
    if (band && grid.area.top < areaAround(band.map(({ area }) => area)).bottom) band.push(grid);
    else bands.push([grid]);
  }
  return bands.flatMap((band) => band.sort((a, b) => a.area.left - b.area.left));
}
