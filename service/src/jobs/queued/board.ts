// What every node knows of all: which nodes work on documents and with what, and how much waits in which lane.
import type { EngineStates } from '../../engines/engines.ts';
import type { IsolationLevel } from '../isolation.ts';
import type { Lane } from './lanes.ts';
import type { QueueScripts } from './scripts.ts';

/** What a node that works on documents tells of itself. */
export interface NodeFacts {
  node: string;
  engines: EngineStates;
  isolation: IsolationLevel;
  /** Jobs that may wait on its behalf. */
  places: number;
}

interface LaneFigures {
  lane: Lane;
  waiting: number;
  /** How long the next to be served has waited. */
  ageMs: number;
}

const LOOK_EVERY_MS = 500;
/** Without a look for so long, Redis is as good as away. */
const BLIND_AFTER_MS = 1800;

export class Board {
  nodes: readonly NodeFacts[] = [];
  lanes: readonly LaneFigures[] = [];
  #seenAt = performance.now();
  readonly #scripts: QueueScripts;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  readonly #watchers: (() => void)[] = [];

  constructor(scripts: QueueScripts) {
    this.#scripts = scripts;
  }

  async begin(): Promise<void> {
    await this.#look();
    const again = async (): Promise<void> => {
      await this.#look().catch(() => {});
      for (const watch of this.#watchers) watch();
      this.#wait(again);
    };
    this.#wait(again);
  }

  /** Called after each look, also where nothing could be seen. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  get isBlind(): boolean {
    return performance.now() - this.#seenAt > BLIND_AFTER_MS;
  }

  get waiting(): number {
    return this.lanes.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  get oldestSeconds(): number {
    return this.lanes.reduce((most, { ageMs }) => Math.max(most, ageMs), 0) / 1000;
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wait(again: () => Promise<void>): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void again(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const [lanes, nodes] = (await this.#scripts.look({})) as [[string, number, number][], string[]];
    this.lanes = lanes.map(([lane, waiting, ageMs]) => ({ lane, waiting, ageMs }));
    this.nodes = nodes.map((facts) => JSON.parse(facts) as NodeFacts);
    this.#seenAt = performance.now();
  }
}
