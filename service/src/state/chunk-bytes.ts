// Bytes of chunks on their way, counted as they come.
import { type FileHandle, open } from 'node:fs/promises';

/** Where a chunk stands in a file. */
export interface ChunkPlace {
  path: string;
  offset: number;
  length: number;
}

/**
 * Hands on pieces until `length` bytes came; false: there were fewer or more. Stepped by hand, because leaving a
 * `for await` destroys the stream, and with a request's stream goes the connection its answer needs.
 */
export async function pour(
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

export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const { bytesWritten } = await file.write(bytes, written, bytes.byteLength - written, position + written);
    written += bytesWritten;
  }
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
