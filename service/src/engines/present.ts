// Whether a program, library or file of the system is there. Asks the file system only: nothing is started.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from './packages.ts';

/** Folders of programs and of libraries. */
export interface Places {
  path: readonly string[];
  libraryFolders: readonly string[];
}

const LIBRARY_FOLDERS = [
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  '/usr/local/lib',
  '/usr/lib64',
  '/usr/lib',
  '/opt/homebrew/lib',
];

/** `path` is a list of folders with colons between. */
export const placesOf = (path: string): Places => ({
  path: [...path.split(':').filter((folder) => folder !== ''), '/usr/sbin', '/sbin'],
  libraryFolders: LIBRARY_FOLDERS,
});

export function isPresent(evidence: Evidence, places: Places): boolean {
  if ('file' in evidence) return evidence.file.some((file) => existsSync(file));
  const [names, folders] =
    'program' in evidence ? [evidence.program, places.path] : [evidence.library, places.libraryFolders];
  return names.some((name) => folders.some((folder) => existsSync(join(folder, name))));
}
