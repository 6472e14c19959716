// How a page's blocks are to stand on a page of their own: in bands of columns, each at its place, and where other
// fonts take more room, as much tighter as is needed for what was on one page to stay on one page.
import type { Page } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import type { Border } from './borders.ts';
import type { Band, Column, Item } from './column-bands.ts';
import type { Tightness } from './heights.ts';
import type { Place } from './indents.ts';
import { layOutBands } from './lay-out.ts';
import { type Margins, measureMargins, measureRoom } from './margins.ts';
import { pageBands } from './page-bands.ts';
import { bandEnd, type LaidBand, type LaidBlock, squeezeTo } from './squeeze-pages.ts';

export interface PagePlan {
  page: Page;
  margins: Margins;
  bands: Band[];
  tight: Tightness;
  /** Of everything that is a paragraph, a table or an image, in lists as well. */
  places: ReadonlyMap<Item, Place>;
  /** Free space at the top of columns that stand side by side. */
  leads: ReadonlyMap<Column, number>;
  /** Columns that are filled by what follows: text goes on in the next without a break. */
  full: ReadonlySet<Column>;
  /** Around paragraphs, where they were drawn. */
  borders?: ReadonlyMap<Item, Border>;
}

export function planPages(
  pages: readonly Page[],
  letters: Letters,
  notesHeight: (page: Page) => number,
): PagePlan[] {
  const sizes = new Map<string, Page[]>();
  for (const page of pages) {
    const key = sizeKey(page);
    sizes.set(key, [...(sizes.get(key) ?? []), page]);
  }
  const margins = new Map([...sizes].map(([key, same]) => [key, measureMargins(same)]));
  return pages.map((page) =>
    planPage(page, margins.get(sizeKey(page)) ?? measureMargins([page]), letters, notesHeight(page)),
  );
}

const sizeKey = ({ width, height }: Page): string => `${Math.round(width)} ${Math.round(height)}`;

/** Spaces give way first, then the pitch, then the letters. */
const DEGREES: readonly Tightness[] = [
  { space: 1, pitch: 1, size: 1, narrow: true },
  { space: 0.7, pitch: 1, size: 1, narrow: true },
  { space: 0.4, pitch: 1, size: 1, narrow: false },
  { space: 0.25, pitch: 0.97, size: 1, narrow: false },
  { space: 0.1, pitch: 0.94, size: 0.98, narrow: false },
  { space: 0, pitch: 0.91, size: 0.95, narrow: false },
  { space: 0, pitch: 0.9, size: 0.9, narrow: false },
  { space: 0, pitch: 0.88, size: 0.84, narrow: false },
  { space: 0, pitch: 0.88, size: 0.77, narrow: false },
  { space: 0, pitch: 0.88, size: 0.7, narrow: false },
];

/** Programs differ in how they set letters side by side: a page must hold if all of them come out so much wider. */
const DOUBT = 0.01;

const endOf = (bands: readonly LaidBand[]): number => {
  const last = bands.at(-1);
  return last ? bandEnd(last) : 0;
};

function planPage(page: Page, margins: Margins, letters: Letters, notes: number): PagePlan {
  const bands = pageBands(page, margins, letters);
  const room = measureRoom(page, margins);
  const bottom = room.bottom - notes;
  const plan = (tight: Tightness): { plan: PagePlan; end: number } => {
    const laid = layOutBands(bands, room.top, tight, letters);
    const doubted = layOutBands(bands, room.top, { ...tight, doubt: DOUBT }, letters);
    const more = Math.max(0, endOf(doubted) - endOf(laid));
    const end = squeezeTo(laid, bottom - more) + more;
    const leads = new Map<Column, number>();
    const places = new Map<Item, Place>();
    for (const [i, { columns }] of laid.entries())
      keepPlaces(columns, bands[i]?.columns ?? [], { places, leads });
    const full = fullColumns(bands.at(-1), laid.at(-1), bottom);
    return { plan: { page, margins, bands, tight, places, leads, full }, end };
  };
  let end = bottom;
  for (const tight of DEGREES) {
    const made = plan(tight);
    if (made.end <= bottom) return made.plan;
    end = made.end;
  }
  const tightest = DEGREES.at(-1) as Tightness;
  const share = Math.max(0.2, Math.sqrt((bottom - room.top) / Math.max(1, end - room.top)));
  return plan({ ...tightest, size: tightest.size * share }).plan;
}

/** Room below a column, in points, that the next lines would not take. */
const LITTLE_ROOM = 24;

/**
 * Columns down to the end of the page go on in the next by themselves: a line more or less than there was does no harm
 * then, where a break behind it would leave a column empty.
 */
function fullColumns(band: Band | undefined, laid: LaidBand | undefined, bottom: number): Set<Column> {
  const full = new Set<Column>();
  for (const [i, column] of band?.columns.slice(0, -1).entries() ?? []) {
    const blocks = laid?.columns[i];
    if (blocks && laid && bandEnd({ start: laid.start, columns: [blocks] }) > bottom - LITTLE_ROOM)
      full.add(column);
  }
  return full;
}

/**
 * Space before the first paragraph of a section stands above all its columns in one program and above the first in
 * another: columns begin with an empty paragraph instead.
 */
function keepPlaces(
  laid: readonly LaidBlock[][],
  columns: readonly Column[],
  { places, leads }: { places: Map<Item, Place>; leads: Map<Column, number> },
): void {
  for (const [i, blocks] of laid.entries()) {
    const [column, first] = [columns[i], blocks[0]];
    for (const { block, place, within } of blocks) {
      places.set(block, place);
      if (within && block.kind === 'beside') keepPlaces(within, block.columns, { places, leads });
    }
    if (!column || !first || columns.length === 1) continue;
    leads.set(column, first.place.before);
    places.set(first.block, { ...first.place, before: 0 });
  }
}
