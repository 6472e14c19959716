// The protocol of Chromium's developer tools over two pipes: messages of JSON with a zero byte after each.
import type { Readable, Writable } from 'node:stream';

export type Params = Record<string, unknown>;

export interface ProtocolEvent {
  method: string;
  params: Params;
  sessionId?: string;
}

interface Answer {
  id: number;
  result?: Params;
  error?: { message?: string };
}

/** The browser refused a command; its words, for us to understand and never for a caller. */
export class CommandRefused extends Error {
  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CommandRefused';
  }
}

/** The browser itself is gone, with all its pages; its last words, for the log. */
export class BrowserEnded extends Error {}

export class Connection {
  private readonly input: Writable;
  private readonly waiting = new Map<number, { method: string; asked: PromiseWithResolvers<Params> }>();
  private readonly listeners = new Set<(event: ProtocolEvent) => void>();
  private pieces: Buffer[] = [];
  private nextId = 1;
  private closed: Error | undefined;
  private readonly end = Promise.withResolvers<never>();
  /** Rejects when nothing more will be heard. */
  readonly ended = this.end.promise;

  constructor(input: Writable, output: Readable) {
    this.input = input;
    this.ended.catch(() => {});
    output.on('data', (chunk: Buffer) => this.take(chunk));
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    if (this.closed) return Promise.reject(this.closed);
    const id = this.nextId;
    this.nextId += 1;
    const asked = Promise.withResolvers<Params>();
    this.waiting.set(id, { method, asked });
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return asked.promise;
  }

  /** For commands whose failure changes nothing: the page they are about may be gone. */
  tell(method: string, params: Params = {}, sessionId?: string): void {
    this.send(method, params, sessionId).catch(() => {});
  }

  /** Returns how to stop listening. */
  listen(listener: (event: ProtocolEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(reason: Error): void {
    this.closed ??= reason;
    for (const { asked } of this.waiting.values()) asked.reject(this.closed);
    this.waiting.clear();
    this.end.reject(this.closed);
  }

  private take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.pieces.push(chunk.subarray(from, end));
      const text = Buffer.concat(this.pieces).toString('utf8');
      this.pieces = [];
      from = end + 1;
      this.hear(JSON.parse(text) as Answer | ProtocolEvent);
    }
    if (from < chunk.length) this.pieces.push(chunk.subarray(from));
  }

  private hear(message: Answer | ProtocolEvent): void {
    if (!('id' in message)) {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) {
      waiting?.asked.reject(new CommandRefused(waiting.method, message.error.message ?? 'refused'));
    } else waiting?.asked.resolve(message.result ?? {});
  }
}
