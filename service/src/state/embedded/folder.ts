// A folder whose files belong to rows of the database. A file without a row is an orphan, unless it is held:
// its row is about to be written, or it is a passing one.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** How many rows are looked at before others get their turn: some milliseconds. */
export const ROWS_AT_ONCE = 500;

export interface Folder {
  pathOf(name: string): string;
  /** Keeps the sweep away from a file until `work` has ended. */
  holding<T>(name: string, work: () => Promise<T>): Promise<T>;
  isHeld(name: string): boolean;
  remove(name: string): Promise<void>;
  removeOrphans(hasRow: (name: string) => boolean): Promise<number>;
  names(): Promise<string[]>;
}

export async function openFolder(path: string): Promise<Folder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const held = new Set<string>();
  const pathOf = (name: string) => join(path, name);
  const remove = (name: string) => rm(pathOf(name), { force: true, recursive: true });
  return {
    pathOf,
    remove,
    isHeld: (name) => held.has(name),
    async holding(name, work) {
      held.add(name);
      try {
        return await work();
      } finally {
        held.delete(name);
      }
    },
    async removeOrphans(hasRow) {
      let removed = 0;
      for (const [at, name] of (await readdir(path)).entries()) {
        // Callers are served in between.
        if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
        // Asked right before removing, and a name is never used twice: nothing can come in between.
        if (held.has(name) || hasRow(name)) continue;
        await remove(name);
        removed += 1;
      }
      return removed;
    },
    names: () => readdir(path),
  };
}
