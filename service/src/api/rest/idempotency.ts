// Idempotency-Key (operations 1.9): the same request under the same key is answered once and then replayed.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { Replays } from '../../state/state.ts';
import type { Answer, ReplayedAnswer } from './answer.ts';
import type { ReadPart } from './forms/form.ts';

const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/** The key of a request, or undefined where it has none. */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (
    typeof given === 'string' &&
    given.length <= LIMITS.idempotencyKeyCharacters &&
    /^[\x21-\x7e]+$/.test(given)
  ) {
    return given;
  }
  throw invalidParameter(
    `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyCharacters} visible ASCII characters.`,
  );
}

/**
 * "Same request = same path, field names and values, and file contents or upload ids." Parts, not bytes: the multipart
 * boundary changes with every retry. Fields may come in any order; within a field the order counts.
 */
export function fingerprint(path: string, parts: readonly ReadPart[]): string {
  const lines = parts.map(({ part, sha256 }) => {
    const field = part.field === 'file' ? 'fileInput' : part.field;
    if ('text' in part) return { field, line: [field, 'text', sha256 ?? part.text] };
    if ('url' in part) return { field, line: [field, 'url', part.url] };
    if ('uploadId' in part) return { field, line: [field, 'upload', part.uploadId] };
    return { field, line: [field, 'file', sha256] };
  });
  lines.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
  const hash = createHash('sha256').update(JSON.stringify(path));
  for (const { line } of lines) hash.update('\n').update(JSON.stringify(line));
  return hash.digest('hex');
}

/** The right to answer a request; ends by `keep` or `giveUp`. */
export interface Lease {
  keep(answer: Answer): Promise<void>;
  giveUp(): Promise<void>;
}

export const NO_LEASE: Lease = { keep: async () => {}, giveUp: async () => {} };

/** An answer given before, or the lease to make it now. */
export async function beginOnce(
  replays: Replays,
  log: Log,
  request: { owner: string; key: string; fingerprint: string },
): Promise<{ replay: ReplayedAnswer } | { lease: Lease }> {
  const verdict = await replays.begin(request.owner, request.key, request.fingerprint, LEASE_MS);
  if (verdict.state === 'begun') return { lease: holdLease(replays, log, verdict.lease) };
  if (verdict.state === 'replay') {
    const { status, headers, body } = verdict.response;
    return { replay: { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body } };
  }
  if (verdict.state === 'reused') {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was sent before with a different request.',
    );
  }
  throw new Problem('request_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function holdLease(replays: Replays, log: Log, lease: string): Lease {
  const lost = (error: unknown): void => log.warn('an idempotent answer could not be kept', { error });
  const renewal = setInterval(() => void replays.renew(lease, LEASE_MS).catch(lost), RENEW_MS);
  renewal.unref();
  return {
    keep: async (answer) => {
      clearInterval(renewal);
      if (!isKept(answer.status)) return replays.abandon(lease).catch(lost);
      const expiresAt = new Date(Date.now() + LIMITS.idempotencyRetentionMs);
      // The work is done: failing to keep its answer must not fail the request. Where the servers that nodes share are
      // away it does: the caller is told to come again, and has one result then, not two.
      await replays.store(lease, answer, expiresAt).catch(async (error) => {
        lost(error);
        await replays.abandon(lease).catch(lost);
        if (error instanceof Problem && error.reason === 'unavailable') throw error;
      });
    },
    giveUp: async () => {
      clearInterval(renewal);
      await replays.abandon(lease).catch(lost);
    },
  };
}

/** "Not stored, so a retry runs again: 401, 403, 409, 413, 429, 5xx." */
export const isKept = (status: number): boolean =>
  status < 500 && ![401, 403, 409, 413, 429].includes(status);
