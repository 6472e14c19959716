// Engines that are programs of their own, kept running beside the jobs of a worker: slow to start, and large.
import type { EngineName } from '../engines/engines.ts';

/**
 * Resident memory that each may take beside what documents may, as it is counted: pages that its processes share count
 * for each of them.
 */
export const RESIDENT_ENGINES: ReadonlyMap<EngineName, number> = new Map([
  ['browser', 900 * 1024 ** 2],
  ['office', 700 * 1024 ** 2],
]);

export const residentBytes = (names: readonly EngineName[]): number =>
  [...new Set(names)].reduce((sum, name) => sum + (RESIDENT_ENGINES.get(name) ?? 0), 0);
