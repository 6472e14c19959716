// The directory of one job, as the worker sees it.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { GIB, LIMITS } from '../contract/limits.ts';
import { Problem } from '../contract/problems.ts';

/** Files of the job's own begin so; those it came with do not. */
const MADE = 'out-';

const tooManyBytes = (): Problem =>
  new Problem(
    'bad_request',
    `The files that this call makes take more than ${LIMITS.jobBytes / GIB} GiB together.`,
    { hint: 'Send a smaller document, or ask for fewer parts at once.' },
  );

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export class JobDirectory {
  readonly dir: string;
  /** Whether the directory was needed. */
  made = false;
  private count = 0;
  private readonly mostBytes: number;
  /** What was made, all that was removed meanwhile included. */
  private bytes = 0;
  private latest: string | undefined;

  constructor(dir: string, mostBytes: number = LIMITS.jobBytes) {
    this.dir = dir;
    this.mostBytes = mostBytes;
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
    this.weigh();
    this.count += 1;
    this.latest = join(this.dir, `${MADE}${this.count}.${extension}`);
    return this.latest;
  }

  /** Removes what no later step needs: all but these files. */
  keepOnly(paths: readonly string[]): void {
    if (!this.made) return;
    const kept = new Set(paths.map((path) => relative(this.dir, path).split(sep)[0]));
    for (const name of readdirSync(this.dir))
      if (!kept.has(name)) rmSync(this.path(name), { recursive: true, force: true });
  }

  /** What one job writes must not fill the disk of all. */
  private weigh(): void {
    this.bytes += this.latest === undefined ? 0 : sizeOf(this.latest);
    if (this.bytes <= this.mostBytes) return;
    this.bytes = readdirSync(this.dir)
      .filter((name) => name.startsWith(MADE))
      .reduce((sum, name) => sum + sizeOf(this.path(name)), 0);
    if (this.bytes > this.mostBytes) throw tooManyBytes();
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
