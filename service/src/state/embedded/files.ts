// Kept files: rows in the database, one file each in the folder.
import { copyFile, link, open, truncate, writeFile } from 'node:fs/promises';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Log } from '../../contract/log.ts';
import { newName } from '../new-name.ts';
import { type FileCaps, type Files, type KeptFile, type NewFile, ownerShare } from '../state.ts';
import { inTransaction } from './database.ts';
import type { Folder } from './folder.ts';
import { LocalBytes } from './local-bytes.ts';
import { createTurns } from './turns.ts';

type Refusal = 'upload_limit_reached' | 'insufficient_storage';
type Row = Record<string, SQLOutputValue>;

export function createFiles(
  db: DatabaseSync,
  folder: Folder,
  now: () => Date,
  log: Log,
): Files & { sweep(now: Date): Promise<void> } {
  const rows = fileRows(db, now);
  const inTurn = createTurns();
  /** Bytes of sends that are not over yet: sends side by side share what room is left. */
  let arriving = 0;

  /** Row and file appear together or not at all. */
  async function added(
    file: NewFile,
    size: number,
    ready: boolean,
    caps: FileCaps,
    fill: (path: string) => Promise<void>,
  ): Promise<KeptFile | Refusal> {
    const id = newName();
    return folder.holding(id, async () => {
      const refused = rows.reserve(id, file, size, ready, caps);
      if (refused) return refused;
      try {
        await fill(folder.pathOf(id));
      } catch (error) {
        rows.drop(id);
        await folder.remove(id);
        throw error;
      }
      return { ...file, id, size, writes: 0, ready };
    });
  }

  return {
    async bytesOf({ id, size }) {
      return new LocalBytes(folder.pathOf(id), size);
    },
    reserve: (file, caps) => added(file, 0, false, caps, (path) => writeFile(path, '', { mode: 0o600 })),
    keep(file, content, caps) {
      const size = 'bytes' in content ? content.bytes.length : content.size;
      return added(file, size, true, caps, async (path) => {
        if ('bytes' in content) await writeFile(path, content.bytes, { mode: 0o600 });
        else await link(content.path, path).catch(() => copyFile(content.path, path));
      });
    },
    write: (id, from, data, { maxBytes, storageBytes, last }) =>
      inTurn(id, async () => {
        const file = rows.find(id);
        if (!file) return 'gone';
        if (file.ready || file.size !== from) return 'taken';
        const path = folder.pathOf(id);
        let written = 0;
        const take = (bytes: number): Refused | undefined => {
          written += bytes;
          arriving += bytes;
          if (from + written > maxBytes) return 'too_large';
          const isOver =
            rows.takenBytes() + arriving > storageBytes ||
            isOverShare(rows.keptBytes(file.owner) - from, from + written, storageBytes);
          return isOver ? 'insufficient_storage' : undefined;
        };
        try {
          const refused = await append(path, from, data, take);
          const isWrong = last && from + written !== (file.declaredSize ?? from + written);
          if (refused === undefined && !isWrong) return rows.grow(id, from + written, last) ?? 'gone';
          await truncate(path, from);
          return refused ?? 'wrong_size';
        } catch (error) {
          await truncate(path, from);
          throw error;
        } finally {
          arriving -= written;
        }
      }),
    async find(id, owner) {
      return rows.find(id, owner);
    },
    async drop(id, owner) {
      if (rows.find(id, owner) && rows.drop(id)) await folder.remove(id);
    },
    async sweep(at) {
      const expired = rows.dropExpired(at);
      for (const id of expired) await folder.remove(id);
      const orphans = await folder.removeOrphans((name) => rows.exists(name));
      if (expired.length + orphans > 0) log.info('Files swept.', { expired: expired.length, orphans });
    },
  };
}

type Refused = 'too_large' | 'insufficient_storage';

/** A single file may always be as large as the room. */
const isOverShare = (others: number, own: number, storageBytes: number): boolean =>
  others > 0 && others + own > ownerShare(storageBytes);

