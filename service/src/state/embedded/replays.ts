// Answers kept for idempotent retries: rows in the database, bodies as files where they are not small.
import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { KIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { newName } from '../new-name.ts';
import type { Replays, ReplayVerdict, StoredResponse } from '../state.ts';
import { inTransaction } from './database.ts';
import { type Folder, ROWS_AT_ONCE } from './folder.ts';
import { LocalBytes } from './local-bytes.ts';
import { takeIn } from './taken-in.ts';

type Row = Record<string, SQLOutputValue>;

/** Smaller bodies, such as every refusal, stand in the row: a file for each would be thousands of them. */
const LEAST_FILE_BYTES = 8 * KIB;

export function createReplays(
  db: DatabaseSync,
  folder: Folder,
  { now, log, maxBytes, mostOfOwner }: { now: () => Date; log: Log; maxBytes: number; mostOfOwner: number },
): Replays & { sweep(now: Date): Promise<void> } {
  const byKey = db.prepare('SELECT * FROM replays WHERE owner = ? AND key = ?');
  // For a running request `expires_at` is the end of its lease.
  const start = db.prepare(
    `INSERT OR REPLACE INTO replays (owner, key, fingerprint, lease, expires_at)
     VALUES (:owner, :key, :fingerprint, :lease, :expiresAt)`,
  );
  const renew = db.prepare('UPDATE replays SET expires_at = :expiresAt WHERE lease = :lease');
  const keep = db.prepare(
    `UPDATE replays SET lease = NULL, status = :status, headers = :headers, body = :body, body_file = :bodyFile,
       body_size = :bodySize, stored_at = :storedAt, expires_at = :expiresAt WHERE lease = :lease RETURNING owner`,
  );
  const abandon = db.prepare('DELETE FROM replays WHERE lease = ?');
  const abandonAll = db.prepare('DELETE FROM replays WHERE lease IS NOT NULL');
  const dropExpired = db.prepare(
    `DELETE FROM replays WHERE (owner, key) IN
       (SELECT owner, key FROM replays WHERE expires_at <= ? LIMIT ${ROWS_AT_ONCE})
     RETURNING body_file, body_size`,
  );
  const dropBody = db.prepare('DELETE FROM replays WHERE body_file = ? RETURNING body_file, body_size');
  const hasBody = db.prepare('SELECT 1 FROM replays WHERE body_file = ?');
  const totalBytes = db.prepare('SELECT coalesce(sum(body_size), 0) AS n FROM replays');
  const greediest = db.prepare(
    'SELECT owner FROM replays WHERE stored_at IS NOT NULL GROUP BY owner ORDER BY sum(body_size) DESC LIMIT 1',
  );
  const countOfOwner = db.prepare(
    'SELECT count(*) AS n FROM replays WHERE owner = ? AND stored_at IS NOT NULL',
  );
  const dropOldest = db.prepare(
    `DELETE FROM replays WHERE owner = :owner AND key =
       (SELECT key FROM replays WHERE owner = :owner AND stored_at IS NOT NULL ORDER BY stored_at, key LIMIT 1)
     RETURNING body_file, body_size`,
  );
  const nextFiles = db.prepare(
    `SELECT body_file FROM replays WHERE body_file > ? ORDER BY body_file LIMIT ${ROWS_AT_ONCE}`,
  );
  // Only one service uses the folder: whoever held a lease before this start is gone.
  abandonAll.run();
  /** Given up while the database could not be written: nobody is to wait for the end of such a lease. */
  const givenUp = new Set<unknown>();
  // Counted along, for adding up a day's answers at every store would take longer than storing.
  let storedBytes = Number(totalBytes.get()?.n ?? 0);

  /** Of rows that are gone. */
  async function removeBodies(rows: Row[]): Promise<number> {
    for (const row of rows) storedBytes -= Number(row.body_size ?? 0);
    for (const row of rows) if (row.body_file !== null) await folder.remove(String(row.body_file));
    return rows.length;
  }

  /**
   * Better to run a request again than to fill the disk: answers make room, the oldest of whoever has most. Nobody's
   * answers make room for those of another who has more.
   */
  async function makeRoom(owner: string): Promise<void> {
    let dropped = 0;
    const dropOf = async (whose: SQLOutputValue | undefined): Promise<boolean> => {
      const gone = whose === undefined ? [] : dropOldest.all({ owner: whose });
      dropped += await removeBodies(gone);
      return gone.length > 0;
    };
    for (let n = Number(countOfOwner.get(owner)?.n); n > mostOfOwner; n -= 1) await dropOf(owner);
    while (storedBytes > maxBytes && (await dropOf(greediest.get()?.owner)));
    if (dropped > 0) log.warn('Stored answers were dropped before their time: too many.', { dropped });
  }

  /** Rows whose file is no more. */
  async function dropLost(): Promise<number> {
    const files = new Set(await folder.names());
    let lost = 0;
    for (let after = ''; ; ) {
      const names = nextFiles.all(after).map((row) => String(row.body_file));
      // Those stored since the files were listed are there.
      for (const name of names)
        if (!files.has(name) && !existsSync(folder.pathOf(name)))
          lost += await removeBodies(dropBody.all(name));
      if (names.length < ROWS_AT_ONCE) return lost;
      after = names.at(-1) ?? after;
      await setImmediate();
    }
  }

  return {
    async begin(owner, key, fingerprint, leaseMs) {
      const at = now().getTime();
      const { verdict, replaced } = inTransaction(db, (): { verdict: ReplayVerdict; replaced?: Row } => {
        const row = byKey.get(owner, key);
        const isHeld = row && Number(row.expires_at) > at && !givenUp.has(row.lease);
        if (isHeld) return { verdict: standing(row, fingerprint, folder) };
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
      const isInRow = body !== null && 'bytes' in body && body.bytes.length < LEAST_FILE_BYTES;
      return folder.holding(name, async () => {
        const size = isInRow ? body.bytes.length : body && (await takeIn(body, folder.pathOf(name)));
        const kept = keep.get({
          lease,
          status,
          headers: JSON.stringify(headers),
          body: isInRow ? body.bytes : null,
          bodyFile: body && !isInRow ? name : null,
          bodySize: size,
          storedAt: now().getTime(),
          expiresAt: expiresAt.getTime(),
        });
        if (kept === undefined) {
          await folder.remove(name);
          return false;
        }
        storedBytes += size ?? 0;
        await makeRoom(String(kept.owner));
        return true;
      });
    },
    async abandon(lease) {
      try {
        abandon.run(lease);
      } catch (error) {
        givenUp.add(lease);
        throw error;
      }
    },
    async sweep(at) {
      for (const lease of givenUp) {
        abandon.run(String(lease));
        givenUp.delete(lease);
      }
      let expired = 0;
      for (let gone = ROWS_AT_ONCE; gone === ROWS_AT_ONCE; expired += gone) {
        gone = await removeBodies(dropExpired.all(at.getTime()));
        await setImmediate();
      }
      const lost = await dropLost();
      const orphans = await folder.removeOrphans((name) => hasBody.get(name) !== undefined);
      if (expired + lost + orphans === 0) return;
      log.info('Stored answers swept.', { expired, withoutFile: lost, orphans });
    },
  };
}

/** Operations 1.9: same request -> the stored response; other request -> 422; first still running -> 409. */
function standing(row: Row, fingerprint: string, folder: Folder): ReplayVerdict {
  if (row.fingerprint !== fingerprint) return { state: 'reused' };
  if (row.lease !== null) return { state: 'running' };
  const body: StoredResponse['body'] =
    row.body instanceof Uint8Array
      ? { bytes: row.body }
      : row.body_file === null
        ? null
        : { stored: new LocalBytes(folder.pathOf(String(row.body_file)), Number(row.body_size)) };
  return {
    state: 'replay',
    response: { status: Number(row.status), headers: JSON.parse(String(row.headers)), body },
  };
}
