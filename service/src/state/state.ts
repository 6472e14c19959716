import { GIB } from '../contract/limits.ts';
import type { Jobs } from './jobs.ts';
import type { NewStoredResponse, StoredBytes, StoredResponse } from './stored.ts';
import type { Webhooks } from './webhooks.ts';

export type { NewStoredResponse, StoredBytes, StoredResponse } from './stored.ts';

// What outlives a request, behind one port of small atomic parts. Embedded (node:sqlite and local files)
// is the default; every implementation passes the same laws (laws.ts).

/** What a key may do. `null` means no bound. */
export interface Plan {
  name: string;
  /** Requests per window; null: unlimited. */
  rateLimit: number | null;
}

export interface ApiKey {
  /** Public handle: names the key in lists and logs. */
  id: string;
  name: string;
  plan: string;
  /** Operation groups this key may call, or `*`. */
  scopes: readonly string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Whether the operator chose the secret (BINDERY_API_KEY), see `seed`. */
  seeded: boolean;
}

export interface NewKey {
  name: string;
  plan: string;
  scopes: readonly string[];
  expiresAt: Date | null;
}

export interface SeedKey {
  name: string;
  plan: string;
  scopes: readonly string[];
  secret: string;
}

export interface Keys {
  /** The secret is returned once and kept only hashed. */
  create(key: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /**
   * The one key whose secret the operator sets (BINDERY_API_KEY), called at each start: the secret given works
   * from now on, one seeded before no longer does; `null` takes the seeded key away. Keeps its id throughout.
   */
  seed(key: SeedKey | null): Promise<ApiKey | null>;
  /** The key a secret opens, if it is neither revoked nor expired. Notes when it was used. */
  find(secret: string): Promise<ApiKey | undefined>;
  /** Whether the key of this id is there, neither revoked nor expired. */
  isLive(id: string): Promise<boolean>;
  list(): Promise<ApiKey[]>;
  revoke(id: string): Promise<boolean>;
  /**
   * A new secret for the same key; the old one goes on working for `graceMs`. Undefined when the id is unknown,
   * revoked, expired or seeded (its secret is the operator's to set).
   */
  rotate(id: string, graceMs: number): Promise<string | undefined>;
}

/** Days of which usage is known. */
export const USAGE_DAYS = 92;

export interface UsageOfOperation {
  /** A word of ours. */
  operation: string;
  calls: number;
  /** Of these, how many were answered by a problem. */
  failed: number;
  bytesIn: number;
  bytesOut: number;
}
export interface UsageCount extends UsageOfOperation {
  keyId: string;
}
export interface Usage {
  /** Added to what is counted for today. */
  add(counts: readonly UsageCount[]): Promise<void>;
  /** Of the last `days`, today among them, by operation. */
  of(keyId: string, days: number): Promise<UsageOfOperation[]>;
}

/** The day in UTC, as 2030-12-31. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
/** The first of the last `days`. */
export const firstDay = (now: Date, days: number): string =>
  dayOf(new Date(now.getTime() - (days - 1) * 24 * 3600 * 1000));

export interface RateVerdict {
  allowed: boolean;
  /** Number.MAX_SAFE_INTEGER where there is no limit. */
  limit: number;
  remaining: number;
  /** When the window ends. */
  resetAt: Date;
}
export interface Rates {
  /**
   * Counts a request of a key in the present window, or `calls` of them: all or, where they do not fit, none. Limit
   * null: counted, never refused.
   */
  take(keyId: string, limit: number | null, windowMs: number, calls?: number): Promise<RateVerdict>;
}

export interface UploadPlan {
  owner: string;
  filename: string;
  contentType: string | null;
  size: number;
  chunkSize: number;
  chunkCount: number;
  expiresAt: Date;
}
export interface Upload extends UploadPlan {
  id: string;
  completed: boolean;
}
export interface UploadCaps {
  inProgress: number;
  storageBytes: number;
}

/** How long room is kept for chunks that do not come. */
export const PAUSE_MS = 15 * 60 * 1000;
/** Longest time a request may hold a claim beyond the upload's expiry (the greatest deadline that can be set). */
export const CLAIM_GRACE_MS = 24 * 3600 * 1000;
/** The last use of a key is noted so often. */
export const LAST_USED_EVERY_MS = 60_000;
/** Stored answers of one key; its oldest make way. */
export const MAX_REPLAYS_OF_KEY = 10_000;

/** Of a room that all share, how much one owner may take by word alone, or keep: a small room is not parted. */
export const ownerShare = (storageBytes: number): number => Math.max(GIB, storageBytes / 4);

/** Only the owner sees an upload: for anyone else it does not exist (undefined). */
export interface Uploads {
  /**
   * Counts and reserves in one step: two callers cannot both take the last place. What was declared and has not come
   * counts for some minutes after the last chunk, and of one owner's only his share may be such; a single upload may
   * always be as large as the room.
   */
  begin(
    plan: UploadPlan,
    caps: UploadCaps,
  ): Promise<Upload | 'upload_limit_reached' | 'insufficient_storage'>;
  get(id: string, owner: string): Promise<Upload | undefined>;
  /**
   * Streams to disk. A chunk counts only when it came whole: `expectedBytes`. Re-sending is safe: a send that
   * fails leaves a chunk that had arrived as it was. Of `data` no more is read than a chunk holds plus one piece,
   * and it is neither closed nor destroyed. `completed`: the upload is complete and other bytes stand there; to send
   * the same again is `stored`, also then.
   * A full disk is Problem `insufficient_storage`; `no_room`: it paused for so long that its room went to others.
   */
  putChunk(
    id: string,
    owner: string,
    index: number,
    expectedBytes: number,
    data: AsyncIterable<Uint8Array>,
    storageBytes: number,
  ): Promise<'stored' | 'wrong_size' | 'no_such_chunk' | 'completed' | 'no_room' | 'gone'>;
  /** The first `most` chunks that have not arrived, ascending. */
  missingChunks(id: string, owner: string, most?: number): Promise<number[] | undefined>;
  complete(id: string, owner: string): Promise<'completed' | 'incomplete' | 'gone'>;
  /**
   * Takes a completed upload for one operation: its bytes while the claim is held, undefined when it is unknown,
   * incomplete, expired or held by another request. Then `consume` on success or `release` on failure: both end every
   * claim made under that `claimId`.
   */
  claim(
    id: string,
    owner: string,
    claimId: string,
  ): Promise<{ filename: string; bytes: StoredBytes } | undefined>;
  consume(claimId: string): Promise<void>;
  release(claimId: string): Promise<void>;
  drop(id: string, owner: string): Promise<void>;
}

export interface NewFile {
  owner: string;
  filename: string;
  mediaType: string;
  expiresAt: Date;
  /** Of a place: how many bytes it is to have in the end, where that was said. */
  declaredSize?: number;
}
export interface KeptFile extends NewFile {
  id: string;
  size: number;
  /** How often bytes were written to it. */
  writes: number;
  /** Whether all of its bytes are there. */
  ready: boolean;
}
/** Files that an owner may have, and the room of all owners together, of which one may take his share. */
export interface FileCaps {
  files: number;
  storageBytes: number;
}

/** Files that an agent brings, inspects and changes over several calls, and results it has not fetched yet. */
export interface Files {
  /** A place for bytes that come later. */
  reserve(file: NewFile, caps: FileCaps): Promise<KeptFile | 'upload_limit_reached' | 'insufficient_storage'>;
  /** A finished file. One given as a path is linked or copied: it may be removed afterwards, but not changed. */
  keep(
    file: NewFile,
    content: { path: string; size: number } | { bytes: Uint8Array },
    caps: FileCaps,
  ): Promise<KeptFile | 'upload_limit_reached' | 'insufficient_storage'>;
  /**
   * Bytes for a reserved place, `from` the byte they begin at; `last` makes the file ready. `taken`: it is ready, or
   * these bytes do not follow those that are there. `wrong_size`: with the last bytes the file has not the size that was
   * declared. `insufficient_storage`: all files together would have more than `storageBytes`, or the owner's more than his
   * share. Nothing counts of a send
   * that fails, is refused or leaves the file at a wrong size.
   */
  write(
    id: string,
    from: number,
    data: AsyncIterable<Uint8Array>,
    limits: { maxBytes: number; storageBytes: number; last: boolean },
  ): Promise<KeptFile | 'taken' | 'too_large' | 'wrong_size' | 'insufficient_storage' | 'gone'>;
  /** Only the owner finds a file; without one, whoever knows the id (it was signed). */
  find(id: string, owner?: string): Promise<KeptFile | undefined>;
  /** Those of a ready file. */
  bytesOf(file: KeptFile): Promise<StoredBytes>;
  drop(id: string, owner: string): Promise<void>;
}

export type ReplayVerdict =
  | { state: 'begun'; lease: string }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'replay'; response: StoredResponse };

