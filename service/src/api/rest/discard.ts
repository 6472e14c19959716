// An answer given before the body was read. Closing the connection at once would make fetch and Python see a reset
// instead of the answer, so the rest of the body is read and thrown away, within bounds.
import type { IncomingMessage } from 'node:http';
import { GIB } from '../../contract/limits.ts';

const MOST_BYTES = GIB;
const MOST_MS = 60_000;
const CHECK_MS = 1000;

/** Settles when nothing more is to come; undefined where all of the body was read already. */
export function discardBody(request: IncomingMessage): Promise<void> | undefined {
  if (request.complete || request.destroyed) return undefined;
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
  return new Promise((over) => {
    const end = (): void => {
      stop();
      over();
    };
    request.once('end', end).once('close', end);
    request.resume();
  });
}
