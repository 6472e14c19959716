// Asynchronous jobs that many nodes share: what is known of them in Redis, parts and answers in the bucket. The lease of
// a node that died runs out, and another runs the job again.
import { KIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import {
  JOB_STATUSES,
  type JobCaps,
  type JobPart,
  type JobStatus,
  type Jobs,
  type NewJob,
  type ProgressWord,
  reservedBytes,
  type StoredJob,
} from '../jobs.ts';
import { newName } from '../new-name.ts';
import { ownerShare } from '../state.ts';
import * as scripts from './job-scripts.ts';
import { JOB_OBJECTS, jobObjectName, readJobObjectName } from './names.ts';
import { ObjectBytes, type Piece } from './object-bytes.ts';
import type { ObjectContent, Objects } from './objects.ts';
import { finite, type Reply, type SharedRedis } from './redis.ts';
import { contentOf } from './taken-in.ts';

/** Redis holds all in memory: a refusal or a short answer may stand there, no document. */
const MOST_IN_REDIS_BYTES = 4 * KIB;
/** Objects that no job needs are looked for so often, by whichever node comes first. */
const LOOK_FOR_ORPHANS_MS = 10 * 60 * 1000;
/** Younger ones may belong to a job that is just being accepted or finished. */
const ORPHAN_AFTER_MS = 2 * 3600 * 1000;

export function createJobs(
  redis: SharedRedis,
  objects: Objects,
  now: () => Date,
  log: Log,
): Jobs & { sweep(at: Date): Promise<void> } {
  const refusal = redis.script(scripts.REFUSAL);
  const accept = redis.script(scripts.ACCEPT);
  const claim = redis.script(scripts.CLAIM);
  const renew = redis.script(scripts.RENEW);
  const note = redis.script(scripts.NOTE);
  const wordsAfter = redis.script(scripts.WORDS_AFTER);
  const finish = redis.script(scripts.FINISH);
  const giveBack = redis.script(scripts.GIVE_BACK);
  const get = redis.script(scripts.GET);
  const list = redis.script(scripts.LIST);
  const end = redis.script(scripts.END);
  const counts = redis.script(scripts.COUNTS);
  const expire = redis.script(scripts.EXPIRE);
  const needed = redis.script(scripts.NEEDED);
  const takeTurn = redis.script(scripts.TAKE_TURN_TO_SWEEP);

  /** Best done now; what is missed here is found by the sweep. */
  const removed = async (names: readonly (string | undefined)[]): Promise<void> => {
    for (const name of names)
      if (name !== undefined)
        await objects
          .remove(name)
          .catch((error) => log.warn('an object of a job was not removed', { error: String(error) }));
  };
  const newObject = (id: string): string => jobObjectName(id, newName(), now());

  async function put(id: string, content: ObjectContent): Promise<Piece> {
    const size = 'bytes' in content ? content.bytes.length : content.size;
    const name = newObject(id);
    await objects.put(name, content);
    return { name, size };
  }

  return {
    async accept(job, caps) {
      const asked = askedFor(job, caps);
      const refused = await refusal(asked);
      if (refused !== null) return acceptedOf(refused);
      const parts: Piece[] = [];
      try {
        for (const part of job.parts) parts.push(await put(job.id, await contentOfPart(part)));
        const about = JSON.stringify(job.about);
        const answer = await accept({ ...asked, about, parts: JSON.stringify(parts) });
        const accepted = acceptedOf(answer);
        const isOurs =
          typeof accepted === 'object' && partsOf(fieldsOf(answer)).includes(parts[0]?.name ?? '');
        if (!isOurs) await removed(parts.map(({ name }) => name));
        return accepted;
      } catch (error) {
        await removed(parts.map(({ name }) => name));
        throw error;
      }
    },
    async claim(leaseMs) {
      const lease = newName();
      const answer = await claim({ lease, ms: leaseMs });
      if (answer === null) return undefined;
      const fields = fieldsOf(answer);
      const job = jobOf(fields);
      const pieces = JSON.parse(fields.parts ?? '[]') as Piece[];
      const parts = pieces.map((piece) => new ObjectBytes(objects, piece.size === 0 ? [] : [piece]));
      return { job, lease: `${lease} ${job.id}`, attempt: Number(fields.attempts), parts };
    },
    async renew(held, leaseMs) {
      return (await renew({ ...leaseOf(held), ms: leaseMs })) === 1;
    },
    async note(held, words) {
      return (await note({ ...leaseOf(held), words: words.map((word) => JSON.stringify(word)) })) === 1;
    },
    async wordsAfter({ id, owner }, version) {
      const found = (await wordsAfter({ id, owner, version })) as Reply[];
      return found.map(wordOf);
    },
    async finish(held, { status, outcome, response }, expiresAt) {
      const content = response.body && (await contentOf(response.body));
      const size = content === null ? 0 : 'bytes' in content ? content.bytes.length : content.size;
      const isSmall = content !== null && 'bytes' in content && size <= MOST_IN_REDIS_BYTES;
      const object = content && !isSmall ? (await put(leaseOf(held).id, content)).name : undefined;
      const parts = await finish({
        ...leaseOf(held),
        status,
        outcome: JSON.stringify(outcome),
        response: JSON.stringify({ status: response.status, headers: response.headers }),
        size,
        ...(isSmall && { body: Buffer.from(content.bytes).toString('base64') }),
        ...(object && { object }),
        expiresAt: expiresAt.getTime(),
      });
      await removed(parts === null ? [object] : namesIn(parts));
      return parts !== null;
    },
    async giveBack(held, notBefore) {
      await giveBack({ ...leaseOf(held), notBefore: notBefore.getTime() });
    },
    async get(id, owner) {
      const answer = await get({ id, owner });
      return answer === null ? undefined : jobOf(fieldsOf(answer));
    },
    async list(owner, most, before) {
      const found = (await list({ owner, most, ...(before !== undefined && { before }) })) as Reply[];
      return found.map((one) => jobOf(fieldsOf(one)));
    },
    async responseOf({ id, owner }) {
      const answer = await get({ id, owner });
      const { response, object, body, size } = answer === null ? {} : fieldsOf(answer);
      if (response === undefined) return undefined;
      const head = JSON.parse(response) as { status: number; headers: Record<string, string> };
      if (object !== undefined) {
        const stored = new ObjectBytes(objects, [{ name: object, size: Number(size) }]);
        return { ...head, body: { stored } };
      }
      return { ...head, body: body === undefined ? null : { bytes: Buffer.from(body, 'base64') } };
    },
    async end(id, owner, expiresAt) {
      const [verdict, parts, object] = (await end({ id, owner, expiresAt: expiresAt.getTime() })) as Reply[];
      await removed([...namesIn(parts ?? null), ...(object ? [String(object)] : [])]);
      return verdict as 'cancelled' | 'removed' | 'gone';
    },
    async counts() {
      const found = fieldsOf(await counts({}));
      const all = JOB_STATUSES.map((status) => [status, Number(found[status] ?? 0)]);
      return Object.fromEntries(all) as Record<JobStatus, number>;
    },
    async sweep(at) {
      for (let gone: Reply[] = [null]; gone.length > 0; ) {
        gone = (await expire({ at: at.getTime() })) as Reply[];
        for (const [parts, object] of gone as Reply[][])
          await removed([...namesIn(parts ?? null), ...(object ? [String(object)] : [])]);
      }
      if ((await takeTurn({ ms: LOOK_FOR_ORPHANS_MS })) === 1) await removeOrphans(at);
    },
  };

  async function removeOrphans(at: Date): Promise<void> {
    let removedOnes = 0;
    for (let after: string | undefined; ; ) {
      const page = await objects.list(JOB_OBJECTS, after);
      const old = page.flatMap(({ name }) => {
        const read = readJobObjectName(name);
        return read && read.madeAt + ORPHAN_AFTER_MS <= at.getTime() ? [{ name, id: read.id }] : [];
      });
      const kept = new Set(old.length === 0 ? [] : ((await needed({ objects: old })) as string[]));
      const orphans = old.filter(({ name }) => !kept.has(name));
      await removed(orphans.map(({ name }) => name));
      removedOnes += orphans.length;
      after = page.at(-1)?.name;
      // They stand in the order of their age.
      if (after === undefined || old.length < page.length) break;
    }
    if (removedOnes > 0) log.info('Objects of jobs swept.', { removed: removedOnes });
  }
}

const askedFor = ({ id, owner, parts, laterBytes = 0 }: NewJob, { jobs, storageBytes }: JobCaps) => ({
  id,
  owner,
  counted: reservedBytes(parts.reduce((sum, part) => sum + sizeOf(part), laterBytes)),
  jobs,
  storageBytes: finite(storageBytes),
  share: finite(ownerShare(storageBytes)),
});

const sizeOf = (part: JobPart): number =>
  'path' in part ? part.size : part.chunks.reduce((sum, chunk) => sum + chunk.length, 0);

const contentOfPart = async (part: JobPart): Promise<ObjectContent> =>
  'path' in part ? contentOf(part) : { bytes: Buffer.concat(part.chunks) };

type Fields = Record<string, string | undefined>;

function fieldsOf(reply: Reply): Fields {
  const words = Array.isArray(reply) ? reply : [];
  const fields: Fields = {};
  for (let at = 0; at + 1 < words.length; at += 2) fields[String(words[at])] = String(words[at + 1]);
  return fields;
}

const partsOf = ({ parts = '[]' }: Fields): string[] => namesIn(parts);

const namesIn = (parts: Reply): string[] =>
  typeof parts === 'string' ? (JSON.parse(parts) as Piece[]).map(({ name }) => name) : [];

const acceptedOf = (reply: Reply): StoredJob | 'insufficient_storage' =>
  reply === 'insufficient_storage' ? reply : jobOf(fieldsOf(reply));

/** As it stands: its version, a space, and what was told. */
function wordOf(reply: Reply): ProgressWord {
  const text = String(reply);
  const space = text.indexOf(' ');
  return { version: Number(text.slice(0, space)), progress: JSON.parse(text.slice(space + 1)) };
}

/** A lease knows its job, so that nobody needs to look for it. */
function leaseOf(held: string): { lease: string; id: string } {
  const [lease = '', id = ''] = held.split(' ');
  return { lease, id };
}

const dateOf = (value: string | undefined): Date | null =>
  value === undefined ? null : new Date(Number(value));

const parsed = (value: string | undefined) => (value === undefined ? null : JSON.parse(value));

const jobOf = (fields: Fields): StoredJob => ({
  id: fields.id ?? '',
  owner: fields.owner ?? '',
  status: fields.status as JobStatus,
  sequence: Number(fields.sequence),
  version: Number(fields.version),
  about: parsed(fields.about),
  progress: parsed(fields.progress),
  outcome: parsed(fields.outcome),
  createdAt: new Date(Number(fields.createdAt)),
  startedAt: dateOf(fields.startedAt),
  finishedAt: dateOf(fields.finishedAt),
  expiresAt: fields.finishedAt === undefined ? null : dateOf(fields.ends),
});
