// When a result says it was made, and the identifiers it goes by. Usually the clock and chance tell; in a reproducible
// job both follow from the request, so that the same request gives the same bytes whenever it is sent. Keys, salts and
// signatures are never asked for here: what protects must be random, and what proves a time must tell the true one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomBytes } from 'node:crypto';

/** How the results of a job are to be the same each time. Plain data: it travels to the worker. */
export interface Reproducible {
  /** Seconds since 1970, where the operator set SOURCE_DATE_EPOCH. */
  sourceDate?: number;
}

interface Origin {
  sourceDate: Date | undefined;
  /** What the work is done with, as a hash: only where an identifier is asked for. */
  seed: () => string;
  identifiers: number;
}

/** The first moment that every format can tell: ZIP knows none before. */
const FIRST_MOMENT = new Date('1980-01-01T00:00:00Z');

const origin = new AsyncLocalStorage<Origin>();

/**
 * Runs work whose results are to be the same each time, if they are to be; `seed` tells it from other work. Nothing
 * that the result must not betray may go into it.
 */
export function reproducibly<T>(asked: Reproducible | undefined, seed: () => string, work: () => T): T {
  if (!asked) return work();
  const { sourceDate } = asked;
  const date = sourceDate === undefined ? undefined : new Date(sourceDate * 1000);
  return origin.run({ sourceDate: date, seed, identifiers: 0 }, work);
}

export const isReproducible = (): boolean => origin.getStore() !== undefined;

/** The moment that results tell: now, or the one of a reproducible job. */
export function momentToTell(): Date {
  const job = origin.getStore();
  return job ? (job.sourceDate ?? FIRST_MOMENT) : new Date();
}

/** Whether a document that has a date of its own keeps it: a reproducible job without SOURCE_DATE_EPOCH knows no better. */
export function keepsOwnDates(): boolean {
  const job = origin.getStore();
  return job !== undefined && job.sourceDate === undefined;
}

/** Bytes that no other result has, for identifiers; never for anything secret. At most 32. */
export function identifierBytes(length: number): Buffer {
  const job = origin.getStore();
  if (!job) return randomBytes(length);
  job.identifiers += 1;
  return createHash('sha256').update(`${job.seed()} ${job.identifiers}`).digest().subarray(0, length);
}

/** A UUID (RFC 9562): version 4, or version 8 where it follows from the request. */
export function newUuid(): string {
  const bytes = identifierBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (isReproducible() ? 0x80 : 0x40);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
