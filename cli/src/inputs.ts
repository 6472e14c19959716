// Files named on the command line: paths, patterns the shell left alone, and standard input.
import * as fs from 'node:fs';
import { basename } from 'node:path';
import type { FileSource } from '@bindery/sdk';
import { UsageError } from './command.ts';

export const STANDARD_INPUT = '-';

export interface Input {
  /** As the user knows it. */
  label: string;
  /** Its name without folders. */
  name: string;
  source: FileSource;
}

/** `extension` is what standard input most likely holds: text is told from other text by its name. */
export function readInputs(words: readonly string[], extension = ''): Input[] {
  const paths = words.flatMap(expanded);
  if (paths.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw new UsageError('standard input (-) can be read only once');
  }
  return paths.map((path) =>
    path === STANDARD_INPUT
      ? standardInput(`stdin${extension && `.${extension}`}`)
      : { label: path, name: basename(path), source: path },
  );
}

const standardInput = (name: string): Input => ({
  label: 'standard input',
  name,
  source: { name, content: process.stdin },
});

function expanded(word: string): string[] {
  if (word === STANDARD_INPUT || fs.existsSync(word) || !/[*?[{]/.test(word)) return [word];
  if (typeof fs.globSync !== 'function')
    throw new UsageError(`there is no file ${word}; without quotes the shell finds files by a pattern`);
  const found = fs.globSync(word).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (found.length === 0) throw new UsageError(`no file is named like ${word}`);
  return found;
}
