// Clients of before 2026 do not end a call by closing it: they send a second message that names it. Nothing is kept
// between calls, so such a client is given a session id that it repeats, only to tell its calls from those of others.
import { randomUUID } from 'node:crypto';

export const SESSION_HEADER = 'mcp-session-id';
const SANE_SESSION = /^[\w-]{1,64}$/;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

export class OlderSessions {
  readonly #running = new Map<string, AbortController>();

  /** What this message means for others: a session to be named in the answer, a signal that ends its own work. */
  enter(
    keyId: string,
    session: string | undefined,
    body: Buffer,
  ): { newSession?: string; cancelled?: AbortSignal; leave(): void } {
    const { id, method, params } = readMessage(body);
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

function readMessage(body: Buffer): Message {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    // The protocol's own reader says what is wrong with it.
    return {};
  }
}
