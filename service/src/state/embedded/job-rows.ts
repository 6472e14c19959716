// What the database knows of asynchronous jobs.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  JOB_PATIENCE_MS,
  JOB_STATUSES,
  type JobCaps,
  type JobProgress,
  type JobStatus,
  LEAST_JOB_BYTES,
  MOST_WORDS,
  type NewJob,
  type PlainObject,
  type ProgressWord,
  reservedBytes,
  type StoredJob,
  WORDS_KEPT_MS,
} from '../jobs.ts';
import { newName } from '../new-name.ts';
import { ownerShare } from '../state.ts';
import { inTransaction } from './database.ts';
import { ROWS_AT_ONCE } from './folder.ts';

type Row = Record<string, SQLOutputValue>;

interface Head {
  status: number;
  headers: Record<string, string>;
}

interface Finished {
  status: 'succeeded' | 'failed';
  outcome: PlainObject;
  head: Head;
  body: string | null;
  size: number | null;
  expiresAt: Date;
}

export const numbersOf = (json: SQLOutputValue | undefined): number[] => JSON.parse(String(json));

export function jobRows(db: DatabaseSync, now: () => Date) {
  const byId = db.prepare('SELECT * FROM jobs WHERE id = ? AND owner = ? AND expires_at > ?');
  const insert = db.prepare(
    `INSERT INTO jobs (id, owner, status, about, created_at, expires_at, counted, parts, part_sizes)
     VALUES (:id, :owner, 'queued', :about, :createdAt, :expiresAt, :counted, :parts, :sizes) RETURNING *`,
  );
  const taken = db.prepare('SELECT coalesce(sum(counted), 0) AS bytes FROM jobs');
  const takenBy = db.prepare(
    'SELECT coalesce(sum(counted), 0) AS bytes, count(*) AS jobs FROM jobs WHERE owner = ?',
  );
  const queueAll = db.prepare(
    "UPDATE jobs SET status = 'queued', lease = NULL, progress = NULL, version = version + 1 WHERE status = 'running'",
  );
  const queueLost = db.prepare(
    `UPDATE jobs SET status = 'queued', lease = NULL, progress = NULL, version = version + 1
     WHERE status = 'running' AND lease_until <= ?`,
  );
  const next = db.prepare(
    `SELECT waiting.first FROM
       (SELECT owner, min(sequence) AS first FROM jobs WHERE status = 'queued' AND not_before <= ? GROUP BY owner) AS waiting
     ORDER BY (SELECT count(*) FROM jobs WHERE status = 'running' AND owner = waiting.owner),
       (SELECT max(turn) FROM jobs WHERE owner = waiting.owner), waiting.first LIMIT 1`,
  );
  const start = db.prepare(
    `UPDATE jobs SET status = 'running', lease = :lease, lease_until = :until, started_at = :at, version = version + 1,
       attempts = attempts + 1, turn = (SELECT max(turn) + 1 FROM jobs)
     WHERE sequence = :sequence RETURNING *`,
  );
  const renew = db.prepare('UPDATE jobs SET lease_until = ? WHERE lease = ?');
  const note = db.prepare(
    'UPDATE jobs SET progress = ?, version = version + 1 WHERE lease = ? RETURNING sequence, version',
  );
  const addWord = db.prepare('INSERT INTO job_words (job, version, progress) VALUES (?, ?, ?)');
  const dropWords = db.prepare('DELETE FROM job_words WHERE job = ? AND version <= ?');
  const dropVoidWords = db.prepare(
    "DELETE FROM job_words WHERE job IN (SELECT sequence FROM jobs WHERE status = 'queued')",
  );
  const dropOldWords = db.prepare(
    'DELETE FROM job_words WHERE job IN (SELECT sequence FROM jobs WHERE finished_at <= ?)',
  );
  const wordsAfter = db.prepare(
    'SELECT version, progress FROM job_words WHERE job = ? AND version > ? ORDER BY version',
  );
  const finish = db.prepare(
    `UPDATE jobs SET status = :status, version = version + 1, lease = NULL, outcome = :outcome, response = :response,
       body = :body, body_size = :size, counted = :counted, finished_at = :at, expires_at = :expiresAt
     WHERE lease = :lease RETURNING parts`,
  );
  const giveBack = db.prepare(
    `UPDATE jobs SET status = 'queued', version = version + 1, lease = NULL, progress = NULL, attempts = attempts - 1,
       not_before = ? WHERE lease = ?`,
  );
  const list = db.prepare(
    'SELECT * FROM jobs WHERE owner = ? AND sequence < ? AND expires_at > ? ORDER BY sequence DESC LIMIT ?',
  );
  const cancel = db.prepare(
    `UPDATE jobs SET status = 'cancelled', version = version + 1, lease = NULL, counted = ${LEAST_JOB_BYTES},
       finished_at = ?, expires_at = ? WHERE sequence = ?`,
  );
  const drop = db.prepare('DELETE FROM jobs WHERE sequence = ?');
  const dropExpired = db.prepare(
    `DELETE FROM jobs WHERE sequence IN
       (SELECT sequence FROM jobs WHERE expires_at <= ? LIMIT ${ROWS_AT_ONCE}) RETURNING parts, body`,
  );
  const hasParts = db.prepare("SELECT 1 FROM jobs WHERE parts = ? AND status IN ('queued', 'running')");
  const hasBody = db.prepare('SELECT 1 FROM jobs WHERE body = ?');
  const counts = db.prepare('SELECT status, count(*) AS n FROM jobs GROUP BY status');

  const find = (id: string, owner: string): Row | undefined => byId.get(id, owner, now().getTime());

  function isFull({ owner, laterBytes = 0 }: NewJob, sizes: readonly number[], caps: JobCaps): boolean {
    const more = reservedBytes(total(sizes) + laterBytes);
    const own = takenBy.get(owner);
    const ownBytes = Number(own?.bytes);
    return (
      Number(own?.jobs) >= caps.jobs ||
      Number(taken.get()?.bytes) + more > caps.storageBytes ||
      // A single job may always be as large as the room.
      (ownBytes > 0 && ownBytes + more > ownerShare(caps.storageBytes))
    );
  }

  return {
    queueAll(): void {
      queueAll.run();
      dropVoidWords.run();
    },
    /** What `accept` would say without a doubt. */
    refusal(job: NewJob, sizes: readonly number[], caps: JobCaps) {
      const known = find(job.id, job.owner);
      if (known) return jobOf(known);
      return isFull(job, sizes, caps) ? 'insufficient_storage' : undefined;
    },
    accept(
      job: NewJob,
      parts: string,
      sizes: readonly number[],
      caps: JobCaps,
    ): { answer: StoredJob | 'insufficient_storage'; isNew: boolean } {
      const { id, owner, about, laterBytes = 0 } = job;
      return inTransaction(db, () => {
        const known = find(id, owner);
        if (known) return { answer: jobOf(known), isNew: false };
        if (isFull(job, sizes, caps)) return { answer: 'insufficient_storage' as const, isNew: false };
        const at = now().getTime();
        const row = insert.get({
          id,
          owner,
          about: JSON.stringify(about),
          createdAt: at,
          expiresAt: at + JOB_PATIENCE_MS,
          counted: reservedBytes(total(sizes) + laterBytes),
          parts,
          sizes: JSON.stringify(sizes),
        });
        return { answer: jobOf(row as Row), isNew: true };
      });
    },
    claim(leaseMs: number): { job: StoredJob; row: Row; lease: string } | undefined {
      const at = now().getTime();
      return inTransaction(db, () => {
        if (queueLost.run(at).changes > 0) dropVoidWords.run();
        const sequence = next.get(at)?.first;
        if (sequence === undefined) return undefined;
        const lease = newName();
        const row = start.get({ lease, until: at + leaseMs, at, sequence }) as Row;
        return { job: jobOf(row), row, lease };
      });
    },
    renew: (lease: string, leaseMs: number): boolean =>
      renew.run(now().getTime() + leaseMs, lease).changes === 1,
    note(lease: string, words: readonly JobProgress[]): boolean {
      return inTransaction(db, () => {
        for (const word of words) {
          const json = JSON.stringify(word);
          const noted = note.get(json, lease);
          if (noted === undefined) return false;
          const { sequence, version } = noted as { sequence: number; version: number };
          addWord.run(sequence, version, json);
          dropWords.run(sequence, version - MOST_WORDS);
        }
        return true;
      });
    },
    wordsAfter: ({ sequence }: StoredJob, version: number): ProgressWord[] =>
      wordsAfter
        .all(sequence, version)
        .map((row) => ({ version: Number(row.version), progress: parsed(row.progress) })),
    /** Of jobs that have ended some time ago. */
    forgetWords: (at: Date): unknown => dropOldWords.run(at.getTime() - WORDS_KEPT_MS),
    /** The name of the parts that are no longer needed; undefined: the lease is lost. */
    finish(lease: string, { status, outcome, head, body, size, expiresAt }: Finished): string | undefined {
      const row = finish.get({
        lease,
        status,
        outcome: JSON.stringify(outcome),
        response: JSON.stringify(head),
        body,
        size,
        counted: LEAST_JOB_BYTES + (size ?? 0),
        at: now().getTime(),
        expiresAt: expiresAt.getTime(),
      });
      return row && String(row.parts);
    },
    giveBack(lease: string, notBefore: Date): void {
      if (giveBack.run(notBefore.getTime(), lease).changes > 0) dropVoidWords.run();
    },
    get(id: string, owner: string): StoredJob | undefined {
      const row = find(id, owner);
      return row && jobOf(row);
    },
    list: (owner: string, most: number, before = Number.MAX_SAFE_INTEGER): StoredJob[] =>
      list.all(owner, before, now().getTime(), most).map(jobOf),
    responseOf({ id, owner }: StoredJob): { head: Head; body: string | null; size: number } | undefined {
      const row = find(id, owner);
      if (!row || row.response === null) return undefined;
      const body = row.body === null ? null : String(row.body);
      return { head: JSON.parse(String(row.response)), body, size: Number(row.body_size) };
    },
    end(id: string, owner: string, expiresAt: Date) {
      return inTransaction(db, () => {
        const row = find(id, owner);
        if (!row) return { verdict: 'gone' as const, names: [] };
        const names = namesOf(row);
        if (row.finished_at !== null) {
          drop.run(row.sequence as number);
          return { verdict: 'removed' as const, names };
        }
        cancel.run(now().getTime(), expiresAt.getTime(), row.sequence as number);
        return { verdict: 'cancelled' as const, names };
      });
    },
    counts(): Record<JobStatus, number> {
      const found = new Map(counts.all().map((row) => [String(row.status), Number(row.n)]));
      const all = JOB_STATUSES.map((status) => [status, found.get(status) ?? 0]);
      return Object.fromEntries(all) as Record<JobStatus, number>;
    },
    /** Names of their files. */
    dropExpired(at: Date): (string | null)[] {
      const names: (string | null)[] = [];
      for (let gone = ROWS_AT_ONCE; gone === ROWS_AT_ONCE; ) {
        const dropped = dropExpired.all(at.getTime());
        gone = dropped.length;
        names.push(...dropped.flatMap(namesOf));
      }
      return names;
    },
    isNamed: (name: string): boolean => hasParts.get(name) !== undefined || hasBody.get(name) !== undefined,
  };
}

const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const namesOf = (row: Row): (string | null)[] =>
  [row.parts, row.body].map((name) => (typeof name === 'string' ? name : null));

const dateOf = (value: SQLOutputValue | undefined): Date | null =>
  typeof value === 'number' ? new Date(value) : null;

const parsed = (value: SQLOutputValue | undefined) => (typeof value === 'string' ? JSON.parse(value) : null);

const jobOf = (row: Row): StoredJob => ({
  id: String(row.id),
  owner: String(row.owner),
  status: String(row.status) as JobStatus,
  sequence: Number(row.sequence),
  version: Number(row.version),
  about: parsed(row.about),
  progress: parsed(row.progress),
  outcome: parsed(row.outcome),
  createdAt: new Date(Number(row.created_at)),
  startedAt: dateOf(row.started_at),
  finishedAt: dateOf(row.finished_at),
  expiresAt: row.finished_at === null ? null : dateOf(row.expires_at),
});
