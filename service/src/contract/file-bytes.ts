// The bytes of files of ours from any place in them, without holding all of them.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { MIB } from './limits.ts';

/** What a file holds: in memory while it is small, else at a path of ours. */
export type Content = { bytes: Uint8Array } | { path: string };

export interface ByteSource {
  readonly size: number;
  /** Fewer bytes where the file ends before. */
  read(start: number, end: number): Buffer;
  close(): void;
}

export function openBytes(content: Content): ByteSource {
  if ('bytes' in content) {
    const { bytes } = content;
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { size: all.length, read: (start, end) => all.subarray(start, Math.max(start, end)), close() {} };
  }
  const descriptor = openSync(content.path, 'r');
  return {
    size: fstatSync(descriptor).size,
    read: (start, end) => readAt(descriptor, start, Math.max(0, end - start)),
    close: () => closeSync(descriptor),
  };
}

/** Opens a file for as long as `use` runs. */
export function withFile<T>(path: string, flags: 'r' | 'r+' | 'wx', use: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags, 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Fills `target` from a place on, and tells how many bytes there were for it. */
export function readInto(descriptor: number, target: Uint8Array, position: number): number {
  for (let done = 0; done < target.length; ) {
    const got = readSync(descriptor, target, done, target.length - done, position + done);
    if (got === 0) return done;
    done += got;
  }
  return target.length;
}

function readAt(descriptor: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readInto(descriptor, bytes, start));
}

export function bytesAt(content: Content, start: number, length: number): Buffer {
  if ('path' in content) return withFile(content.path, 'r', (file) => readAt(file, start, length));
  return Buffer.from(content.bytes.subarray(start, start + length));
}

/** All bytes, piece by piece. */
export function* piecesOf(content: Content): Generator<Uint8Array> {
  const source = openBytes(content);
  try {
    for (let at = 0; at < source.size; at += MIB) yield source.read(at, Math.min(source.size, at + MIB));
  } finally {
    source.close();
  }
}

/** At the end of what was written, or at a place; the system may take fewer bytes at a time. */
export function writeAll(descriptor: number, bytes: Uint8Array, position: number | null = null): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(descriptor, bytes, at, bytes.length - at, position === null ? null : position + at);
}
