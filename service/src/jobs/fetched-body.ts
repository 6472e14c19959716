// What a page loads, on its way from the network to the worker that prints it: never held as a whole by the API process.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { LIMITS } from '../contract/limits.ts';

export class FetchedBody {
  readonly #path: string;
  #pieces: Buffer[] = [];
  #size = 0;
  #file: FileHandle | undefined;

  /** `path`: a file of ours, not yet existing, where no worker can reach it. */
  constructor(path: string) {
    this.#path = path;
  }

  async take(piece: Buffer): Promise<boolean> {
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size <= LIMITS.messageBytes) return true;
    this.#file ??= await open(this.#path, 'wx', 0o600);
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const each of pieces) await this.#file.writeFile(each);
    return true;
  }

  /**
   * The body for a message, or the file that it now is. Renaming follows no link that a subverted worker may have laid
   * where the file goes.
   */
  async handTo(file: string): Promise<{ body: Uint8Array } | { file: string }> {
    if (this.#file === undefined) return { body: Buffer.concat(this.#pieces) };
    await this.#file.close();
    await rename(this.#path, file);
    return { file };
  }

  async drop(): Promise<void> {
    this.#pieces = [];
    await this.#file?.close();
    if (this.#file !== undefined) await rm(this.#path, { force: true });
  }
}
