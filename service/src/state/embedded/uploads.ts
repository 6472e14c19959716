// Uploads: rows in the database, one sparse file each. Only this process writes the files (lock.ts).
import { createReadStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { MIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { machineFaultOf } from '../../contract/machine-faults.ts';
import { Problem } from '../../contract/problems.ts';
import { type ChunkPlace, comparedWith, receiveAside } from '../chunk-bytes.ts';
import { newName } from '../new-name.ts';
import type { Upload, Uploads } from '../state.ts';
import { copyInto, createDirectSend, createSparseFile, type DirectSend } from './chunk-file.ts';
import type { Folder } from './folder.ts';
import { LocalBytes } from './local-bytes.ts';
import { createTurns } from './turns.ts';
import { type UploadRows, uploadRows } from './upload-rows.ts';

/** What uploads leave to the database and to jobs at work. */
const HEADROOM_BYTES = 64 * MIB;

const RESENT = { same: 'stored', other: 'completed', wrong_size: 'wrong_size' } as const;

type ChunkVerdict = Awaited<ReturnType<Uploads['putChunk']>>;

export function createUploads(
  db: DatabaseSync,
  folder: Folder,
  now: () => Date,
  log: Log,
): Uploads & { sweep(now: Date): Promise<void> } {
  const rows = uploadRows(db, now);
  const receive = chunkReceiver(rows, folder);
  // Claims of a process that is gone would block their uploads for ever.
  rows.releaseAll();

  return {
    async begin(plan, caps) {
      // Full in truth, whatever the cap says.
      if ((await freeBytes(folder)) - HEADROOM_BYTES < plan.size) return 'insufficient_storage';
      const id = newName();
      return folder.holding(id, async () => {
        const verdict = rows.reserve(id, plan, caps);
        if (verdict !== 'reserved') return verdict;
        try {
          await createSparseFile(folder.pathOf(id), plan.size);
        } catch (error) {
          rows.drop(id);
          await folder.remove(id);
          throw isDiskFull(error) ? diskFull(error) : error;
        }
        return { ...plan, id, completed: false };
      });
    },
    async get(id, owner) {
      return rows.find(id, owner);
    },
    async putChunk(id, owner, index, expectedBytes, data, storageBytes) {
      const upload = rows.find(id, owner);
      if (!upload) return 'gone';
      if (!Number.isInteger(index) || index < 0 || index >= upload.chunkCount) return 'no_such_chunk';
      const offset = index * upload.chunkSize;
      const length = Math.min(upload.chunkSize, upload.size - offset);
      if (expectedBytes !== length) return 'wrong_size';
      if (!upload.completed && !rows.keepRoom(id, storageBytes)) return 'no_room';
      const place = { path: folder.pathOf(id), offset, length };
      try {
        // Interface 4.9: "Chunks may be ... re-sent": whose first answer was lost cannot know that all has arrived.
        if (upload.completed) return RESENT[await comparedWith(place, data)];
        return await receive.chunk(upload, index, place, data);
      } catch (error) {
        // Dropped, used or expired on the way: its file is no more.
        if (!rows.find(id, owner)) return 'gone';
        throw isDiskFull(error) ? diskFull(error) : error;
      }
    },
    async missingChunks(id, owner, most = Number.MAX_SAFE_INTEGER) {
      const upload = rows.find(id, owner);
      if (!upload) return undefined;
      return upload.completed ? [] : rows.missing(upload, most);
    },
    complete: (id, owner) =>
      receive.settled(id, async () => {
        const upload = rows.find(id, owner);
        if (!upload) return 'gone';
        return upload.completed || rows.complete(id) ? 'completed' : 'incomplete';
      }),
    async claim(id, owner, claimId) {
      const upload = rows.claim(id, owner, claimId);
      return upload && { filename: upload.filename, bytes: new LocalBytes(folder.pathOf(id), upload.size) };
    },
    async consume(claimId) {
      for (const id of rows.consume(claimId)) await folder.remove(id);
    },
    async release(claimId) {
      rows.release(claimId);
    },
    async drop(id, owner) {
      if (rows.dropOwned(id, owner)) await folder.remove(id);
    },
    async sweep(at) {
      const expired = rows.dropExpired(at);
      for (const id of expired) await folder.remove(id);
      // Rows first, files after: an upload begun in between must not look like one without a file.
      const settled = rows.ids().filter((id) => !folder.isHeld(id));
      const files = new Set(await folder.names());
      const lost = settled.filter((id) => !files.has(id) && rows.drop(id));
      const orphans = await folder.removeOrphans((name) => rows.exists(name));
      if (expired.length + lost.length + orphans === 0) return;
      log.info('Uploads swept.', { expired: expired.length, withoutFile: lost.length, orphans });
    },
  };
}

/** Takes in chunks, several of an upload at once, also the same one. */
function chunkReceiver(rows: UploadRows, folder: Folder) {
  const directSends = new Map<string, DirectSend>();
  const movingIn = new Set<string>();
  const inTurn = createTurns();

  async function direct(
    slot: string,
    upload: Upload,
    index: number,
    place: ChunkPlace,
    data: AsyncIterable<Uint8Array>,
  ) {
    const send = createDirectSend();
    directSends.set(slot, send);
    try {
      if (!(await send.receive(place, data))) return 'wrong_size';
      if (send.hasYielded()) return 'stored';
      rows.noteChunk(upload.id, index);
      return stateAfter(upload, index);
    } finally {
      directSends.delete(slot);
    }
  }

  async function aside(
    slot: string,
    upload: Upload,
    index: number,
    place: ChunkPlace,
    data: AsyncIterable<Uint8Array>,
  ) {
    const name = newName();
    return folder.holding(name, async () => {
      try {
        if (!(await receiveAside(folder.pathOf(name), place.length, data))) return 'wrong_size';
        return await inTurn(upload.id, () => moveIn(slot, upload, index, place, folder.pathOf(name)));
      } finally {
        await folder.remove(name);
      }
    });
  }

  async function moveIn(slot: string, upload: Upload, index: number, place: ChunkPlace, from: string) {
    // Complete means nobody writes: the file may already be linked into a job.
    const current = rows.find(upload.id, upload.owner);
    if (!current) return 'gone';
    if (current.completed) return RESENT[await comparedWith(place, createReadStream(from))];
    movingIn.add(slot);
    try {
      await directSends.get(slot)?.yieldPlace();
      // Missing while it is overwritten: a crash in the middle costs a re-send, not a torn document.
      rows.unnoteChunk(upload.id, index);
      await copyInto(place, from);
      rows.noteChunk(upload.id, index);
      return stateAfter(upload, index);
    } finally {
      movingIn.delete(slot);
    }
  }

  const stateAfter = (upload: Upload, index: number): ChunkVerdict =>
    rows.find(upload.id, upload.owner) && rows.hasChunk(upload.id, index) ? 'stored' : 'gone';

  return {
    chunk(
      upload: Upload,
      index: number,
      place: ChunkPlace,
      data: AsyncIterable<Uint8Array>,
    ): Promise<ChunkVerdict> {
      const slot = `${upload.id}/${index}`;
      const takesPlace = !directSends.has(slot) && !movingIn.has(slot) && !rows.hasChunk(upload.id, index);
      return (takesPlace ? direct : aside)(slot, upload, index, place, data);
    },
    /** Runs when no chunk of the upload is just being moved in. */
    settled: inTurn,
  };
}

async function freeBytes(folder: Folder): Promise<number> {
  const { bavail, bsize } = await statfs(folder.pathOf('.'));
  return bavail * bsize;
}

const isDiskFull = (error: unknown): boolean => machineFaultOf(error) === 'insufficient_storage';

const diskFull = (cause: unknown): Problem =>
  new Problem('insufficient_storage', 'There is no room left for uploads at present.', { cause });
