// Tables that stand in files of their own beside the code, because others wrote them.
import { readFileSync } from 'node:fs';

/** The rows of a table of this folder, without comments. */
export const readTableFile = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), 'latin1')
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'));
