// The documents that calls are made on: the collection beside the clone, else the fixtures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';

export interface SameDocument {
  /** Within its collection. */
  name: string;
  path: string;
  extension: string;
  password?: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
export const COLLECTION = resolve(ROOT, '../shared/corpus');
const FIXTURES = join(ROOT, 'fixtures');

export function findDocuments(): SameDocument[] {
  const folder = existsSync(COLLECTION) ? COLLECTION : FIXTURES;
  const passwords = passwordsOf(folder);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: relative(folder, path),
      path,
      extension: extname(path).slice(1).toLowerCase(),
      password: passwords.get(basename(path)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** INDEX.tsv of the collection has a column for them. */
function passwordsOf(folder: string): Map<string, string> {
  const index = join(folder, 'INDEX.tsv');
  if (!existsSync(index)) return new Map();
  const [head = [], ...rows] = readFileSync(index, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  const password = head.indexOf('password');
  return new Map(
    rows.filter((row) => row[password]).map((row) => [basename(row[0] ?? ''), row[password] ?? '']),
  );
}
