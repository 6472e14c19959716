// Bytes that are kept as objects of the bucket: one, or several one after another.
import { Readable } from 'node:stream';
import type { StoredBytes } from '../state.ts';
import { type Objects, pourInto } from './objects.ts';

export interface Piece {
  name: string;
  size: number;
}

export class ObjectBytes implements StoredBytes {
  readonly size: number;
  readonly pieces: readonly Piece[];
  readonly #objects: Objects;

  constructor(objects: Objects, pieces: readonly Piece[]) {
    this.#objects = objects;
    this.pieces = pieces;
    this.size = pieces.reduce((sum, { size }) => sum + size, 0);
  }

  async bringTo(path: string): Promise<void> {
    await pourInto(path, this.part(0, this.size));
  }

  async read(from: number, length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.part(from, length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async stream(from = 0, length = this.size): Promise<Readable> {
    return Readable.from(this.part(from, length), { objectMode: false });
  }

  /** So many of them from a byte on, as they come. */
  async *part(from: number, length: number): AsyncGenerator<Uint8Array> {
    const end = Math.min(this.size, from + length);
    let at = 0;
    for (const { name, size } of this.pieces) {
      const first = Math.max(from, at) - at;
      const past = Math.min(end, at + size) - at;
      at += size;
      if (past <= first) continue;
      const isWhole = first === 0 && past === size;
      yield* await (isWhole ? this.#objects.stream(name) : this.#objects.stream(name, first, past - first));
    }
  }
}
