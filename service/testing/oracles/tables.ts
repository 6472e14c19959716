// How near a found table comes to what people wrote down as the truth.
import { readFileSync } from 'node:fs';
import yauzl from 'yauzl';

export type TextGrid = readonly (readonly string[])[];

export interface Counts {
  right: number;
  found: number;
  true: number;
}

export const f1 = ({ right, found, true: wanted }: Counts): number =>
  found + wanted === 0 ? 1 : (2 * right) / (found + wanted);

const sumCounts = (all: readonly Counts[]): Counts => ({
  right: all.reduce((sum, { right }) => sum + right, 0),
  found: all.reduce((sum, { found }) => sum + found, 0),
  true: all.reduce((sum, each) => sum + each.true, 0),
});

/** Spaces and letter case are no part of the comparison, as in the ICDAR 2013 measure. */
const bare = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase();

/**
 * The measure of the ICDAR 2013 competition: each written cell with its nearest written neighbour to the right and
 * below; a pair is right when both texts and the direction are.
 */
export function adjacency(truth: TextGrid, found: TextGrid): Counts {
  const wanted = relations(truth);
  const seen = relations(found);
  let right = 0;
  for (const [relation, count] of seen) right += Math.min(count, wanted.get(relation) ?? 0);
  return { right, found: total(seen), true: total(wanted) };
}

const total = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

