// One directory per request. Names on disk are ours; the caller's names are only remembered.
// The directory is made when the first file needs it, and removed on every way out.
import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A process that was just killed may still be writing: what it adds is removed in a next try. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 } as const;

interface Places {
  /** Directories of requests that no worker holds. */
  incoming: string;
  /** Result files, out of reach of the worker that made them. */
  results: string;
}

export class Workspace {
  readonly id: string;
  private readonly places: Places;
  private parent: string;
  private made = false;
  /** The result file, once it was taken back. */
  private result: string | undefined;
  private count = 0;

  constructor(places: Places, id: string) {
    this.places = places;
    this.parent = places.incoming;
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

  /** Where a file is: in the directory; a result that was taken back, apart from it. */
  path(file: string): string {
    return this.result === file ? join(this.places.results, `${this.id}-${file}`) : join(this.dir, file);
  }

  /** A file of another directory, under a new name in this one: not a copy. */
  link(from: Workspace, file: string): string {
    const name = this.newFile();
    linkSync(from.path(file), this.path(name));
    // A link that a subverted worker left in its place would lead to any file of ours.
    sizeOfFile(this.path(name));
    return name;
  }

  /** All of it becomes a directory inside another, and is gone with that. */
  moveInto(other: Workspace, name: string): void {
    if (!this.made) return;
    renameSync(this.dir, join(other.dir, name));
    this.made = false;
  }

  /** Moves the directory to where one worker, and no other, can see it. */
  handTo(workerDir: string): void {
    if (this.made) renameSync(this.dir, join(workerDir, this.id));
    this.parent = workerDir;
  }

  /** A worker has made the directory, or may have. */
  noteMade(): void {
    this.made = true;
  }

  /**
   * Takes the directory from the worker, and the result out of the directory: it can then be sent however long that
   * takes, whatever becomes of the worker. Returns the size of the result. Throws where there is no such file; a link
   * that a subverted worker left in its place would lead to any file of ours.
   */
  takeBack(result: string | undefined): number {
    if (this.made) {
      const held = this.dir;
      this.parent = this.places.incoming;
      renameSync(held, this.dir);
      if (!lstatSync(this.dir).isDirectory()) throw new Error('the directory of a job is none any more');
    }
    if (result === undefined) return 0;
    const source = this.path(result);
    this.result = result;
    renameSync(source, this.path(result));
    return sizeOfFile(this.path(result));
  }

  async remove(): Promise<void> {
    if (this.made) await rm(this.dir, REMOVAL);
    if (this.result !== undefined) await rm(this.path(this.result), REMOVAL);
  }
}

function sizeOfFile(path: string): number {
  const found = lstatSync(path);
  if (found.isFile()) return found.size;
  throw new Error(`${path} is not a file`);
}

export class Workspaces {
  readonly root: string;
  private readonly places: Places;

  /** What an earlier life left behind goes first. */
  constructor(root: string) {
    rmSync(root, REMOVAL);
    mkdirSync(root, { recursive: true, mode: 0o700 });
    // Isolation shows a worker its directory under the real path.
    this.root = realpathSync(root);
    this.places = { incoming: join(this.root, 'incoming'), results: join(this.root, 'results') };
    for (const dir of Object.values(this.places)) mkdirSync(dir, { mode: 0o700 });
  }

  /** A path for what comes from the network, out of reach of every worker. */
  fetchedPath(): string {
    return join(this.places.incoming, `fetched-${randomUUID()}`);
  }

  create(): Workspace {
    return new Workspace(this.places, randomUUID());
  }

  /** The one directory a worker can see. */
  openForWorker(workerId: number): string {
    const dir = join(this.root, `worker-${workerId}`);
    mkdirSync(dir, { mode: 0o700 });
    return dir;
  }

  async removeForWorker(workerId: number): Promise<void> {
    await rm(join(this.root, `worker-${workerId}`), REMOVAL);
  }

  /** When every answer is sent and every worker gone. */
  async close(): Promise<void> {
    await rm(this.root, REMOVAL);
  }
}
