// Faults of this machine: a full disk, no more open files, a database that is locked. They are nobody's document's
// doing, and pass: whoever meets one is told to come again.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { MIB } from './limits.ts';

export type MachineFault = 'insufficient_storage' | 'unavailable';

/** Codes of the operating system. */
const CODES: Record<string, MachineFault> = {
  ENOSPC: 'insufficient_storage',
  EDQUOT: 'insufficient_storage',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
  EIO: 'unavailable',
  EROFS: 'unavailable',
  EAGAIN: 'unavailable',
};

/** Primary result codes of SQLite: busy, locked, read-only, failed reading or writing, full, cannot be opened. */
const SQLITE: Record<number, MachineFault> = {
  5: 'unavailable',
  6: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  13: 'insufficient_storage',
  14: 'unavailable',
};

/** What libraries and programs say, in the words of the C library. */
const WORDS: readonly [RegExp, MachineFault][] = [
  [/no space left on (?:the )?device|disk quota exceeded|database or disk is full/i, 'insufficient_storage'],
  [/too many open files|input\/output error|database is locked/i, 'unavailable'],
];

const DEEPEST_CAUSE = 5;

/** The fault of the machine that something thrown comes from; undefined where it comes from none. */
export function machineFaultOf(thrown: unknown, depth = 0): MachineFault | undefined {
  if (thrown === undefined || thrown === null || depth > DEEPEST_CAUSE) return undefined;
  if (typeof thrown !== 'object') return said(String(thrown));
  const { code, errcode, cause, message } = thrown as Record<string, unknown>;
  return (
    CODES[String(code)] ??
    // Extended codes have the primary one in their low byte.
    (typeof errcode === 'number' ? SQLITE[errcode & 0xff] : undefined) ??
    said(String(message ?? '')) ??
    machineFaultOf(cause, depth + 1)
  );
}

const said = (words: string): MachineFault | undefined => WORDS.find(([pattern]) => pattern.test(words))?.[1];

/** A program may have removed what it could not write to its end: so little left is too little already. */
const LEAST_ROOM_BYTES = 16 * MIB;

/** Whether the disk under a folder, or under what is to be one, is as good as full. */
export function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < LEAST_ROOM_BYTES || (files > 0 && ffree === 0);
  } catch (error) {
    const parent = dirname(folder);
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder && isDiskFull(parent);
  }
}

/** What writing to a full disk would have thrown. */
export const diskFullError = (what: string): Error =>
  Object.assign(new Error(`${what}: no space left on the device`), { code: 'ENOSPC' });
