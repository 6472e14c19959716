// A document read back into one model, for all writers.
//
//   const document = await readDocument(engine.pdfium.open(file), { encodePng });
//
// Pages are read one at a time and forgotten but for their blocks; images are fetched when a writer asks.
import type { DrawnDocument } from '../contract/page-items.ts';
import { attachCaptions } from './blocks/captions.ts';
import { joinContinued, joinPartedWords } from './blocks/continued-paragraphs.ts';
import { drawnBullets } from './blocks/drawn-bullets.ts';
import { takeNotes } from './blocks/footnotes.ts';
import {
  type Edges,
  findHeadersAndFooters,
  NEAR_PAGES,
  type RunningTitles,
  readPageEdges,
} from './blocks/headers-and-footers.ts';
import { readTagLevels, type TagLevels } from './blocks/heading-tags.ts';
import { bodyStyle, markHeadings } from './blocks/headings.ts';
import { foldLists } from './blocks/lists.ts';
import { type PageBlocks, type PageLines, readBlocks } from './blocks/page-blocks.ts';
import {
  areaFigureImage,
  type Encode,
  findFigures,
  type ImageSource,
  renderFigure,
} from './figures/figures.ts';
import { readPageBackground } from './figures/page-background.ts';
import { drawPagesOnce } from './figures/page-rasters.ts';
import { readTextGrounds } from './figures/text-grounds.ts';
import { findVectorFigures } from './figures/vector-figures.ts';
import { formulaBlock, formulaFigure, withFormulas, withoutFormulas } from './formulas/formula-words.ts';
import { findPageFormulas, withoutWordsOf } from './formulas/formulas-and-tables.ts';
import { NO_FORMULAS } from './formulas/page-formulas.ts';
import { readFlowingLines } from './lines/drop-caps.ts';
import { gatherCompounds } from './lines/runs.ts';
import { objectLine, readLines } from './lines/text-lines.ts';
import { turnUpright } from './lines/upright-frames.ts';
import type { Box, Flow, LaidOutDocument, Page, PageBackground } from './model.ts';
import { readPageItems } from './page-items.ts';
import { joinContinued as joinTables, type PageTables, placeTables } from './tables/continued-tables.ts';
import { findTables } from './tables/find-tables.ts';
import { dropTablesOverColumns } from './tables/prose-columns.ts';

export interface ReadOptions {
  /** Pages to read, from 1, ascending; all of them where none are named. */
  pages?: readonly number[];
  /** How pixels become files; without it figures have no bytes, and vector figures are not looked for: labels stay text. */
  encodePng?: Encode;
  /** Whether the files of figures will be asked for; they are, unless told otherwise. */
  figureFiles?: boolean;
  /** Whether formulas are told as such; without it they are text. */
  formulas?: boolean;
  /** Whether tables are looked for; they are, unless told otherwise. */
  tables?: boolean;
  /**
   * How far paragraphs that go on in another column or on another page are made whole: all of them (the default), only
   * words that are parted there, for writers that keep pages and columns, or none.
   */
  join?: 'document' | 'words' | 'none';
  /**
   * Whether what is drawn behind the text is kept too: all of it, or only the colours that text stands on and the
   * lines around it; needs `encodePng`.
   */
  behind?: 'all' | 'grounds';
  /** Whether large letters that lines stand beside are letters of their words; they are, unless told otherwise. */
  dropCaps?: boolean;
  /** Called before each page: long documents let others have a turn. */
  onPage?(page: number): Promise<void> | void;
}

