// What the API process holds for its callers: parts of forms, messages of agents, answers, what was fetched for them.
// All of it counts against one budget, so that many callers at once are told to wait instead of filling the memory.
import { GIB, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';

const HELD_BYTES = 256 * MIB;
/** Files have another place, the disk: they leave the rest to what must be held. */
const SPOOLED_BYTES = 64 * MIB;
/** Files fetched for agents, on disk while their calls last. */
const FETCHED_BYTES = 2 * GIB;
/** Files of requests under way, on disk until they are answered; one key's may be half of it. */
export const BROUGHT_BYTES = 16 * GIB;

export interface HeldLimits {
  held?: number;
  spooled?: number;
  fetched?: number;
  brought?: number;
}

export class HeldBytes {
  readonly #limits: Required<HeldLimits>;
  #held = 0;
  #fetched = 0;
  #brought = 0;
  /** By key. */
  readonly #broughtBy = new Map<string, number>();

  constructor(limits: HeldLimits = {}) {
    this.#limits = {
      held: HELD_BYTES,
      spooled: SPOOLED_BYTES,
      fetched: FETCHED_BYTES,
      brought: BROUGHT_BYTES,
      ...limits,
    };
  }

  get takenBytes(): number {
    return this.#held;
  }

  /** `owner` is the key of the caller. */
  share(owner = ''): HeldShare {
    const own = { held: 0, fetched: 0, brought: 0 };
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
      bring: (bytes) => {
        if (over) return;
        const ofOwner = this.#broughtBy.get(owner) ?? 0;
        const { brought } = this.#limits;
        if (this.#brought + bytes > brought || ofOwner + bytes > brought / 2) throw noRoom();
        own.brought += bytes;
        this.#brought += bytes;
        this.#broughtBy.set(owner, ofOwner + bytes);
      },
      giveBack: () => {
        if (own.brought > 0) this.#takeAway(owner, own.brought);
        own.brought = 0;
        add('held', -own.held);
        add('fetched', -own.fetched);
        over = true;
      },
    };
  }

  #takeAway(owner: string, bytes: number): void {
    this.#brought -= bytes;
    const left = (this.#broughtBy.get(owner) ?? 0) - bytes;
    if (left > 0) this.#broughtBy.set(owner, left);
    else this.#broughtBy.delete(owner);
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
  /** Bytes of files that the request itself brings; throws insufficient_storage. */
  bring(bytes: number): void;
  giveBack(): void;
}

const busy = (): Problem =>
  new Problem('unavailable', 'The service holds as much for its callers as it may at present.', {
    retryAfterSeconds: 2,
  });

const noRoom = (): Problem =>
  new Problem('insufficient_storage', 'The files of requests under way take as much room as they may.', {
    retryAfterSeconds: 5,
  });