function relations(grid: TextGrid): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (direction: string, from: string, to: string | undefined): void => {
    if (to === undefined) return;
    const key = `${direction}\n${from}\n${to}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const texts = grid.map((row) => row.map(bare));
  texts.forEach((row, r) => {
    row.forEach((text, c) => {
      if (text === '') return;
      add(
        'right',
        text,
        row.slice(c + 1).find((each) => each !== ''),
      );
      add(
        'below',
        text,
        texts
          .slice(r + 1)
          .map((each) => each[c] ?? '')
          .find((each) => each !== ''),
      );
    });
  });
  return counts;
}

/** Written cells with the same text at the same place, when one grid is laid over the other as well as it goes. */
export function cellsInPlace(truth: TextGrid, found: TextGrid): Counts {
  const places = (grid: TextGrid): { r: number; c: number; text: string }[] =>
    grid.flatMap((row, r) =>
      row.flatMap((text, c) => (bare(text) === '' ? [] : [{ r, c, text: bare(text) }])),
    );
  const wanted = places(truth);
  const seen = places(found);
  const at = new Map(seen.map(({ r, c, text }) => [`${r},${c}`, text]));
  const shifts = new Map<string, number>();
  for (const one of wanted) {
    for (const other of seen) {
      if (one.text !== other.text) continue;
      const key = `${other.r - one.r},${other.c - one.c}`;
      shifts.set(key, (shifts.get(key) ?? 0) + 1);
    }
  }
  const [best] = [...shifts].sort((a, b) => b[1] - a[1]);
  const [dr = 0, dc = 0] = best?.[0].split(',').map(Number) ?? [];
  const right = wanted.filter(({ r, c, text }) => at.get(`${r + dr},${c + dc}`) === text).length;
  return { right, found: seen.length, true: wanted.length };
}

/** Comma separated values, quoted or not (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? '';
    if (quoted) {
      if (char !== '"') value += char;
      else if (text[i + 1] === '"') {
        value += '"';
        i += 1;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      row.push(value);
      value = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[i + 1] === '\n') i += 1;
      rows.push([...row, value]);
      row = [];
      value = '';
    } else value += char;
  }
  if (value !== '' || row.length > 0) rows.push([...row, value]);
  return rows;
}

export interface Truth {
  pdf: string;
  csv: string;
  page: number;
  /** Written down by people, not by another program. */
  isHuman: boolean;
}

/** The truths of one document as the ICDAR 2013 competition wrote them down: NAME-str.xml beside it. */
export function readStructure(xml: string): { page: number; grid: TextGrid }[] {
  return [...xml.matchAll(/<table[ >][\s\S]*?<\/table>/g)].map(([table]) => {
    const rows: string[][] = [];
    for (const [, attributes = '', inner = ''] of table.matchAll(/<cell ([^>]*)>([\s\S]*?)<\/cell>/g)) {
      const [row, column] = ['row', 'col'].map((axis) =>
        Number(new RegExp(`start-${axis}=['"](\\d+)`).exec(attributes)?.[1]),
      ) as [number, number];
      while (rows.length <= row) rows.push([]);
      const cells = rows[row] ?? [];
      while (cells.length <= column) cells.push('');
      cells[column] = (/<content>([\s\S]*?)<\/content>/.exec(inner)?.[1] ?? '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
    }
    return { page: Number(/page=['"](\d+)/.exec(table)?.[1]), grid: rows };
  });
}

export interface Measured {
  neighbours: number;
  cells: number;
}

/** The tables of a whole document, by the page they begin on. */
export type Extract = (pdf: string) => Promise<{ page: number; grid: TextGrid }[]>;

/** The truths of a collection: tables/TRUTH.tsv with a CSV for each; its paths begin with "shared/". */
export function readTruths(collection: URL): Truth[] {
  const path = (name = ''): string => new URL(name.replace(/^shared\//, ''), collection).pathname;
  const [, ...rows] = readFileSync(new URL('tables/TRUTH.tsv', collection), 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [pdf, csv, page, , , origin = ''] = row.split('\t');
    return { pdf: path(pdf), csv: path(csv), page: Number(page), isHuman: /human/i.test(origin) };
  });
}

/**
 * Each truth against the best table of its page, and each file of human truths as a whole: there every table found
 * counts, those that nobody wrote down too.
 */
export async function measureTruths(
  truths: readonly Truth[],
  extract: Extract,
): Promise<{ truths: (Measured & { truth: Truth })[]; files: (Measured & { pdf: string })[] }> {
  const measured: (Measured & { truth: Truth })[] = [];
  const files: (Measured & { pdf: string })[] = [];
  for (const pdf of new Set(truths.map((truth) => truth.pdf))) {
    const found = await extract(pdf);
    const taken = new Set<TextGrid>();
    const ofFile = truths.filter((truth) => truth.pdf === pdf);
    const counts = ofFile.map((truth) => {
      const grid = parseCsv(readFileSync(truth.csv, 'utf8'));
      const best = bestOf(
        grid,
        found.filter(({ page }) => page === truth.page).map((each) => each.grid),
      );
      if (best.grid) taken.add(best.grid);
      measured.push({ truth, neighbours: f1(best.neighbours), cells: f1(best.cells) });
      return best;
    });
    if (!ofFile.every(({ isHuman }) => isHuman)) continue;
    const extra = found.filter(({ grid }) => !taken.has(grid)).map(({ grid }) => against([], grid));
    const sum = (pick: (each: Against) => Counts): number => f1(sumCounts([...counts, ...extra].map(pick)));
    files.push({ pdf, neighbours: sum((each) => each.neighbours), cells: sum((each) => each.cells) });
  }
  return { truths: measured, files };
}

interface Against {
  grid?: TextGrid;
  neighbours: Counts;
  cells: Counts;
}

const against = (truth: TextGrid, grid: TextGrid): Against => ({
  grid,
  neighbours: adjacency(truth, grid),
  cells: cellsInPlace(truth, grid),
});

function bestOf(truth: TextGrid, grids: readonly TextGrid[]): Against {
  const none: Against = { neighbours: adjacency(truth, []), cells: cellsInPlace(truth, []) };
  return grids
    .map((grid) => against(truth, grid))
    .reduce((best, each) => (f1(each.neighbours) > f1(best.neighbours) ? each : best), none);
}

/** The entries of what convert/pdf/csv makes with output=zip: base_p<page>_t<number>.csv. */
export async function tablesOfZip(zip: Uint8Array): Promise<{ page: number; grid: TextGrid }[]> {
  const opened = await yauzl.fromBufferPromise(Buffer.from(zip));
  const tables: { page: number; grid: TextGrid }[] = [];
  for await (const entry of opened.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await opened.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    const page = Number(/_p(\d+)_t\d+\.csv$/.exec(entry.fileName)?.[1]);
    tables.push({ page, grid: parseCsv(Buffer.concat(chunks).toString('utf8')) });
  }
  return tables;
}
