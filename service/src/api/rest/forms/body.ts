// A request body as it comes in: counted, watched for stalls, and never waited for when the caller is gone.
import type { IncomingMessage } from 'node:http';
import { Problem } from '../../../contract/problems.ts';
import { noteYoungBuffer } from '../../../jobs/give-back-memory.ts';
import type { HeldShare } from '../held-bytes.ts';

/** The caller closed the connection: nobody is left to answer. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** A body that brings nothing for so long is given up. */
export const BODY_IDLE_MS = 30_000;

export interface BodyReader {
  chunk(bytes: Buffer): void;
  end(): void;
  fail(error: Problem | ClientGone): void;
}

export interface BodyFlow {
  pause(): void;
  resume(): void;
  /** Forgets the body; what is still to come is discarded by whoever answers. */
  stop(): void;
}

export const tooLarge = (maxBytes: number): Problem =>
  new Problem(
    'payload_too_large',
    `The request body is larger than the ${maxBytes} bytes one request may have.`,
  );

/** Refuses by what the request says of itself, before any of the body is read. */
export function refuseDeclaredSize(request: IncomingMessage, maxBytes: number): void {
  if (declaredSize(request) > maxBytes) throw tooLarge(maxBytes);
}

/** 0 where the request does not say. */
export const declaredSize = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);

/** Bodies are taken as they are: one that was packed on the way would be read as something broken. */
export function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return;
  throw new Problem('bad_request', 'The body has a Content-Encoding; send it as it is, without one.');
}

export function flowBody(request: IncomingMessage, maxBytes: number, reader: BodyReader): BodyFlow {
  let bytes = 0;
  let paused = false;
  const idle = setTimeout(() => {
    // While we are the slow side (a file being written), the caller is not to blame.
    if (paused) return void idle.refresh();
    stop();
    reader.fail(
      new Problem('bad_request', `No part of the body arrived for ${BODY_IDLE_MS / 1000} seconds.`),
    );
  }, BODY_IDLE_MS);
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    idle.refresh();
    noteYoungBuffer(chunk.length);
    if (bytes <= maxBytes) {
      reader.chunk(chunk);
      return;
    }
    stop();
    reader.fail(tooLarge(maxBytes));
  };
  const onEnd = (): void => {
    stop();
    reader.end();
  };
  const onGone = (): void => {
    stop();
    reader.fail(new ClientGone());
  };
  const stop = (): void => {
    clearTimeout(idle);
    request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    // An abort after this point must not become an unhandled 'error'.
    request.on('error', ignore);
  };
  request.on('end', onEnd).on('close', onGone).on('error', onGone).on('data', onData);
  if (request.destroyed) process.nextTick(onGone);
  return {
    pause: () => {
      paused = true;
      request.pause();
    },
    resume: () => {
      paused = false;
      idle.refresh();
      request.resume();
    },
    stop,
  };
}

const ignore = (): void => {};

/** A small body as a whole; `share` holds it, so many times over as what is made of it takes. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  share: HeldShare,
  times = 1,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const flow = flowBody(request, maxBytes, {
      chunk: (bytes) => {
        try {
          share.hold(times * bytes.length);
          chunks.push(bytes);
        } catch (error) {
          flow.stop();
          reject(error);
        }
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
