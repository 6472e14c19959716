// How work grows with the pages of a document: the exponent k of time = fixed + c * pages^k.
import type { Comparison } from './compare.ts';
import { quantile } from './load.ts';
import type { Scenario } from './scenario.ts';

export interface Growth {
  work: string;
  pages: number[];
  /** By the best calls. */
  ours: number | undefined;
  /** By our processor time. */
  cpu: number | undefined;
  rival: number | undefined;
}

type Measured = { scenario: Scenario; comparison: Comparison };

export function growthOf(results: readonly Measured[]): Growth[] {
  const sized = results.filter(({ scenario }) => scenario.grows !== undefined);
  const works = [...new Set(sized.map(({ scenario }) => scenario.grows?.work ?? ''))];
  return works.map((work) => {
    const own = sized.filter(({ scenario }) => scenario.grows?.work === work);
    const pages = own.map(({ scenario }) => scenario.grows?.pages ?? 0);
    const fitted = (of: (comparison: Comparison) => number | undefined): number | undefined =>
      fit(own.map(({ comparison }, at) => [pages[at] ?? 0, of(comparison) ?? Number.NaN]));
    return {
      work,
      pages,
      ours: fitted(({ ours }) => quantile(ours.alone, 0)),
      cpu: fitted(({ ours }) => ours.aloneCpuMs),
      rival: fitted(({ rival }) => (rival ? quantile(rival.alone, 0) : undefined)),
    };
  });
}

/** Least squares of the logarithms, above what the smallest takes; a line needs two points beside it. */
export function fit(points: readonly (readonly [pages: number, time: number])[]): number | undefined {
  const [smallest, ...larger] = points.toSorted(([a], [b]) => a - b);
  if (!smallest) return undefined;
  const logs = larger.map(
    ([pages, time]) => [Math.log(pages - smallest[0]), Math.log(time - smallest[1])] as const,
  );
  if (logs.length < 2 || logs.some(([, time]) => !Number.isFinite(time))) return undefined;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, each) => sum + each, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))];
  const above = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return above / below;
}
