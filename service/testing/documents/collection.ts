// Documents that are there: fixtures, and a collection that may stand beside the clone.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const CORPUS = new URL('../../../../shared/corpus/', import.meta.url);

export const corpusFolder = (name: string): URL => new URL(`${name}/`, CORPUS);

/** The files of a folder of the collection, and none where there is no collection. */
export function corpusFiles(folder: string): { name: string; path: string }[] {
  const dir = corpusFolder(folder);
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.map((name) => ({ name, path: join(decodeURIComponent(dir.pathname), name) }));
}

/** PDFs of a collection that may stand beside the clone; empty where it does not. */
export function corpus(...folders: string[]): string[] {
  return folders.flatMap((folder) => {
    const dir = corpusFolder(folder);
    if (!existsSync(dir)) return [];
    return readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.pdf'))
      .map((name) => new URL(name.split('/').map(encodeURIComponent).join('/'), dir).pathname)
      .map(decodeURIComponent)
      .sort();
  });
}

/** `WHOLE_COLLECTION=1 npm test` asks of every document what is otherwise asked of a spread of them. */
export const WHOLE_COLLECTION = process.env.WHOLE_COLLECTION === '1';

/** Every `share`-th, from `first` on: of every folder some, and the same at every run. */
export const spread = <T>(all: readonly T[], share: number, first = 0): T[] =>
  all.filter((_, index) => WHOLE_COLLECTION || index % share === first);

export const noCorpus = (): string | false => !existsSync(CORPUS) && 'no collection beside the clone';

export const fixture = (name: string): string =>
  new URL(`../../../fixtures/${name}`, import.meta.url).pathname;
