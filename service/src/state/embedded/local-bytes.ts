// Bytes that are kept as a file of this machine.
import { constants, copyFile, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { StoredBytes } from '../state.ts';

export class LocalBytes implements StoredBytes {
  readonly size: number;
  readonly #path: string;

  constructor(path: string, size: number) {
    this.#path = path;
    this.size = size;
  }

  async bringTo(path: string): Promise<void> {
    // Where the file system can, both share their blocks until one is changed.
    await copyFile(this.#path, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  }

  async read(from: number, length: number): Promise<Buffer> {
    const file = await open(this.#path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async stream(from = 0, length = this.size): Promise<Readable> {
    const file = await open(this.#path);
    // A stream that is to end before it begins would read all.
    return file.createReadStream(length > 0 ? { start: from, end: from + length - 1 } : { start: this.size });
  }
}