export async function readDocument(
  document: DrawnDocument,
  options: ReadOptions = {},
): Promise<LaidOutDocument> {
  const { encodePng, figureFiles = true, tables = true, formulas = false, dropCaps = true, onPage } = options;
  const numbers = options.pages ?? Array.from({ length: document.pageCount }, (_, i) => i + 1);
  const sizes = new Map<number, Box>();
  const drawing = drawPagesOnce(document, (page) => sizes.get(page + 1));
  const source: ImageSource | undefined = encodePng && {
    document: drawing,
    encodePng,
    isWanted: figureFiles,
  };
  const compounds = new Set<string>();
  const tags: TagLevels = readTagLevels();
  const waiting: { lines: PageLines; edges: Edges }[] = [];
  const edges = new Map<number, Edges>();
  const titles: RunningTitles = new Set();
  const pages: PageBlocks[] = [];
  const placed: PageTables[] = [];
  const behind = options.behind
    ? { kept: options.behind, pages: new Map<number, PageBackground>() }
    : undefined;
  // A page is settled when those near it have been read: only then is it known what repeats.
  const settle = (upTo: number): void => {
    for (let page = waiting[0]; page && page.lines.number + NEAR_PAGES <= upTo; page = waiting[0]) {
      waiting.shift();
      const { number } = page.lines;
      const near = [...edges].filter(([other]) => other !== number && Math.abs(other - number) <= NEAR_PAGES);
      pages.push(
        readBlocks(
          page.lines,
          findHeadersAndFooters(
            page.edges,
            near.map(([, other]) => other),
            titles,
          ),
          compounds,
        ),
      );
      for (const other of edges.keys()) if (other < number - NEAR_PAGES) edges.delete(other);
    }
  };
  const wanted = new Set(numbers);
  for (const number of withNeighbours(numbers, document.pageCount)) {
    if (wanted.has(number)) {
      await onPage?.(number);
      const page = readPage(document, number, {
        tables,
        formulas,
        dropCaps,
        source,
        compounds,
        tags,
        placed,
        behind,
      });
      waiting.push(page);
      sizes.set(number, { x: 0, y: 0, width: page.lines.width, height: page.lines.height });
      edges.set(number, page.edges);
    } else edges.set(number, readEdges(document, number));
    settle(number);
  }
  settle(Infinity);
  const { join = 'document' } = options;
  if (join === 'document') wholeTables(pages, placed);
  return finish(document, pages, { compounds, tags, join, behind });
}

/** A table that goes on over pages is one, on the page it begins on. */
function wholeTables(pages: readonly PageBlocks[], placed: readonly PageTables[]): void {
  const areaOf = new Map(
    placed.flatMap(({ tables }) => tables.map(({ table, area }) => [table, area] as const)),
  );
  const whole = new Map(joinTables(placed).map(({ area, table }) => [area, table]));
  for (const page of pages) {
    page.blocks = page.blocks.flatMap((marked) => {
      const area = marked.block.kind === 'table' ? areaOf.get(marked.block) : undefined;
      if (!area) return [marked];
      const table = whole.get(area);
      return table ? [{ ...marked, block: table }] : [];
    });
  }
}

/** Pages near those asked for are looked at too: what repeats is known by them. */
function withNeighbours(numbers: readonly number[], count: number): number[] {
  const all = new Set(numbers);
  for (const number of numbers)
    for (let near = number - NEAR_PAGES; near <= number + NEAR_PAGES; near += 1)
      if (near >= 1 && near <= count) all.add(near);
  return [...all].sort((a, b) => a - b);
}

function readEdges(document: DrawnDocument, number: number): Edges {
  const [frame] = turnUpright(readPageItems(document.readPage(number - 1, 'text')));
  return readPageEdges(frame ? readLines(frame.words) : [], frame?.height ?? 0, number);
}

interface PageOptions {
  tables: boolean;
  formulas: boolean;
  dropCaps: boolean;
  source: ImageSource | undefined;
  compounds: Set<string>;
  tags: TagLevels;
  placed: PageTables[];
  behind: { kept: 'all' | 'grounds'; pages: Map<number, PageBackground> } | undefined;
}

