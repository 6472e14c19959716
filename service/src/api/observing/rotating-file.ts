// Lines appended to a file that never grows beyond a bound: a full one gets a number and makes way, the oldest goes.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { MIB } from '../../contract/limits.ts';

export interface RotatingOptions {
  path: string;
  /** Of one file. */
  maxBytes: number;
  /** All of them, the one that is written to among them. */
  files: number;
  /** Lines that could not be written: the disk is full, or slower than they come. */
  lost(lines: number, error?: unknown): void;
}

/** What waits for the disk; what comes beyond it is lost rather than kept in memory. */
const MOST_WAITING_BYTES = 8 * MIB;

export class RotatingFile {
  readonly #options: RotatingOptions;
  #file: FileHandle | undefined;
  #size = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;

  constructor(options: RotatingOptions) {
    this.#options = options;
  }

  /** Throws where it cannot be written to. */
  async open(): Promise<void> {
    // Who may read what people did is the operator's to say.
    this.#file = await open(this.#options.path, 'a', 0o600);
    this.#size = (await this.#file.stat()).size;
  }

  /** `line` without its end. Returns at once. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.#options.lost(1);
      return;
    }
    this.#waiting.push(`${line}\n`);
    this.#waitingBytes += bytes;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      await this.#append(lines).catch((error) => this.#options.lost(lines.length, error));
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    let batch: string[] = [];
    let bytes = 0;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (this.#size + bytes + length > this.#options.maxBytes && this.#size + bytes > 0) {
        await this.#put(batch, bytes);
        await this.#rotate();
        batch = [];
        bytes = 0;
      }
      batch.push(line);
      bytes += length;
    }
    await this.#put(batch, bytes);
  }

  async #put(batch: readonly string[], bytes: number): Promise<void> {
    if (bytes === 0) return;
    if (this.#file === undefined) await this.open();
    await this.#file?.appendFile(batch.join(''));
    this.#size += bytes;
  }

  /** `audit.jsonl` becomes `audit.jsonl.1`, that one `.2`, and so on. */
  async #rotate(): Promise<void> {
    const { path, files } = this.#options;
    await this.#file?.close();
    this.#file = undefined;
    const named = (number: number): string => (number === 0 ? path : `${path}.${number}`);
    await rm(named(files - 1), { force: true });
    for (let number = files - 2; number >= 0; number -= 1)
      await rename(named(number), named(number + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    await this.open();
  }

  /** With what still waits. */
  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }
}
