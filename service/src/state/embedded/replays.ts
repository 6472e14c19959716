// Answers kept for idempotent retries: rows in the database, bodies as files.
import { chmod, constants, copyFile, link, lstat, writeFile } from 'node:fs/promises';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Log } from '../../contract/log.ts';
import type { NewStoredResponse, Replays, ReplayVerdict, StoredResponse } from '../state.ts';
import { inTransaction } from './database.ts';
import { type Folder, newName } from './folder.ts';

type Row = Record<string, SQLOutputValue>;

export function createReplays(
  db: DatabaseSync,
  folder: Folder,
  { now, log, maxBytes }: { now: () => Date; log: Log; maxBytes: number },
): Replays & { sweep(now: Date): Promise<void> } {
  const byKey = db.prepare('SELECT * FROM replays WHERE owner = ? AND key = ?');
  // For a running request `expires_at` is the end of its lease.
  const start = db.prepare(
    `INSERT OR REPLACE INTO replays (owner, key, fingerprint, lease, expires_at)
     VALUES (:owner, :key, :fingerprint, :lease, :expiresAt)`,
  );
  const renew = db.prepare('UPDATE replays SET expires_at = :expiresAt WHERE lease = :lease');
  const keep = db.prepare(
    `UPDATE replays SET lease = NULL, status = :status, headers = :headers, body_file = :bodyFile,
       body_size = :bodySize, stored_at = :storedAt, expires_at = :expiresAt WHERE lease = :lease`,
  );
  const abandon = db.prepare('DELETE FROM replays WHERE lease = ?');
  const abandonAll = db.prepare('DELETE FROM replays WHERE lease IS NOT NULL');
  const dropExpired = db.prepare('DELETE FROM replays WHERE expires_at <= ? RETURNING body_file, body_size');
  const dropBody = db.prepare('DELETE FROM replays WHERE body_file = ? RETURNING body_file, body_size');
  const hasBody = db.prepare('SELECT 1 FROM replays WHERE body_file = ?');
  const totalBytes = db.prepare('SELECT coalesce(sum(body_size), 0) AS n FROM replays');
  const oldest = db.prepare(
    'SELECT body_file, body_size FROM replays WHERE body_file IS NOT NULL ORDER BY stored_at, body_file',
  );
  // Only one service uses the folder: whoever held a lease before this start is gone.
  abandonAll.run();
  // Counted along, for adding up a day's answers at every store would take longer than storing.
  let storedBytes = Number(totalBytes.get()?.n ?? 0);

  /** Of rows that are gone. */
  async function removeBodies(rows: Row[]): Promise<number> {
    for (const row of rows) storedBytes -= Number(row.body_size ?? 0);
    for (const row of rows) if (row.body_file !== null) await folder.remove(String(row.body_file));
    return rows.length;
  }

  /** Better to run a request again than to fill the disk: the oldest answers make room. */
  async function makeRoom(): Promise<void> {
    let excess = storedBytes - maxBytes;
    if (excess <= 0) return;
    const gone: Row[] = [];
    for (const row of oldest.all()) {
      if (excess <= 0) break;
      gone.push(...dropBody.all(String(row.body_file)));
      excess -= Number(row.body_size);
    }
    log.warn('Stored answers were dropped before their time: too many bytes.', { dropped: gone.length });
    await removeBodies(gone);
  }

  return {
    async begin(owner, key, fingerprint, leaseMs) {
      const at = now().getTime();
      const { verdict, replaced } = inTransaction(db, (): { verdict: ReplayVerdict; replaced?: Row } => {
        const row = byKey.get(owner, key);
        if (row && Number(row.expires_at) > at) return { verdict: standing(row, fingerprint, folder) };
        const lease = newName();
        start.run({ owner, key, fingerprint, lease, expiresAt: at + leaseMs });
        return { verdict: { state: 'begun', lease }, ...(row && { replaced: row }) };
      });
      if (replaced) await removeBodies([replaced]);
      return verdict;
    },
    async renew(lease, leaseMs) {
      return renew.run({ lease, expiresAt: now().getTime() + leaseMs }).changes === 1;
    },
    async store(lease, { status, headers, body }, expiresAt) {
      const name = newName();
      return folder.holding(name, async () => {
        const size = body && (await takeIn(body, folder.pathOf(name)));
        const kept = keep.run({
          lease,
          status,
          headers: JSON.stringify(headers),
          bodyFile: body ? name : null,
          bodySize: size,
          storedAt: now().getTime(),
          expiresAt: expiresAt.getTime(),
        });
        if (kept.changes === 0) {
          await folder.remove(name);
          return false;
        }
        storedBytes += size ?? 0;
        await makeRoom();
        return true;
      });
    },
    async abandon(lease) {
      abandon.run(lease);
    },
    async sweep(at) {
      const expired = await removeBodies(dropExpired.all(at.getTime()));
      // Rows first, files after: an answer stored in between must not look like one without a file.
      const settled = oldest.all().map((row) => String(row.body_file));
      const files = new Set(await folder.names());
      const lost = settled.filter((name) => !files.has(name)).flatMap((name) => dropBody.all(name));
      await removeBodies(lost);
      const orphans = await folder.removeOrphans((name) => hasBody.get(name) !== undefined);
      if (expired + lost.length + orphans === 0) return;
      log.info('Stored answers swept.', { expired, withoutFile: lost.length, orphans });
    },
  };
}

/** Operations 1.9: same request -> the stored response; other request -> 422; first still running -> 409. */
function standing(row: Row, fingerprint: string, folder: Folder): ReplayVerdict {
  if (row.fingerprint !== fingerprint) return { state: 'reused' };
  if (row.lease !== null) return { state: 'running' };
  const body: StoredResponse['body'] =
    row.body_file === null
      ? null
      : { path: folder.pathOf(String(row.body_file)), size: Number(row.body_size) };
  return {
    state: 'replay',
    response: { status: Number(row.status), headers: JSON.parse(String(row.headers)), body },
  };
}

/** Resolves to the size. */
async function takeIn(body: NonNullable<NewStoredResponse['body']>, target: string): Promise<number> {
  if ('bytes' in body) {
    await writeFile(target, body.bytes, { flag: 'wx', mode: 0o600 });
    return body.bytes.byteLength;
  }
  const given = await lstat(body.path);
  // A link could lead out of the job's directory.
  if (!given.isFile()) throw new Error('The body to store is not a plain file.');
  await link(body.path, target).catch(() => copyFile(body.path, target, constants.COPYFILE_FICLONE));
  await chmod(target, 0o600);
  return given.size;
}
