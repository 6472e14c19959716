// Which files an agent may read and write: those under folders that the user named, wherever links lead.
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { BinderyError } from '@bindery/sdk';

export class AllowedFolders {
  readonly #folders: readonly string[];

  constructor(folders: readonly string[]) {
    this.#folders = folders.map((folder) => realpathSync(resolve(folder)));
  }

  get list(): readonly string[] {
    return this.#folders;
  }

  /** The real path of a file that is there. */
  input(path: string): string {
    const real = attempt(() => realpathSync(this.#absolute(path)));
    if (real === undefined || !this.#holds(real)) throw this.#unreadable(path, real);
    if (!statSync(real).isFile()) throw unreadable(`${path} is no file.`);
    return real;
  }

  /** The real path of a folder that is there. */
  folder(path: string): string {
    const real = attempt(() => realpathSync(this.#absolute(path)));
    if (real === undefined || !this.#holds(real)) throw this.#unreadable(path, real);
    if (!statSync(real).isDirectory()) throw unreadable(`${path} is no folder.`);
    return real;
  }

  /** A path for a new file; its folder is made where it does not exist. */
  output(path: string): string {
    const wanted = this.#absolute(path);
    if (attempt(() => statSync(wanted).isDirectory())) throw unwritable(`${path} is a folder.`);
    const existing = nearestExisting(dirname(wanted));
    const real = join(realpathSync(existing), dirname(wanted).slice(existing.length));
    if (!this.#holds(real)) throw unwritable(this.#outside(path));
    written(path, () => mkdirSync(real, { recursive: true }));
    return join(real, basename(wanted));
  }

  /**
   * An empty file that holds the place for what will be written: agents make several calls at once. Undefined where the
   * name is taken.
   */
  takePlace(path: string): string | undefined {
    if (existsSync(path)) return undefined;
    const place = this.output(path);
    return written(path, () => {
      try {
        writeFileSync(place, '', { flag: 'wx' });
        return place;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
        throw error;
      }
    });
  }

  /** What is not absolute starts at the first folder. */
  #absolute(path: string): string {
    return isAbsolute(path) ? resolve(path) : resolve(this.#folders[0] ?? '.', path);
  }

  #holds(path: string): boolean {
    return this.#folders.some(
      (folder) => path === folder || path.startsWith(folder === sep ? sep : folder + sep),
    );
  }

  #unreadable(path: string, real: string | undefined): BinderyError {
    if (real === undefined) return unreadable(`${path} cannot be read: there is no such file.`);
    return unreadable(this.#outside(path));
  }

  #outside(path: string): string {
    return `${path} is outside of the allowed folders: ${this.#folders.join(', ')}.`;
  }
}

const unreadable = (message: string): BinderyError =>
  new BinderyError(message, {
    code: 'input_unreadable',
    reason: 'input_unreadable',
    hint: 'Name a file under one of the folders in BINDERY_ALLOWED_DIRS.',
  });

const unwritable = (message: string): BinderyError =>
  new BinderyError(`output_name: ${message}`, {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Name a new file under one of the folders in BINDERY_ALLOWED_DIRS.',
  });

function written<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
    );
  }
}

function nearestExisting(folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (attempt(() => statSync(at)) || at === dirname(at)) return at;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