function readPage(
  document: DrawnDocument,
  number: number,
  { tables, formulas, dropCaps, source, compounds, tags, placed, behind }: PageOptions,
): { lines: PageLines; edges: Edges } {
  const drawn = document.readPage(number - 1);
  const items = readPageItems(drawn);
  tags.add(number, items.words, () => document.tags(number - 1));
  const likely = tables ? dropTablesOverColumns(findTables(items, number), items) : [];
  const math = formulas ? findPageFormulas(drawn, items.words, likely) : undefined;
  const found = math?.tables ?? likely;
  const areas = found.map(({ area }) => area);
  const vectorFigures = source ? findVectorFigures(items, areas) : [];
  const { inline, displayed } = withoutWordsOf(math?.found ?? NO_FORMULAS, vectorFigures);
  // Bars of formulas are drawn with them, not behind the text.
  const bars = new Set([...inline, ...displayed].flatMap(({ rules }) => rules));
  if (bars.size > 0) items.rules = items.rules.filter((rule) => !bars.has(rule));
  const used = new Set([...found, ...vectorFigures].flatMap(({ words }) => words));
  const withoutWords = found.map((table) => ({ ...table, words: [] }));
  if (tables) placed.push(placeTables(number, withoutWords, items));
  const inVectorFigures = new Set(vectorFigures.flatMap(({ images }) => images));
  const images = items.images.filter((image) => !inVectorFigures.has(image));
  const figures = [
    // Where pages are kept as they look, text over an image stands over it again.
    ...findFigures(
      { ...items, images },
      number,
      source,
      behind?.kept === 'all' ? { text: true, images: [] } : undefined,
    ),
    ...vectorFigures.map((vectorFigure) => renderFigure(vectorFigure, number, source)),
  ];
  tags.describe(number, figures, items.images);
  const objects = [
    ...displayed.map((formula) => {
      const block =
        formula.formula || !source
          ? formulaBlock(formula, number)
          : formulaFigure(formula, number, areaFigureImage(formula.box, number, source));
      return { block, box: formula.box };
    }),
    ...found.map(({ table, area }) => ({ block: table, box: area })),
    ...figures.map((block) => ({ block, box: withinColumn(block.box) })),
  ];
  if (source && behind) {
    const read = behind.kept === 'all' ? readPageBackground : readTextGrounds;
    behind.pages.set(number, read(items, number, [...areas, ...figures.map(({ box }) => box)], source));
  }
  const written = used.size > 0 ? items.words.filter((word) => !used.has(word)) : items.words;
  const flowing = withFormulas(withoutFormulas(written, displayed), inline);
  const words = [...flowing, ...drawnBullets({ ...items, words: flowing })];
  const toLines = dropCaps ? readFlowingLines : readLines;
  const lines = turnUpright({ ...items, words }).map((frame) => ({ frame, lines: toLines(frame.words) }));
  for (const { block, box } of objects) lines[0]?.lines.push(objectLine(block, lines[0].frame.forth(box)));
  for (const { lines: read } of lines) gatherCompounds(read, compounds);
  const { width, height, rotation, links } = items;
  const main = lines[0];
  return {
    lines: { number, width, height, rotation, links, frames: lines },
    edges: readPageEdges(main?.lines ?? [], main?.frame.height ?? height, number),
  };
}

/** Figures reach a little beyond the column they stand in. */
function withinColumn({ x, y, width, height }: Box): Box {
  const beyond = Math.min(8, width * 0.05);
  return { x: x + beyond, y, width: width - 2 * beyond, height };
}

function finish(
  document: DrawnDocument,
  pages: PageBlocks[],
  {
    compounds,
    tags,
    join,
    behind,
  }: Pick<PageOptions, 'compounds' | 'tags' | 'behind'> & Required<Pick<ReadOptions, 'join'>>,
): LaidOutDocument {
  const outline = document.outline();
  const body = bodyStyle(pages.map(({ blocks }) => blocks));
  const notes: Flow[] = [];
  for (const page of pages) page.blocks = attachCaptions(page.blocks);
  takeNotes(pages, body, notes, compounds);
  markHeadings(
    pages.map(({ blocks }) => blocks),
    { outline, title: document.information('Title'), tagLevel: (block) => tags.levelOf(block) },
  );
  if (join === 'document') joinContinued(pages, compounds, body.size);
  else if (join === 'words') joinPartedWords(pages, compounds, body.size);
  return {
    title: document.information('Title')?.trim() || undefined,
    author: document.information('Author')?.trim() || undefined,
    language: document.language()?.trim() || undefined,
    pages: pages.map(({ blocks, ...page }): Page => {
      const under = behind?.pages.get(page.number);
      return { ...page, blocks: foldLists(blocks), ...(under ? { background: under } : {}) };
    }),
    outline,
    notes,
  };
}