/** `take` is asked for the room of each piece; what it refuses ends the send. */
async function append(
  path: string,
  from: number,
  data: AsyncIterable<Uint8Array>,
  take: (bytes: number) => Refused | undefined,
): Promise<Refused | undefined> {
  const file = await open(path, 'r+');
  try {
    let at = from;
    for await (const piece of data) {
      const refused = take(piece.length);
      if (refused) return refused;
      await file.write(piece, 0, piece.length, at);
      at += piece.length;
    }
    return undefined;
  } finally {
    await file.close();
  }
}

function fileRows(db: DatabaseSync, now: () => Date) {
  const insert = db.prepare(
    `INSERT INTO files (id, owner, filename, media_type, size, declared_size, ready, expires_at)
     VALUES (:id, :owner, :filename, :mediaType, :size, :declaredSize, :ready, :expiresAt)`,
  );
  const countOfOwner = db.prepare('SELECT count(*) AS n FROM files WHERE owner = ? AND expires_at > ?');
  const taken = db.prepare('SELECT coalesce(sum(size), 0) AS n FROM files WHERE expires_at > ?');
  const kept = db.prepare('SELECT coalesce(sum(size), 0) AS n FROM files WHERE owner = ? AND expires_at > ?');
  const live = db.prepare('SELECT * FROM files WHERE id = ? AND expires_at > ?');
  const grow = db.prepare(
    'UPDATE files SET size = ?, ready = ?, writes = writes + 1 WHERE id = ? AND ready = 0 RETURNING *',
  );
  const drop = db.prepare('DELETE FROM files WHERE id = ?');
  const dropExpired = db.prepare('DELETE FROM files WHERE expires_at <= ? RETURNING id');
  const exists = db.prepare('SELECT 1 FROM files WHERE id = ?');
  const number = (row: Row | undefined): number => Number(row?.n ?? 0);

  return {
    reserve(id: string, file: NewFile, size: number, ready: boolean, caps: FileCaps): Refusal | undefined {
      const at = now().getTime();
      return inTransaction(db, () => {
        if (number(countOfOwner.get(file.owner, at)) >= caps.files) return 'upload_limit_reached';
        const isOver =
          number(taken.get(at)) + size > caps.storageBytes ||
          isOverShare(number(kept.get(file.owner, at)), size, caps.storageBytes);
        if (isOver) return 'insufficient_storage';
        const { owner, filename, mediaType, expiresAt, declaredSize = null } = file;
        insert.run({
          id,
          owner,
          filename,
          mediaType,
          size,
          declaredSize,
          ready: ready ? 1 : 0,
          expiresAt: expiresAt.getTime(),
        });
        return undefined;
      });
    },
    keptBytes: (owner: string): number => number(kept.get(owner, now().getTime())),
    takenBytes: (): number => number(taken.get(now().getTime())),
    find(id: string, owner?: string): KeptFile | undefined {
      const row = live.get(id, now().getTime());
      const file = row && fileOf(row);
      return file && (owner === undefined || file.owner === owner) ? file : undefined;
    },
    grow(id: string, size: number, ready: boolean): KeptFile | undefined {
      const row = grow.get(size, ready ? 1 : 0, id);
      return row && fileOf(row);
    },
    drop: (id: string): boolean => drop.run(id).changes > 0,
    dropExpired: (at: Date): string[] => dropExpired.all(at.getTime()).map((row) => String(row.id)),
    exists: (id: string): boolean => exists.get(id) !== undefined,
  };
}

const fileOf = (row: Row): KeptFile => ({
  id: String(row.id),
  owner: String(row.owner),
  filename: String(row.filename),
  mediaType: String(row.media_type),
  size: Number(row.size),
  writes: Number(row.writes),
  ready: row.ready === 1,
  expiresAt: new Date(Number(row.expires_at)),
  ...(row.declared_size === null ? {} : { declaredSize: Number(row.declared_size) }),
});
