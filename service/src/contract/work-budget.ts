// Stretches of work whose length a document decides, each with a bound of processor time. Native code cannot be
// interrupted: a worker notes what it is at, and whoever watches it ends it when that takes too long.
import { Problem } from './problems.ts';

/** What a worker may be at. */
export const STRETCHES = ['opening', 'reading', 'drawing'] as const;
export type Stretch = (typeof STRETCHES)[number];

export interface Noted {
  stretch: Stretch;
  /** Processor time it may take. */
  budgetMs: number;
}

let current: Noted | undefined;
let note: (noted: Noted | undefined) => void = () => {};

/** To be called once by a process that somebody watches. */
export function noteStretches(to: typeof note): void {
  note = to;
}

export function within<T>(stretch: Stretch, budgetMs: number, work: () => T): T {
  const outer = current;
  current = { stretch, budgetMs };
  note(current);
  try {
    return work();
  } finally {
    current = outer;
    note(outer);
  }
}

const OPENING_MS = 10_000;
/** Some hundred times what a sound file takes. */
const OPENING_MS_PER_BYTE = 0.0005;

/** A large file may take longer, in proportion. */
export const openingBudget = (bytes: number): number => OPENING_MS + bytes * OPENING_MS_PER_BYTE;

/** One page. */
export const PAGE_BUDGET_MS = 20_000;

/** The document is what it is: another try would end in the same way. */
export const tooCostly = (detail: string): Problem => new Problem('document_too_costly', detail);
