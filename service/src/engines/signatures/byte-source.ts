// The bytes of a document, read piece by piece: signed documents may be large.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Content } from '../../contract/files.ts';

export interface ByteSource {
  readonly size: number;
  /** Fewer bytes where the document ends before. */
  read(start: number, end: number): Buffer;
  close(): void;
}

const PIECE_BYTES = 1 << 20;

export function openBytes(content: Content): ByteSource {
  if ('bytes' in content) {
    const { bytes } = content;
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { size: all.length, read: (start, end) => all.subarray(start, Math.max(start, end)), close() {} };
  }
  const descriptor = openSync(content.path, 'r');
  return {
    size: fstatSync(descriptor).size,
    read(start, end) {
      const target = Buffer.alloc(Math.max(0, end - start));
      let done = 0;
      while (done < target.length) {
        const got = readSync(descriptor, target, done, target.length - done, start + done);
        if (got === 0) break;
        done += got;
      }
      return target.subarray(0, done);
    },
    close: () => closeSync(descriptor),
  };
}

/** Stretches of a document: where each begins and ends. */
export type Ranges = readonly (readonly [start: number, end: number])[];

export function* piecesOf(source: ByteSource, ranges: Ranges): Generator<Buffer> {
  for (const [start, end] of ranges) {
    for (let at = start; at < end; at += PIECE_BYTES) yield source.read(at, Math.min(end, at + PIECE_BYTES));
  }
}
