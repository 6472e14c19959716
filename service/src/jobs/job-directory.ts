// The directory of one job, as the worker sees it.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LIMITS } from '../contract/limits.ts';

export class JobDirectory {
  readonly dir: string;
  /** Whether the directory was needed. */
  made = false;
  private count = 0;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** It exists from now on. */
  make(): void {
    if (this.made) return;
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    this.made = true;
  }

  /** A path of ours, not yet existing. */
  newFile(extension: string): string {
    this.make();
    this.count += 1;
    return join(this.dir, `out-${this.count}.${extension}`);
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  /** The name inside the directory that crosses the border to the API process. */
  nameOf(path: string): string {
    return relative(this.dir, path);
  }

  /** Whether a file has reached the size a process may write: then that is why writing failed. */
  isOverfull(): boolean {
    if (!this.made) return false;
    return readdirSync(this.dir).some((name) => statSync(this.path(name)).size > LIMITS.resultBytes);
  }
}