/** Answers kept for idempotent retries (operations 1.9). Scope: owner and key. */
export interface Replays {
  /**
   * `begun`: the caller holds a lease and ends it by `store` or `abandon`; a dead lease is taken over.
   * `reused`: the key stands for another request. `running`: the first is not finished.
   */
  begin(owner: string, key: string, fingerprint: string, leaseMs: number): Promise<ReplayVerdict>;
  // A lease that was taken over is worth nothing: what its late holder stores must not stand for another request.
  /** False: the lease is lost. */
  renew(lease: string, leaseMs: number): Promise<boolean>;
  /**
   * Keeps the response until `expiresAt`; false: the lease is lost. A body given as a path is linked or copied:
   * the file may be removed afterwards, but not changed.
   */
  store(lease: string, response: NewStoredResponse, expiresAt: Date): Promise<boolean>;
  abandon(lease: string): Promise<void>;
}

export interface State {
  keys: Keys;
  usage: Usage;
  rates: Rates;
  uploads: Uploads;
  replays: Replays;
  files: Files;
  jobs: Jobs;
  webhooks: Webhooks;
  /** A secret of this installation, the same after a restart: signs addresses. */
  signingSecret: Uint8Array;
  /** A private Ed25519 key as PEM, the same after a restart: signs redaction reports. */
  reportKey: string;
  /** Servers it needs that do not answer at present. */
  unreachable(): readonly string[];
  /** Removes what is expired, and files nobody owns. Called at start and every minute. */
  sweep(now: Date): Promise<void>;
  close(): Promise<void>;
}
