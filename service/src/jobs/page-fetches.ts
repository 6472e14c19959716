// What one job loads that its caller did not name: for a page, or from those whom certificates name. All of it counts as it comes, also what comes at the same time.
import { EGRESS_LIMITS, type OutboundFetch } from '../contract/egress.ts';
import type { CancellableEgress } from './egress.ts';
import { FetchedBody } from './fetched-body.ts';
import type { FetchedReply } from './messages.ts';
import { tooMuch } from './refusals.ts';
import { Turns } from './turns.ts';
import type { Workspaces } from './workspace.ts';

export class PageFetches {
  readonly #egress: CancellableEgress;
  readonly #workspaces: Workspaces;
  readonly #turns = new Turns(EGRESS_LIMITS.fetchesAtOnce);
  readonly #most: number;
  #count = 0;
  #bytes = 0;

  constructor(egress: CancellableEgress, workspaces: Workspaces, most: number) {
    this.#most = most;
    this.#egress = egress;
    this.#workspaces = workspaces;
  }

  /** `file`: where a body too large for a message is laid for the worker. */
  async fetch(request: OutboundFetch, file: string, signal: AbortSignal): Promise<FetchedReply> {
    this.#count += 1;
    if (this.#count > this.#most) throw tooMuch();
    return this.#turns.take(async () => {
      signal.throwIfAborted();
      const body = new FetchedBody(this.#workspaces.fetchedPath());
      try {
        const head = await this.#egress.fetchInto(request, () => (piece) => this.#take(body, piece), signal);
        return { ...head, ...(await body.handTo(file)) };
      } finally {
        await body.drop();
      }
    });
  }

  #take(body: FetchedBody, piece: Buffer): Promise<boolean> | boolean {
    this.#bytes += piece.length;
    return this.#bytes <= EGRESS_LIMITS.pageBytes && body.take(piece);
  }
}
