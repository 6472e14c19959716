// What the API process holds for its callers: parts of forms, messages of agents, answers, what was fetched for them.
// All of it counts against one budget, so that many callers at once are told to wait instead of filling the memory.
import { GIB, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';

const HELD_BYTES = 256 * MIB;
/** Files have another place, the disk: they leave the rest to what must be held. */
const SPOOLED_BYTES = 64 * MIB;
/** Files fetched for agents, on disk while their calls last. */
const FETCHED_BYTES = 2 * GIB;

export interface HeldLimits {
  held?: number;
  spooled?: number;
  fetched?: number;
}

export class HeldBytes {
  readonly #limits: Required<HeldLimits>;
  #held = 0;
  #fetched = 0;

  constructor(limits: HeldLimits = {}) {
    this.#limits = { held: HELD_BYTES, spooled: SPOOLED_BYTES, fetched: FETCHED_BYTES, ...limits };
  }

  get takenBytes(): number {
    return this.#held;
  }

  share(): HeldShare {
    const own = { held: 0, fetched: 0 };
    let over = false;
    const add = (kind: 'held' | 'fetched', bytes: number): void => {
      // Work of a caller who left ends soon; nobody would give back what it still takes.
      if (over) return;
      own[kind] += bytes;
      if (kind === 'held') this.#held += bytes;
      else this.#fetched += bytes;
    };
    return {
      take: (bytes) => {
        if (this.#held + bytes > this.#limits.spooled) return false;
        add('held', bytes);
        return true;
      },
      hold: (bytes) => {
        if (this.#held + bytes > this.#limits.held) throw busy();
        add('held', bytes);
      },
      fetch: (bytes) => {
        if (this.#fetched + bytes > this.#limits.fetched) throw busy();
        add('fetched', bytes);
      },
      giveBack: () => {
        add('held', -own.held);
        add('fetched', -own.fetched);
        over = true;
      },
    };
  }
}

/** Room in memory for what may go to disk as well. False: to disk with it. */
export interface Room {
  take(bytes: number): boolean;
}

/** What one request holds, given back as a whole when it is over. `hold` and `fetch` throw unavailable. */
export interface HeldShare extends Room {
  hold(bytes: number): void;
  fetch(bytes: number): void;
  giveBack(): void;
}

const busy = (): Problem =>
  new Problem('unavailable', 'The service holds as much for its callers as it may at present.', {
    retryAfterSeconds: 2,
  });
