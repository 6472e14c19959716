// The body of one upload chunk: exactly the bytes expected, handed on as they arrive.
import type { IncomingMessage } from 'node:http';
import { Problem } from '../../contract/problems.ts';
import { BODY_IDLE_MS, ClientGone } from './body.ts';

export interface ChunkBody {
  expectedBytes: number;
  data: AsyncIterable<Uint8Array>;
  wrongSize(): Problem;
  /** Waits for the work on `data`, telling a broken or stalled connection from a failure of ours. */
  guard<T>(work: Promise<T>): Promise<T>;
}

export function chunkOf(request: IncomingMessage, index: number, expectedBytes: number): ChunkBody {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) !== expectedBytes) {
    throw wrongSize(index, expectedBytes, Number(declared));
  }
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
  return {
    expectedBytes,
    data: counted(),
    wrongSize: () => wrongSize(index, expectedBytes, seen),
    guard: async (work) => {
      try {
        return await work;
      } catch (error) {
        if (stalled || request.destroyed) throw new ClientGone();
        throw error;
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
  return new Problem(
    'invalid_parameter',
    `Chunk ${index} must be exactly ${expected} bytes, but ${got} were sent.`,
  );
}
