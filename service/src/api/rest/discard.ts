// An answer given before the body was read. Closing the connection at once would make fetch and Python see a reset
// instead of the answer, so the rest of the body is read and thrown away, within bounds.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GIB } from '../../contract/limits.ts';

const MOST_BYTES = GIB;
const MOST_MS = 60_000;
const CHECK_MS = 1000;

/**
 * The answer at once, its end when the request has ended: with the end of an answer Node closes a connection that is not
 * kept, and a caller still sending would see that instead of the answer.
 */
export function endAfterBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const rest = discardBody(request.raw);
    if (rest === undefined) return done(null, payload);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload))
      return void rest.then(() => done(null, payload));
    const body = Buffer.from(payload);
    reply.header('content-length', String(body.length));
    done(null, Readable.from(endingAfter(body, rest)));
  });
}

async function* endingAfter(body: Buffer, rest: Promise<void>): AsyncGenerator<Buffer> {
  yield body;
  await rest;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Settles when nothing more is to come; undefined where all of the body was read already. */
export function discardBody(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete || request.destroyed || !hasBody(request)) return undefined;
  const { socket } = request;
  const startedAt = Date.now();
  const startedBytes = socket.bytesRead;
  let seen = startedBytes;
  const stop = (): void => clearInterval(watch);
  const watch = setInterval(() => {
    const stalled = socket.bytesRead === seen && Date.now() - startedAt > 10 * CHECK_MS;
    seen = socket.bytesRead;
    if (stalled || Date.now() - startedAt > MOST_MS || seen - startedBytes > MOST_BYTES) socket.destroy();
    if (request.complete || socket.destroyed) stop();
  }, CHECK_MS);
  watch.unref();
  request.on('error', () => {});
  request.removeAllListeners('data');
  // One who listens for 'readable' would keep the body from flowing; where nobody does, removing would stop the flow.
  if (request.listenerCount('readable') > 0) request.removeAllListeners('readable');
  return new Promise((over) => {
    const end = (): void => {
      stop();
      over();
    };
    request.once('end', end).once('close', end);
    request.resume();
  });
}
