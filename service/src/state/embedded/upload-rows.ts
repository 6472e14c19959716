// The statements on uploads and chunks. Every one is a single step, so nothing can come between a check and its act.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  CLAIM_GRACE_MS,
  ownerShare,
  PAUSE_MS,
  type Upload,
  type UploadCaps,
  type UploadPlan,
} from '../state.ts';
import { inTransaction } from './database.ts';

/** Bytes of an upload that are still to come; the last chunk may be shorter than it is counted. */
const UNSENT = `CASE WHEN completed = 1 THEN 0 ELSE
  max(0, size - chunk_size * (SELECT count(*) FROM chunks WHERE upload_id = uploads.id)) END`;

export type UploadRows = ReturnType<typeof uploadRows>;

export function uploadRows(db: DatabaseSync, now: () => Date) {
  const insert = db.prepare(
    `INSERT INTO uploads (id, owner, filename, content_type, size, chunk_size, chunk_count, expires_at, touched_at)
     VALUES (:id, :owner, :filename, :contentType, :size, :chunkSize, :chunkCount, :expiresAt, :now)`,
  );
  const countOfOwner = db.prepare('SELECT count(*) AS n FROM uploads WHERE owner = ? AND expires_at > ?');
  const taken = db.prepare(
    `SELECT coalesce(sum(size - CASE WHEN touched_at > :now - ${PAUSE_MS} THEN 0 ELSE ${UNSENT} END), 0) AS n
     FROM uploads WHERE expires_at > :now`,
  );
  const unsentOfOwner = db.prepare(
    `SELECT coalesce(sum(${UNSENT}), 0) AS n FROM uploads WHERE owner = ? AND expires_at > ?`,
  );
  const unsentIfPaused = db.prepare(
    `SELECT ${UNSENT} AS n FROM uploads WHERE id = :id AND touched_at <= :now - ${PAUSE_MS}`,
  );
  const touch = db.prepare('UPDATE uploads SET touched_at = :now WHERE id = :id');
  const live = db.prepare('SELECT * FROM uploads WHERE id = ? AND owner = ? AND expires_at > ?');
  const exists = db.prepare('SELECT 1 FROM uploads WHERE id = ?');
  const note = db.prepare(
    `INSERT INTO chunks (upload_id, position)
     SELECT id, :index FROM uploads WHERE id = :id AND completed = 0 AND expires_at > :now
     ON CONFLICT DO NOTHING`,
  );
  const unnote = db.prepare('DELETE FROM chunks WHERE upload_id = ? AND position = ?');
  const chunk = db.prepare('SELECT 1 FROM chunks WHERE upload_id = ? AND position = ?');
  const positions = db.prepare('SELECT position FROM chunks WHERE upload_id = ? ORDER BY position');
  const complete = db.prepare(
    `UPDATE uploads SET completed = 1 WHERE id = :id
       AND chunk_count = (SELECT count(*) FROM chunks WHERE upload_id = :id)`,
  );
  const dropChunks = db.prepare('DELETE FROM chunks WHERE upload_id = ?');
  const claim = db.prepare(
    `UPDATE uploads SET claim_id = :claimId
     WHERE id = :id AND owner = :owner AND completed = 1 AND expires_at > :now
       AND (claim_id IS NULL OR claim_id = :claimId)
     RETURNING *`,
  );
  const consume = db.prepare('DELETE FROM uploads WHERE claim_id = ? RETURNING id');
  const release = db.prepare('UPDATE uploads SET claim_id = NULL WHERE claim_id = ?');
  const releaseAll = db.prepare('UPDATE uploads SET claim_id = NULL WHERE claim_id IS NOT NULL');
  const drop = db.prepare('DELETE FROM uploads WHERE id = ?');
  const dropOwned = db.prepare('DELETE FROM uploads WHERE id = ? AND owner = ? RETURNING id');
  const dropExpired = db.prepare(
    `DELETE FROM uploads
     WHERE expires_at <= :now AND (claim_id IS NULL OR expires_at <= :now - ${CLAIM_GRACE_MS}) RETURNING id`,
  );
  const ids = db.prepare('SELECT id FROM uploads');

  const number = (row: Row | undefined): number => Number(row?.n ?? 0);
  const idsOf = (rows: Row[]): string[] => rows.map((row) => String(row.id));

  return {
    reserve(
      id: string,
      plan: UploadPlan,
      caps: UploadCaps,
    ): 'reserved' | 'upload_limit_reached' | 'insufficient_storage' {
      const at = now().getTime();
      return inTransaction(db, () => {
        if (number(countOfOwner.get(plan.owner, at)) >= caps.inProgress) return 'upload_limit_reached';
        if (number(taken.get({ now: at })) + plan.size > caps.storageBytes) return 'insufficient_storage';
        const unsent = number(unsentOfOwner.get(plan.owner, at));
        if (unsent > 0 && unsent + plan.size > ownerShare(caps.storageBytes)) return 'insufficient_storage';
        const { owner, filename, contentType, size, chunkSize, chunkCount } = plan;
        insert.run({
          id,
          owner,
          filename,
          contentType,
          size,
          chunkSize,
          chunkCount,
          expiresAt: plan.expiresAt.getTime(),
          now: at,
        });
        return 'reserved';
      });
    },
    find(id: string, owner: string): Upload | undefined {
      const row = live.get(id, owner, now().getTime());
      return row && uploadOf(row);
    },
    /** False where the upload paused, and what it was given by word is taken by now. */
    keepRoom(id: string, storageBytes: number): boolean {
      const at = now().getTime();
      return inTransaction(db, () => {
        const unsent = number(unsentIfPaused.get({ id, now: at }));
        if (unsent > 0 && number(taken.get({ now: at })) + unsent > storageBytes) return false;
        touch.run({ id, now: at });
        return true;
      });
    },
    exists: (id: string): boolean => exists.get(id) !== undefined,
    hasChunk: (id: string, index: number): boolean => chunk.get(id, index) !== undefined,
    noteChunk(id: string, index: number): void {
      note.run({ id, index, now: now().getTime() });
    },
    unnoteChunk(id: string, index: number): void {
      unnote.run(id, index);
    },
    missing(upload: Upload, most: number): number[] {
      const missing: number[] = [];
      let next = 0;
      const gapUpTo = (end: number) => {
        while (next < end && missing.length < most) missing.push(next++);
        next = end + 1;
      };
      for (const row of positions.iterate(upload.id)) {
        gapUpTo(Number(row.position));
        if (missing.length >= most) return missing;
      }
      gapUpTo(upload.chunkCount);
      return missing;
    },
    complete(id: string): boolean {
      return inTransaction(db, () => {
        if (complete.run({ id }).changes === 0) return false;
        dropChunks.run(id);
        return true;
      });
    },
    claim(id: string, owner: string, claimId: string): Upload | undefined {
      const row = claim.get({ id, owner, claimId, now: now().getTime() });
      return row && uploadOf(row);
    },
    consume: (claimId: string): string[] => idsOf(consume.all(claimId)),
    release(claimId: string): void {
      release.run(claimId);
    },
    releaseAll(): void {
      releaseAll.run();
    },
    drop: (id: string): boolean => drop.run(id).changes === 1,
    dropOwned: (id: string, owner: string): boolean => dropOwned.get(id, owner) !== undefined,
    dropExpired: (at: Date): string[] => idsOf(dropExpired.all({ now: at.getTime() })),
    ids: (): string[] => idsOf(ids.all()),
  };
}

type Row = Record<string, SQLOutputValue>;

function uploadOf(row: Row): Upload {
  return {
    id: String(row.id),
    owner: String(row.owner),
    filename: String(row.filename),
    contentType: row.content_type === null ? null : String(row.content_type),
    size: Number(row.size),
    chunkSize: Number(row.chunk_size),
    chunkCount: Number(row.chunk_count),
    expiresAt: new Date(Number(row.expires_at)),
    completed: row.completed === 1,
  };
}
