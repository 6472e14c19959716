// Parts of a document between divider pages.
import type { PageRun } from './page-parts.ts';

/** Dividers are dropped, and what lies behind them where sheets were scanned on both sides; empty parts are left out. */
export function splitAtDividers(
  dividers: readonly number[],
  pageCount: number,
  bothSides: boolean,
): PageRun[] {
  const runs: PageRun[] = [];
  let from = 0;
  for (const divider of [...dividers, pageCount]) {
    if (divider > from) runs.push({ from, to: divider });
    // The back of one divider may be the next one: it is a divider all the same.
    from = Math.max(from, divider + (bothSides ? 2 : 1));
  }
  return runs;
}
