// A file on its way to a caller: read into two buffers in turn, the one while the other is sent. A stream that makes a
// buffer of every piece takes twice the time, and leaves as much garbage as the file is long.
import type { FileHandle } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { KIB } from '../../contract/limits.ts';

const BUFFERS = 2;
const BUFFER_BYTES = 256 * KIB;

/** To be piped, as a server does; closes the file when it is sent or given up. */
export class SentFile extends Readable {
  readonly #file: FileHandle;
  readonly #size: number;

  constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }

  override pipe<T extends NodeJS.WritableStream>(target: T): T {
    this.#send(target as unknown as Writable).then(
      () => {
        target.end();
        // It has ended, for those who wait for that.
        this.push(null);
        this.resume();
      },
      (error: Error) => this.destroy(error),
    );
    return target;
  }

  async #send(target: Writable): Promise<void> {
    const isOver = (): boolean => this.destroyed || target.destroyed;
    const sending: Promise<Buffer>[] = [];
    for (let at = 0; at < this.#size; ) {
      const length = Math.min(BUFFER_BYTES, this.#size - at);
      const isNew = sending.length < BUFFERS;
      const buffer = isNew ? Buffer.allocUnsafeSlow(length) : await (sending.shift() as Promise<Buffer>);
      if (isOver()) return;
      const { bytesRead } = await this.#file.read(buffer, 0, Math.min(length, buffer.length), at);
      if (bytesRead === 0) throw new Error('the file became shorter while it was sent');
      if (isOver()) return;
      at += bytesRead;
      // A caller who left is no failure of ours, and is noticed above.
      sending.push(
        new Promise((resolve) => void target.write(buffer.subarray(0, bytesRead), () => resolve(buffer))),
      );
    }
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(
      () => done(error),
      (closing: Error) => done(error ?? closing),
    );
  }
}
