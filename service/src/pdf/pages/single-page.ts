// All pages below one another on one long page.
import type { DisplayedPage } from '../geometry/displayed-page.ts';
import type { Sheet } from './n-up-sheets.ts';

/** The largest page readers show, in units (ISO 32000-1, annex C). */
const MAX_UNITS = 14_400;

/** "Width = widest page, height = sum"; "beyond 14 400 pt UserUnit is raised so that the size stays true". */
export function stackPages(pages: readonly DisplayedPage[]): Sheet {
  // Pages that all count in the same unit go on doing so; otherwise the sheet counts in points.
  const [first] = pages;
  const common = first && pages.every(({ userUnit }) => userUnit === first.userUnit) ? first.userUnit : 1;
  const sizes = pages.map((page) => {
    const factor = page.userUnit / common;
    return { page, factor, width: page.width * factor, height: page.height * factor };
  });
  const width = Math.max(...sizes.map((size) => size.width));
  const height = sizes.reduce((sum, size) => sum + size.height, 0);
  const raise = Math.max(1, Math.ceil(Math.max(width, height) / MAX_UNITS));
  let top = height;
  const placed = sizes.map(({ page, factor, height: own }) => {
    top -= own;
    const scale = factor / raise;
    return { page, matrix: [scale, 0, 0, scale, 0, top / raise] as const };
  });
  return { width: width / raise, height: height / raise, userUnit: common * raise, pages: placed };
}
