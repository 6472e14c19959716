// So many at the same time; the others wait for their turn, in order.
import { computeOnce } from '../contract/maps.ts';

export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((next) => this.#waiting.push(next));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Turns of each caller apart: whoever waits for slow servers keeps nobody else waiting. */
export class TurnsOfEach {
  readonly #atOnce: number;
  readonly #turns = new Map<string, { turns: Turns; users: number }>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(who: string, work: () => Promise<T>): Promise<T> {
    const own = computeOnce(this.#turns, who, () => ({ turns: new Turns(this.#atOnce), users: 0 }));
    own.users += 1;
    try {
      return await own.turns.take(work);
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#turns.delete(who);
    }
  }
}
