// Clients of before 2026 do not end a call by closing it: they send a second message that names it. Nothing is kept
// between calls, so such a client is given a session id that it repeats, only to tell its calls from those of others.
import { randomUUID } from 'node:crypto';
import type { Message } from './messages.ts';

export const SESSION_HEADER = 'mcp-session-id';
const SANE_SESSION = /^[\w-]{1,64}$/;

export class OlderSessions {
  readonly #running = new Map<string, AbortController>();

  /** What this message means for others: a session to be named in the answer, a signal that ends its own work. */
  enter(
    keyId: string,
    session: string | undefined,
    { id, method, params }: Message,
  ): { newSession?: string; cancelled?: AbortSignal; leave(): void } {
    if (method === 'initialize') return { newSession: randomUUID(), leave: () => {} };
    if (session === undefined || !SANE_SESSION.test(session)) return { leave: () => {} };
    const place = (requestId: unknown) => `${keyId}/${session}/${JSON.stringify(requestId)}`;
    if (method === 'notifications/cancelled') this.#running.get(place(params?.requestId))?.abort();
    if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number'))
      return { leave: () => {} };
    const controller = new AbortController();
    const own = place(id);
    this.#running.set(own, controller);
    return {
      cancelled: controller.signal,
      leave: () => {
        if (this.#running.get(own) === controller) this.#running.delete(own);
      },
    };
  }
}
