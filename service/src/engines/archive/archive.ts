// The door to ZIP archives a caller sent: their files by path, and nothing that could do harm. No path leads out, no
// link is followed, and nothing is unpacked before its size is known and allowed.
import type { InputFile } from '../../contract/files.ts';
import { GIB, MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import { readDirectory, type ZipEntry } from './directory.ts';
import type { ArchiveEntry } from './entry.ts';

export interface ArchiveLimits {
  entries: number;
  /** Of all entries together, unpacked. */
  bytes: number;
  /** Unpacked to packed, of all entries together; looked at from 16 MiB on. */
  ratio: number;
}

export interface OpenArchive {
  /** The files in the order of the archive; folders and links are left out, of two with one path the first counts. */
  readonly entries: readonly ArchiveEntry[];
  /** The entry at a path, else the only one that differs in letter case alone. */
  find(path: string): ArchiveEntry | undefined;
  /** Throws unsupported_file_type where the entry is damaged, protected or larger than `maxBytes`. */
  read(entry: ArchiveEntry, maxBytes?: number): Promise<Buffer>;
  close(): void;
}

export interface Archive {
  /** Throws unsupported_file_type where the file is no archive, or one that goes beyond the limits. */
  open(file: InputFile, limits?: Partial<ArchiveLimits>): Promise<OpenArchive>;
}

const ARCHIVE_LIMITS: ArchiveLimits = { entries: 10_000, bytes: GIB, ratio: 250 };
const RATIO_FROM_BYTES = 16 * MIB;

export function createArchive(): { engine: Archive; closeAll(): void } {
  const opened: OpenArchive[] = [];
  return {
    engine: {
      async open(file, limits) {
        const archive = await openArchive(file, limits);
        opened.push(archive);
        return archive;
      },
    },
    closeAll: () => {
      for (const archive of opened) archive.close();
    },
  };
}

/** For engines, which share nothing with the job's own door; whoever opens closes. */
export async function openArchive(file: InputFile, given: Partial<ArchiveLimits> = {}): Promise<OpenArchive> {
  const limits = { ...ARCHIVE_LIMITS, ...given };
  const { entries, close, read } = await readDirectory(file, limits.entries);
  try {
    checkSizes(file.name, entries, limits);
  } catch (error) {
    close();
    throw error;
  }
  const byPath = new Map<string, ZipEntry>();
  for (const entry of entries) if (!byPath.has(entry.path)) byPath.set(entry.path, entry);
  const byLowerPath = Map.groupBy(byPath.values(), ({ path }) => path.toLowerCase());
  return {
    entries: [...byPath.values()],
    find(path) {
      const alike = byLowerPath.get(path.toLowerCase());
      return byPath.get(path) ?? (alike?.length === 1 ? alike[0] : undefined);
    },
    async read({ path }, maxBytes = limits.bytes) {
      const entry = byPath.get(path);
      if (!entry) throw new Error(`no entry ${path}`);
      if (entry.isEncrypted)
        throw new Problem('unsupported_file_type', `${file.name} is protected by a password.`);
      if (entry.size > maxBytes)
        throw new Problem('unsupported_file_type', `${file.name}: ${path} is too large to be unpacked.`);
      return read(entry);
    },
    close,
  };
}

/** Sizes are as the directory says; an entry that holds more than it says is refused when it is read. */
function checkSizes(name: string, entries: readonly ZipEntry[], { bytes, ratio }: ArchiveLimits): void {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  const packed = entries.reduce((sum, { packedSize }) => sum + packedSize, 0);
  if (unpacked > bytes)
    throw new Problem(
      'unsupported_file_type',
      `${name} unpacks to more than the ${Math.floor(bytes / MIB)} MB allowed.`,
    );
  if (unpacked > RATIO_FROM_BYTES && unpacked > packed * ratio)
    throw new Problem('unsupported_file_type', `${name} unpacks to more than ${ratio} times its size.`);
}
