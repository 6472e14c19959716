// Where a file part goes as it arrives: memory while it is small, else a file in the request's workspace.
import { createHash, type Hash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { JobFile } from '../../../jobs/job.ts';
import type { Workspace } from '../../../jobs/workspace.ts';
import type { Room } from '../held-bytes.ts';
import { FileWriting } from './file-writing.ts';

export interface SpooledFile {
  file: JobFile;
  sha256: string | undefined;
}

export class FileSpool {
  readonly #name: string;
  readonly #workspace: Workspace;
  readonly #room: Room;
  readonly #hash: Hash | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #fileName = '';
  #out: FileWriting | undefined;

  constructor(name: string, workspace: Workspace, room: Room, digest: boolean) {
    this.#name = name;
    this.#workspace = workspace;
    this.#room = room;
    this.#hash = digest ? createHash('sha256') : undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** False: wait for `drained` before sending more. */
  write(chunk: Buffer, drained: () => void): boolean {
    this.#size += chunk.length;
    this.#hash?.update(chunk);
    if (this.#out === undefined) {
      if (this.#size <= LIMITS.spoolBytes && this.#room.take(chunk.length)) {
        this.#chunks.push(chunk);
        return true;
      }
      this.#out = this.#spill();
    }
    return this.#out.write(chunk, drained);
  }

  #spill(): FileWriting {
    this.#fileName = this.#workspace.newFile();
    const out = new FileWriting(this.#workspace.path(this.#fileName));
    for (const kept of this.#chunks) out.write(kept, () => {});
    this.#chunks = [];
    return out;
  }

  async finish(): Promise<SpooledFile> {
    const sha256 = this.#hash?.digest('hex');
    const known = { name: this.#name, size: this.#size };
    const out = this.#out;
    if (out === undefined) return { file: { ...known, content: { chunks: this.#chunks } }, sha256 };
    await out.end();
    return { file: { ...known, content: { file: this.#fileName } }, sha256 };
  }

  /** Ends writing, so that the workspace can be removed. */
  async abandon(): Promise<void> {
    this.#chunks = [];
    await this.#out?.abandon();
  }
}
