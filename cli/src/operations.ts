// Which operation the words on the command line mean.
import { CATALOGUE, type CatalogueEntry, nearestName } from '@bindery/sdk/catalogue';
import { UsageError } from './command.ts';
import { GROUP_SUMMARIES } from './overview.ts';

export interface Chosen {
  /** Such as convert/html/pdf. */
  path: string;
  entry: CatalogueEntry;
}

/** The operations of a group under the names they are called by: rotate-pdf, html/pdf. */
export function operationsOf(group: string): Record<string, CatalogueEntry> {
  const own = Object.entries(CATALOGUE).filter(([path]) => path.startsWith(`${group}/`));
  return Object.fromEntries(own.map(([path, entry]) => [path.slice(group.length + 1), entry]));
}

export const isGroup = (word: string): boolean => Object.hasOwn(GROUP_SUMMARIES, word);

/** `convert html/pdf`, or `convert html-to-pdf` for shells where a slash is a nuisance. */
export function chooseOperation(group: string, name: string): Chosen {
  const operations = operationsOf(group);
  const found = [name, name.replace('-to-', '/')].find((candidate) => Object.hasOwn(operations, candidate));
  const entry = found === undefined ? undefined : operations[found];
  if (found === undefined || entry === undefined) {
    const near = nearestName(name, Object.keys(operations));
    const advice = near ? `; did you mean ${near}?` : '';
    throw new UsageError(`"${name}" is not an operation of ${group}${advice} (see bindery ${group} --help)`);
  }
  return { path: `${group}/${found}`, entry };
}

/** `names` are all that could have been meant. */
export function notACommand(word: string, names: readonly string[]): UsageError {
  const near = nearestName(word, names);
  return new UsageError(
    `"${word}" is not a command${near ? `; did you mean ${near}?` : ''} (see bindery --help)`,
  );
}
