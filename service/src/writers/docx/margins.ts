// The margins of pages, and what is left between their running titles.
import type { Line, Page } from '../../layout/model.ts';
import { findBlocksBehindText, isRotated } from './behind-text.ts';
import { splitCaption } from './captions.ts';
import { bottomOf, flowBottom, flowTop, pitchOf, rightOf } from './heights.ts';

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
  header: number;
  footer: number;
}

const LEAST_MARGIN = 14;
/** Office programs do not agree to the last point on how high text is. */
const RESERVE = 4;
/** Running titles are at the edges: more space is no part of them. */
const MOST_SPACE = 100;

/** A row of a running title, with the space around it. */
export interface HeaderOrFooterRow {
  row: Line[];
  before: number;
  after: number;
}

/** A row is as high as the largest of its letters needs. */
export const rowPitch = (row: readonly Line[]): number =>
  row.reduce((most, line) => Math.max(most, pitchOf([line])), 0);

/** Rows keep their distance to one another and to the edge of the page. */
export function headerOrFooterRows(
  kind: 'header' | 'footer',
  page: Pick<Page, 'headersAndFooters' | 'height'>,
  margins: Pick<Margins, 'header' | 'footer'>,
): HeaderOrFooterRow[] {
  const rows = groupRows(page.headersAndFooters[kind]);
  let end = kind === 'header' ? margins.header : Infinity;
  return rows.map((row, i) => {
    const top = row.reduce((least, line) => Math.min(least, flowTop({ lines: [line] })), Infinity);
    const before = Math.min(MOST_SPACE, Math.max(0, top - end));
    end = top + rowPitch(row);
    const isLast = kind === 'footer' && i === rows.length - 1;
    const after = isLast ? Math.min(MOST_SPACE, Math.max(0, page.height - end - margins.footer)) : 0;
    return { row, before, after };
  });
}

const headerOrFooterHeight = (
  kind: 'header' | 'footer',
  page: Pick<Page, 'headersAndFooters' | 'height'>,
  margins: Pick<Margins, 'header' | 'footer'>,
): number =>
  headerOrFooterRows(kind, page, margins).reduce(
    (sum, { row, before, after }) => sum + before + rowPitch(row) + after,
    0,
  );

/** Pages of one size share their margins, as documents do. */
export function measureMargins(pages: readonly Page[]): Margins {
  const [first] = pages;
  const { width = 612, height = 792 } = first ?? {};
  const least = (values: number[], otherwise: number): number =>
    values.length === 0 ? otherwise : values.reduce((a, b) => Math.min(a, b));
  const full = pages
    .map((page) => ({
      page,
      blocks: page.blocks
        .filter((block) => !findBlocksBehindText(page).has(block) && !isRotated(block))
        .flatMap(splitCaption),
    }))
    .filter(({ page, blocks }) => blocks.length > 0 && blocks.length * 2 >= page.blocks.length);
  const left = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => box.x)),
    56,
  );
  const right = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => width - rightOf(box))),
    56,
  );
  const top = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => box.y)),
    56,
  );
  const headers = pages.flatMap(({ headersAndFooters }) => headersAndFooters.header);
  const footed = pages.filter(({ headersAndFooters }) => headersAndFooters.footer.length > 0);
  const footers = footed.flatMap(({ headersAndFooters }) => headersAndFooters.footer);
  const bounded = (value: number, largest: number): number =>
    Math.min(Math.max(LEAST_MARGIN, value), largest);
  const footer = height - most(footers.map((line) => flowBottom({ lines: [line] })));
  const footerMargin = bounded(footers.length > 0 ? footer : LEAST_MARGIN, height * 0.3);
  const header = bounded(
    least(
      headers.map((line) => flowTop({ lines: [line] })),
      28,
    ),
    height * 0.3,
  );
  const footerHeight = least(
    footed.map((page) => headerOrFooterHeight('footer', page, { header, footer: footerMargin })),
    0,
  );
  return {
    left: bounded(left - 1, width * 0.45),
    // A little more room than the text had: lines of other fonts are longer.
    right: bounded(right - 4, width * 0.45),
    top: bounded(top - 2, height * 0.6),
    bottom: footers.length > 0 ? footerMargin + footerHeight + 2 : LEAST_MARGIN,
    header,
    footer: footerMargin,
  };
}

/** Where text may begin and must end: higher running titles push it away. */
export function measureRoom(page: Page, margins: Margins): { top: number; bottom: number } {
  const { height, headersAndFooters } = page;
  const top =
    headersAndFooters.header.length > 0 ? margins.header + headerOrFooterHeight('header', page, margins) : 0;
  const bottom =
    headersAndFooters.footer.length > 0 ? margins.footer + headerOrFooterHeight('footer', page, margins) : 0;
  return { top: Math.max(margins.top, top), bottom: height - Math.max(margins.bottom, bottom) - RESERVE };
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

/** Lines that stand beside each other, from the left. */
export function groupRows(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = [];
  for (const line of lines.toSorted((a, b) => a.box.y - b.box.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && line.box.y < bottomOf(first.box) - first.box.height * 0.4) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.box.x - b.box.x));
}
