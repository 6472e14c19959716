// Uploads: what is known of them in Redis, their bytes as multipart uploads of the bucket, a part for each chunk. A chunk
// is received whole by the node that took it before the bucket hears of it: what breaks off on the way touches nothing,
// and the bucket is never kept waiting by a slow sender.
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { comparedWith, receiveAside } from '../chunk-bytes.ts';
import { newName } from '../new-name.ts';
import { ownerShare, type Upload, type Uploads } from '../state.ts';
import { transientName } from './names.ts';
import type { ThisNode } from './nodes.ts';
import { ObjectBytes } from './object-bytes.ts';
import type { Objects } from './objects.ts';
import { finite, type Reply, type SharedRedis } from './redis.ts';
import * as scripts from './upload-scripts.ts';

/** Others complete an upload in less, or have died. */
const COMPLETE_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 20;
/** While Redis is away, a claim is given back again and again for so long. */
const RELEASE_TRIES = 120;
const RELEASE_AGAIN_MS = 1000;

/** An upload, and where its bytes are. */
interface Known {
  upload: Upload;
  object: string;
  multipart: string;
}

export interface SharedUploads extends Uploads {
  sweep(now: Date): Promise<void>;
  isKnown(id: string): Promise<boolean>;
}

export function createUploads(
  redis: SharedRedis,
  objects: Objects,
  node: ThisNode,
  /** A path for a chunk on its way. */
  spoolPath: () => string,
  log: Log,
): SharedUploads {
  const reserve = redis.script(scripts.RESERVE);
  const noteMultipart = redis.script(scripts.NOTE_MULTIPART);
  const get = redis.script(scripts.GET);
  const expect = redis.script(scripts.EXPECT);
  const beginSending = redis.script(scripts.BEGIN_SENDING);
  const endSending = redis.script(scripts.END_SENDING);
  const missing = redis.script(scripts.MISSING);
  const beginCompleting = redis.script(scripts.BEGIN_COMPLETING);
  const endCompleting = redis.script(scripts.END_COMPLETING);
  const claim = redis.script(scripts.CLAIM);
  const consume = redis.script(scripts.CONSUME);
  const release = redis.script(scripts.RELEASE);
  const drop = redis.script(scripts.DROP);
  const expire = redis.script(scripts.EXPIRE);
  const known = redis.script(scripts.KNOWN);

  const bytesOf = ({ object, upload }: Known): ObjectBytes =>
    new ObjectBytes(objects, upload.size === 0 ? [] : [{ name: object, size: upload.size }]);

  /** Best done now; what is missed here goes with its time. */
  async function removeBytes([object, multipart, completed]: readonly Reply[]): Promise<void> {
    const name = String(object);
    const isOpen = completed !== 1 && multipart !== '';
    await (isOpen ? objects.multipart.abort(name, String(multipart)) : objects.remove(name)).catch((error) =>
      log.warn('bytes of an upload were not removed', { error: String(error) }),
    );
  }

  async function comparedChunk(held: Known, index: number, path: string, length: number) {
    const offset = index * held.upload.chunkSize;
    const stream = bytesOf(held).part(offset, length);
    const verdict = await comparedWith({ path, offset: 0, length }, stream);
    return verdict === 'same' ? 'stored' : 'completed';
  }

  /** From the spool to the bucket. */
  async function send(held: Known, index: number, path: string, length: number) {
    const { id, owner } = held.upload;
    const token = newName();
    for (const giveUpAt = performance.now() + COMPLETE_WITHIN_MS; ; ) {
      const verdict = await beginSending({ id, owner, token });
      if (verdict === 'gone') return 'gone';
      if (verdict === 'completed') return comparedChunk(held, index, path, length);
      if (verdict === 'sending') break;
      if (performance.now() > giveUpAt) throw busy();
      await pause(LOOK_EVERY_MS);
    }
    let stored = false;
    try {
      await objects.multipart.putPart(held.object, held.multipart, index + 1, { path, size: length });
      stored = true;
    } finally {
      const verdict = await endSending({ id, owner, token, index, stored });
      // Dropped, used or expired on the way.
      if (verdict === 'gone') stored = false;
    }
    return stored ? 'stored' : 'gone';
  }

  return {
    async begin(plan, caps) {
      const id = newName();
      const object = transientName('upload', id, plan.expiresAt);
      const { owner, filename, contentType, size, chunkSize, chunkCount } = plan;
      const verdict = await reserve({
        id,
        object,
        owner,
        filename,
        contentType,
        size,
        chunkSize,
        chunkCount,
        expiresAt: plan.expiresAt.getTime(),
        inProgress: finite(caps.inProgress),
        storageBytes: finite(caps.storageBytes),
        share: finite(ownerShare(caps.storageBytes)),
      });
      if (verdict !== 'reserved') return verdict as 'upload_limit_reached' | 'insufficient_storage';
      try {
        if (chunkCount > 0) await noteMultipart({ id, multipart: await objects.multipart.begin(object) });
      } catch (error) {
        await drop({ id, owner }).catch(() => {});
        throw error;
      }
      return { ...plan, id, completed: false };
    },
    async get(id, owner) {
      const reply = await get({ id, owner });
      return reply === null ? undefined : knownOf(id, reply).upload;
    },
    async putChunk(id, owner, index, expectedBytes, data, storageBytes) {
      const reply = await expect({ id, owner, storageBytes: finite(storageBytes) });
      if (reply === 'gone' || reply === 'no_room') return reply;
      const held = knownOf(id, reply);
      const { upload } = held;
      if (!Number.isInteger(index) || index < 0 || index >= upload.chunkCount) return 'no_such_chunk';
      const length = Math.min(upload.chunkSize, upload.size - index * upload.chunkSize);
      if (expectedBytes !== length) return 'wrong_size';
      const path = spoolPath();
      try {
        if (!(await receiveAside(path, length, data))) return 'wrong_size';
        return await send(held, index, path, length);
      } finally {
        await rm(path, { force: true });
      }
    },
    async missingChunks(id, owner, most = Number.MAX_SAFE_INTEGER) {
      const reply = await missing({ id, owner });
      if (reply === null) return undefined;
      const [bits, count] = reply as [string, number];
      return unsetBits(Buffer.from(bits, 'hex'), count, most);
    },
    async complete(id, owner) {
      const token = newName();
      for (const giveUpAt = performance.now() + COMPLETE_WITHIN_MS; ; ) {
        const reply = await beginCompleting({ id, owner, token });
        if (reply === 'gone' || reply === 'completed' || reply === 'incomplete') return reply;
        if (reply !== 'waiting') return finish(knownOf(id, reply), token);
        if (performance.now() > giveUpAt) throw busy();
        await pause(LOOK_EVERY_MS);
      }
    },
    async claim(id, owner, claimId) {
      const reply = await claim({ id, owner, claim: claimId, node: node.id });
      if (reply === null) return undefined;
      const held = knownOf(id, reply);
      return { filename: held.upload.filename, bytes: bytesOf(held) };
    },
    async consume(claimId) {
      for (const object of (await consume({ claim: claimId })) as string[])
        await removeBytes([object, '', 1]);
    },
    async release(claimId) {
      await release({ claim: claimId }).catch(() => void releasedLater(claimId));
    },
    async drop(id, owner) {
      const reply = await drop({ id, owner });
      if (reply !== null) await removeBytes(reply as Reply[]);
    },
    async isKnown(id) {
      return (await known({ id })) === 1;
    },
    async sweep(at) {
      for (;;) {
        const gone = (await expire({ at: at.getTime() })) as Reply[][];
        for (const one of gone) await removeBytes(one);
        if (gone.length === 0) return;
      }
    },
  };

  /** What a node that lives has claimed nobody else may use. */
  async function releasedLater(claimId: string): Promise<void> {
    for (let tries = 1; tries <= RELEASE_TRIES; tries += 1) {
      await pause(RELEASE_AGAIN_MS, undefined, { ref: false });
      const isReleased = await release({ claim: claimId }).then(
        () => true,
        () => false,
      );
      if (isReleased) return;
    }
    log.warn('a claim on uploads was not given back', { claimId });
  }

  async function finish({ upload, object, multipart }: Known, token: string): Promise<'completed' | 'gone'> {
    let done = false;
    try {
      if (upload.size > 0 && !(await objects.multipart.complete(object, multipart))) {
        // Completed before by a node that died without saying so, or dropped meanwhile.
        if ((await objects.sizeOf(object)) !== upload.size) return 'gone';
      }
      done = true;
    } finally {
      const isOurs = (await endCompleting({ id: upload.id, token, done })) === 1;
      // Dropped or expired on the way: its bytes are nobody's.
      if (done && !isOurs) await objects.remove(object).catch(() => {});
    }
    return 'completed';
  }
}

const busy = (): Problem =>
  new Problem('unavailable', 'The upload is busy at present.', { retryAfterSeconds: 2 });

function knownOf(id: string, reply: Reply): Known {
  const [filename, contentType, size, chunkSize, chunkCount, expiresAt, completed, object, multipart, owner] =
    reply as Reply[];
  return {
    upload: {
      id,
      owner: String(owner),
      filename: String(filename),
      contentType: contentType === null ? null : String(contentType),
      size: Number(size),
      chunkSize: Number(chunkSize),
      chunkCount: Number(chunkCount),
      expiresAt: new Date(Number(expiresAt)),
      completed: completed === 1,
    },
    object: String(object),
    multipart: String(multipart),
  };
}

/** Redis counts bits from the most significant of the first byte on. */
function unsetBits(bits: Buffer, count: number, most: number): number[] {
  const unset: number[] = [];
  for (let index = 0; index < count && unset.length < most; index += 1)
    if ((((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 0) unset.push(index);
  return unset;
}
