// pdf_list_files: what lies in the allowed folders, so that an agent finds files without another tool.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AllowedFolders } from './folders.ts';
import { typeOfName } from './tool-results.ts';

export const LIST = z.object({
  folder: z.string('must be a path').min(1, 'must be a path').optional(),
  search: z.string('must be text').max(200, 'must be text of at most 200 characters').optional(),
});

/** As many as an agent can read; more are counted. */
const MOST_LISTED = 200;
/** A folder of any size is looked through no further. */
const MOST_SEEN = 20_000;
const DEEPEST = 12;

export function listFiles(
  folders: AllowedFolders,
  { folder, search = '' }: z.output<typeof LIST>,
): Record<string, unknown> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const roots = folder === undefined ? folders.list : [folders.folder(folder)];
  const seen = { count: 0 };
  const found = roots
    .flatMap((root) => [...filesUnder(root, DEEPEST, seen)])
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .sort((a, b) => b.changed - a.changed);
  return {
    folders: folders.list,
    files: found.slice(0, MOST_LISTED).map(({ path, size, changed }) => ({
      path,
      size,
      media_type: typeOfName(path) ?? 'application/octet-stream',
      modified: new Date(changed).toISOString(),
    })),
    ...(found.length > MOST_LISTED || seen.count >= MOST_SEEN ? { truncated: true } : {}),
  };
}

interface Found {
  path: string;
  name: string;
  size: number;
  changed: number;
}

/** Links are not followed, names that begin with a dot are not shown. */
function* filesUnder(folder: string, depth: number, seen: { count: number }): Generator<Found> {
  for (const entry of entriesOf(folder)) {
    if (seen.count >= MOST_SEEN) return;
    seen.count += 1;
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) yield* filesUnder(path, depth - 1, seen);
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = statSync(path);
    yield { path, name: entry.name, size, changed: mtimeMs };
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
