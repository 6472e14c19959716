// Where a document is cut: runs of pages, counted from 0, the end not included.

export interface PageRun {
  from: number;
  to: number;
}

/** Cuts after each of the pages (numbers from 1); "the last page always closes the last part". */
export function cutAfter(pages: readonly number[], count: number): PageRun[] {
  const ends = [...new Set([...pages.filter((page) => page < count), count])].sort((a, b) => a - b);
  return ends.map((to, index) => ({ from: ends[index - 1] ?? 0, to }));
}

export function runsOf(pagesEach: number, count: number): PageRun[] {
  const runs: PageRun[] = [];
  for (let from = 0; from < count; from += pagesEach)
    runs.push({ from, to: Math.min(from + pagesEach, count) });
  return runs;
}

/** "the remainder goes to the first files; never more files than pages" */
export function runsInto(files: number, count: number): PageRun[] {
  const number = Math.min(files, count);
  const each = Math.floor(count / number);
  const longer = count % number;
  let from = 0;
  return Array.from({ length: number }, (_, index) => {
    const to = from + each + (index < longer ? 1 : 0);
    const run = { from, to };
    from = to;
    return run;
  });
}

/** Writes a run and tells its size. */
export interface Measured<T> {
  bytes: number;
  made: T;
}

/** Trials for one run: enough to halve any number of pages, few enough to end soon. */
const MAX_TRIALS = 24;

/**
 * The longest runs whose written size stays within the limit; a page above it stands alone. Sizes are those of
 * real trials: each guess follows from what the trials before it measured.
 */
export function runsWithin<T>(
  maxBytes: number,
  count: number,
  write: (run: PageRun) => Measured<T>,
  discard: (made: T) => void,
): T[] {
  const parts: T[] = [];
  let guess = Number.POSITIVE_INFINITY;
  for (let from = 0; from < count; ) {
    const found = longestRun(maxBytes, { from, to: count }, guess, write, discard);
    parts.push(found.made);
    guess = found.pages;
    from += found.pages;
  }
  return parts;
}

function longestRun<T>(
  maxBytes: number,
  { from, to }: PageRun,
  firstGuess: number,
  write: (run: PageRun) => Measured<T>,
  discard: (made: T) => void,
): { pages: number; made: T } {
  const most = to - from;
  let best: { pages: number; bytes: number; made: T } | undefined;
  let tooMany = { pages: most + 1, bytes: Number.POSITIVE_INFINITY };
  let guess = Math.min(most, firstGuess);
  for (let trial = 1; tooMany.pages - (best?.pages ?? 0) > 1 && trial <= MAX_TRIALS; trial += 1) {
    const { bytes, made } = write({ from, to: from + guess });
    if (bytes <= maxBytes || guess === 1) {
      if (best) discard(best.made);
      best = { pages: guess, bytes, made };
      if (bytes > maxBytes) break;
    } else {
      discard(made);
      tooMany = { pages: guess, bytes };
    }
    guess = nextGuess(maxBytes, best, tooMany, trial);
  }
  return best ?? { pages: 1, made: write({ from, to: from + 1 }).made };
}

function nextGuess(
  maxBytes: number,
  best: { pages: number; bytes: number } | undefined,
  tooMany: { pages: number; bytes: number },
  trial: number,
): number {
  const low = best?.pages ?? 0;
  const lowBytes = best?.bytes ?? 0;
  const middle = Math.floor((low + tooMany.pages) / 2);
  // Every third trial halves: one huge page among small ones would mislead a straight line for long.
  const wanted =
    trial % 3 === 0
      ? middle
      : Number.isFinite(tooMany.bytes)
        ? low + Math.floor(((tooMany.pages - low) * (maxBytes - lowBytes)) / (tooMany.bytes - lowBytes))
        : low + Math.max(1, Math.floor((maxBytes - lowBytes) / (lowBytes / Math.max(1, low))));
  return Math.min(tooMany.pages - 1, Math.max(low + 1, wanted));
}
