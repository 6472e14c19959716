// One directory per request. Names on disk are ours; the caller's names are only remembered.
// The directory is made when the first file needs it, and removed on every way out.
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export class Workspace {
  readonly id: string;
  private parent: string;
  private made = false;
  private count = 0;

  constructor(parent: string, id: string) {
    this.parent = parent;
    this.id = id;
  }

  get dir(): string {
    return join(this.parent, this.id);
  }

  /** A new name in the directory, which exists from now on. */
  newFile(): string {
    if (!this.made) {
      mkdirSync(this.dir, { mode: 0o700 });
      this.made = true;
    }
    this.count += 1;
    return `in-${this.count}`;
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  /** Moves the directory to where one worker, and no other, can see it. */
  moveInto(parent: string): void {
    if (this.made) renameSync(this.dir, join(parent, this.id));
    this.parent = parent;
  }

  /** A worker has made the directory, or may have. */
  noteMade(): void {
    this.made = true;
  }

  async remove(): Promise<void> {
    if (this.made) await rm(this.dir, { recursive: true, force: true });
  }
}

export class Workspaces {
  readonly root: string;
  private readonly incoming: string;

  /** What an earlier life left behind goes first. */
  constructor(root: string) {
    this.root = root;
    this.incoming = join(root, 'incoming');
    rmSync(root, { recursive: true, force: true });
    mkdirSync(this.incoming, { recursive: true, mode: 0o700 });
  }

  create(): Workspace {
    return new Workspace(this.incoming, randomUUID());
  }

  /** The one directory a worker can see. */
  async openForWorker(workerId: number): Promise<string> {
    const dir = join(this.root, `worker-${workerId}`);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return dir;
  }

  async removeForWorker(workerId: number): Promise<void> {
    await rm(join(this.root, `worker-${workerId}`), { recursive: true, force: true });
  }
}
