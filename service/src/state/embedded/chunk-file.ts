// Bytes of chunks on their way into the one sparse file of an upload.
import { open } from 'node:fs/promises';
import { type ChunkPlace, pour, writeAll } from '../chunk-bytes.ts';

export async function createSparseFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.truncate(size);
  } finally {
    await file.close();
  }
}

/** A first send, written in place: nothing stands there yet that it could spoil. */
export interface DirectSend {
  /** True when it came whole. After `yieldPlace` it goes on reading, and writes no more. */
  receive(place: ChunkPlace, data: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Another send of the same chunk came whole first: resolves when this one has ceased to write. */
  yieldPlace(): Promise<void>;
  hasYielded(): boolean;
}

export function createDirectSend(): DirectSend {
  let yielded = false;
  let writing: Promise<void> = Promise.resolve();
  return {
    async receive(place, data) {
      const file = await open(place.path, 'r+');
      try {
        return await pour(data, place.length, async (piece, at) => {
          if (yielded) return;
          writing = writeAll(file, piece, place.offset + at);
          await writing;
        });
      } finally {
        await file.close();
      }
    },
    async yieldPlace() {
      yielded = true;
      // Whether its last write failed is for its own caller to hear.
      await writing.catch(() => {});
    },
    hasYielded: () => yielded,
  };
}

const COPY_BYTES = 256 * 1024;

export async function copyInto(place: ChunkPlace, from: string): Promise<void> {
  const source = await open(from, 'r');
  try {
    const target = await open(place.path, 'r+');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, place.length));
      for (let at = 0; at < place.length; ) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new Error('A chunk received is shorter than it was.');
        await writeAll(target, buffer.subarray(0, bytesRead), place.offset + at);
        at += bytesRead;
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
