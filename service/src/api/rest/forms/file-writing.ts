// A file written behind whoever brings its bytes: some chunks together, one write at a time, off the event loop.
import { close, open, writev } from 'node:fs';
import { KIB } from '../../../contract/limits.ts';

/** So much is written together: each write costs two changes of thread. */
const TOGETHER_BYTES = 256 * KIB;
/** Beyond this, whoever brings more is to wait. */
const MOST_BYTES = 512 * KIB;
/** IOV_MAX of Linux. */
const MOST_CHUNKS = 1024;

export class FileWriting {
  #file: number | undefined;
  #isBusy = true;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #inFlightBytes = 0;
  #isEnding = false;
  #isClosed = false;
  #failure: Error | undefined;
  #drained: (() => void)[] = [];
  #closed: (() => void)[] = [];

  /** A new file, for nobody else to read. */
  constructor(path: string) {
    open(path, 'wx', 0o600, (error, file) => {
      this.#file = file;
      this.#isBusy = false;
      if (error) this.#fail(error);
      this.#goOn();
    });
  }

  /** False: wait for `drained` before bringing more. After a failure nothing is kept, and nobody waits. */
  write(chunk: Buffer, drained: () => void): boolean {
    if (this.#failure !== undefined) return true;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    this.#goOn();
    if (this.#waitingBytes + this.#inFlightBytes <= MOST_BYTES) return true;
    this.#drained.push(drained);
    return false;
  }

  /** Resolves when all is written and the file is closed; rejects with what went wrong. */
  async end(): Promise<void> {
    await this.#close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Closes the file without what was not written yet. */
  async abandon(): Promise<void> {
    this.#forget();
    await this.#close();
  }

  #close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      this.#closed.push(resolve);
      this.#isEnding = true;
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#isBusy || this.#isClosed) return;
    if (this.#waitingBytes >= TOGETHER_BYTES || (this.#isEnding && this.#waitingBytes > 0)) this.#writeSome();
    else if (this.#isEnding) this.#closeFile();
  }

  #writeSome(): void {
    const chunks = this.#waiting.splice(0, MOST_CHUNKS);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    this.#waitingBytes -= bytes;
    this.#inFlightBytes = bytes;
    this.#isBusy = true;
    writev(this.#file as number, chunks, null, (error, written) => {
      this.#isBusy = false;
      this.#inFlightBytes = 0;
      // A disk that is nearly full takes a part of it, without an error; the next write tells.
      const rest = error ? [] : unwritten(chunks, written);
      if (error) this.#fail(error);
      else if (written === 0) this.#fail(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
      else if (rest.length > 0) {
        this.#waiting.unshift(...rest);
        this.#waitingBytes += bytes - written;
        // Not before it is gone, however little it is.
        return this.#writeSome();
      }
      this.#goOn();
      this.#letComeOn();
    });
  }

  #closeFile(): void {
    this.#isBusy = true;
    const closed = (error?: Error | null): void => {
      this.#failure ??= error ?? undefined;
      this.#isClosed = true;
      for (const resolve of this.#closed.splice(0)) resolve();
    };
    if (this.#file === undefined) closed();
    else close(this.#file, closed);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#forget();
    // Whoever waits for room would wait for ever.
    this.#letComeOn();
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #letComeOn(): void {
    if (this.#waitingBytes + this.#inFlightBytes > MOST_BYTES) return;
    for (const drained of this.#drained.splice(0)) drained();
  }
}

function unwritten(chunks: readonly Buffer[], written: number): Buffer[] {
  const rest: Buffer[] = [];
  let left = written;
  for (const chunk of chunks) {
    if (left < chunk.length) rest.push(chunk.subarray(left));
    left = Math.max(0, left - chunk.length);
  }
  return rest;
}
