// Bodies that are stored as they arrive; that of an upload chunk has exactly the bytes expected.
import type { IncomingMessage } from 'node:http';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import { BODY_IDLE_MS, ClientGone } from './body.ts';

export interface WatchedBody {
  data: AsyncIterable<Uint8Array>;
  seenBytes(): number;
  /** Waits for the work on `data`, telling a broken or stalled connection from a failure of ours. */
  guard<T>(work: Promise<T>): Promise<T>;
}

export interface ChunkBody extends WatchedBody {
  expectedBytes: number;
  wrongSize(): Problem;
}

export function chunkOf(request: IncomingMessage, index: number, expectedBytes: number): ChunkBody {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) !== expectedBytes) {
    throw wrongSize(index, expectedBytes, Number(declared));
  }
  const body = watched(request);
  return { ...body, expectedBytes, wrongSize: () => wrongSize(index, expectedBytes, body.seenBytes()) };
}

/** A body piece by piece, given up where nothing comes for too long. */
export function watched(request: IncomingMessage): WatchedBody {
  let seen = 0;
  let stalled = false;
  async function* counted(): AsyncGenerator<Uint8Array> {
    const idle = setTimeout(() => {
      stalled = true;
      request.destroy();
    }, BODY_IDLE_MS);
    try {
      // Leaving early must not destroy the connection: the answer still has to go out on it.
      for await (const bytes of request.iterator({ destroyOnReturn: false })) {
        seen += bytes.length;
        idle.refresh();
        yield bytes;
      }
    } finally {
      clearTimeout(idle);
    }
  }
  const data = counted();
  return {
    data,
    seenBytes: () => seen,
    guard: async (work) => {
      try {
        return await work;
      } catch (error) {
        if (stalled || request.destroyed) throw new ClientGone();
        throw error;
      } finally {
        // A body refused in its midst is read on by whoever answers; its watch must not end the connection later.
        void data.return(undefined);
      }
    },
  };
}

function wrongSize(index: number, expected: number, got: number): Problem {
  if (got > expected) {
    return new Problem(
      'payload_too_large',
      `Chunk ${index} must be exactly ${expected} bytes; more was sent.`,
      {
        hint: 'Cut the file into chunks of chunkSize bytes; the last is the remainder.',
      },
    );
  }
  return invalidParameter(`Chunk ${index} must be exactly ${expected} bytes, but ${got} were sent.`);
}
