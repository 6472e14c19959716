// Bytes of chunks on their way into the one sparse file of an upload.
import { type FileHandle, open } from 'node:fs/promises';

/** Where a chunk stands in its upload's file. */
export interface ChunkPlace {
  path: string;
  offset: number;
  length: number;
}

export async function createSparseFile(path: string, size: number): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.truncate(size);
  } finally {
    await file.close();
  }
}

/**
 * Hands on pieces until `length` bytes came; false: there were fewer or more. Stepped by hand, because leaving a
 * `for await` destroys the stream, and with a request's stream goes the connection its answer needs.
 */
async function pour(
  data: AsyncIterable<Uint8Array>,
  length: number,
  write: (piece: Uint8Array, at: number) => Promise<void>,
): Promise<boolean> {
  const pieces = data[Symbol.asyncIterator]();
  let at = 0;
  for (;;) {
    const { done, value: piece } = await pieces.next();
    if (done) return at === length;
    if (at + piece.byteLength > length) return false;
    await write(piece, at);
    at += piece.byteLength;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, position + written);
    written += bytesWritten;
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

/** A re-send is received beside the upload, so that its failure leaves what had arrived as it was. */
export async function receiveAside(
  path: string,
  length: number,
  data: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const file = await open(path, 'wx', 0o600);
  try {
    return await pour(data, length, (piece, at) => writeAll(file, piece, at));
  } finally {
    await file.close();
  }
}

/** Whether these are the bytes that stand there already. */
export async function comparedWith(
  place: ChunkPlace,
  data: AsyncIterable<Uint8Array>,
): Promise<'same' | 'other' | 'wrong_size'> {
  const file = await open(place.path, 'r');
  let same = true;
  try {
    const isWhole = await pour(data, place.length, async (piece, at) => {
      if (!same) return;
      const held = Buffer.alloc(piece.byteLength);
      const { bytesRead } = await file.read(held, 0, held.length, place.offset + at);
      same = bytesRead === held.length && held.equals(piece);
    });
    if (!isWhole) return 'wrong_size';
    return same ? 'same' : 'other';
  } finally {
    await file.close();
  }
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
