// Stopping without breaking answers in flight. A connection that falls idle after the close began would otherwise be
// kept for the whole keep-alive time, so idle connections are closed again and again.
import type { FastifyInstance } from 'fastify';

const CLOSE_IDLE_MS = 250;

export class Drain {
  #draining = false;

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Resolves when every answer is sent, or after `graceMs`, when what is left is cut off. */
  async shutdown(app: FastifyInstance, graceMs: number): Promise<void> {
    this.#draining = true;
    const { server } = app;
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    try {
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(deadline);
    }
  }
}
