// What a law of the state works with.
import type { State } from '../../src/state/state.ts';

/** What a law works with. */
export interface World {
  state: State;
  now(): Date;
  /** Lets time pass: the clock is ours, nobody sleeps. */
  pass(ms: number): void;
  restart(): Promise<void>;
  /** Whether large files cost nothing where they are kept. */
  takesLargeFiles: boolean;
}
