// Stopping without breaking answers in flight. A connection that falls idle after the close began would otherwise be
// kept for the whole keep-alive time, so idle connections are closed again and again.
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import { sendProblem } from './problems.ts';

const CLOSE_IDLE_MS = 250;
/** For requests that were on their way when we stopped to listen. */
const LAST_REQUESTS_MS = 1000;
/** For the last answers to be sent. */
const LAST_ANSWERS_MS = 300;

export class Drain {
  #draining = false;
  readonly #open = new Map<FastifyReply, FastifyRequest>();

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Knows what is under way from now on. */
  follow(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#open.set(reply, request);
      reply.raw.once('close', () => this.#open.delete(reply));
      done();
    });
  }

  /**
   * Resolves when every answer is sent, or after `graceMs`, when what is left is told so and cut off. Before, calls are
   * taken for `lingerMs` more: a proxy that has not heard yet that we stop would lose what it sends us.
   */
  async shutdown(app: FastifyInstance, graceMs: number, lingerMs = 0): Promise<void> {
    this.#draining = true;
    if (lingerMs > 0) {
      await sleep(lingerMs);
      // Nobody new can connect; who did just now is still heard.
      NetServer.prototype.close.call(app.server);
      await sleep(LAST_REQUESTS_MS);
    }
    const { server } = app;
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    let cut: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      this.#refuseOpen();
      cut = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    }, graceMs);
    try {
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(deadline);
      clearTimeout(cut);
    }
  }

  /** Whoever waits is to know that the call was not done, and can be sent again. */
  #refuseOpen(): void {
    const stopping = new Problem('unavailable', 'The service is being stopped; the call was not finished.');
    for (const [reply, request] of this.#open)
      if (!reply.sent && !reply.raw.headersSent) sendProblem(request, reply, stopping);
  }
}
