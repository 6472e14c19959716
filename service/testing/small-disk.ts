// A file system of a few megabytes, for tests of what happens when it is full.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  dir: string;
  /** Takes all that is left but so many bytes. */
  fill(leftBytes?: number): void;
  empty(): void;
  remove(): void;
}

/** Undefined where this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir]);
  if (mounted.status !== 0) {
    rmdirSync(dir);
    return undefined;
  }
  const filler = join(dir, 'filler');
  return {
    dir,
    fill(leftBytes = 0) {
      const descriptor = openSync(filler, 'w');
      const block = Buffer.alloc(4096);
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(dir);
          if (bavail * bsize <= leftBytes) break;
          writeSync(descriptor, block);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(descriptor);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      // What was just killed may hold it for a moment.
      spawnSync('umount', ['--lazy', dir]);
      rmdirSync(dir);
    },
  };
}
