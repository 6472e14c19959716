// Asynchronous jobs: rows in the database; the parts of one that is not finished in a folder of its own, the answer of
// one that is as a file.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../contract/log.ts';
import type { ClaimedJob, JobPart, Jobs } from '../jobs.ts';
import { newName } from '../new-name.ts';
import type { Folder } from './folder.ts';
import { jobRows, numbersOf } from './job-rows.ts';
import { LocalBytes } from './local-bytes.ts';
import { takeIn } from './taken-in.ts';

export function createJobs(
  db: DatabaseSync,
  folder: Folder,
  now: () => Date,
  log: Log,
): Jobs & { sweep(now: Date): Promise<void> } {
  const rows = jobRows(db, now);
  // Only one process uses the folder: whoever held a lease before this start is gone.
  rows.queueAll();

  const partPath = (parts: string, index: number): string => join(folder.pathOf(parts), String(index));
  const removed = async (names: readonly (string | null)[]): Promise<void> => {
    for (const name of names) if (name !== null) await folder.remove(name);
  };

  return {
    accept(job, caps) {
      const parts = newName();
      return folder.holding(parts, async () => {
        const sizes = job.parts.map(sizeOf);
        // Asked first: what is refused is not written.
        const refused = rows.refusal(job, sizes, caps);
        if (refused !== undefined) return refused;
        let accepted: ReturnType<typeof rows.accept> | undefined;
        try {
          await mkdir(folder.pathOf(parts), { mode: 0o700 });
          for (const [index, part] of job.parts.entries()) await written(part, partPath(parts, index));
          accepted = rows.accept(job, parts, sizes, caps);
          return accepted.answer;
        } finally {
          if (accepted?.isNew !== true) await folder.remove(parts);
        }
      });
    },
    async claim(leaseMs) {
      const claimed = rows.claim(leaseMs);
      if (claimed === undefined) return undefined;
      const { job, row, lease } = claimed;
      const parts = numbersOf(row.part_sizes).map(
        (size, index) => new LocalBytes(partPath(String(row.parts), index), size),
      );
      return { job, lease, attempt: Number(row.attempts), parts } satisfies ClaimedJob;
    },
    async renew(lease, leaseMs) {
      return rows.renew(lease, leaseMs);
    },
    async note(lease, words) {
      return rows.note(lease, words);
    },
    async wordsAfter(job, version) {
      return rows.wordsAfter(job, version);
    },
    finish(lease, { status, outcome, response }, expiresAt) {
      const name = newName();
      return folder.holding(name, async () => {
        const { body } = response;
        const size = body === null ? null : await takeIn(body, folder.pathOf(name));
        const head = { status: response.status, headers: response.headers };
        const kept = { status, outcome, head, body: body && name, size, expiresAt };
        const parts = rows.finish(lease, kept);
        await removed([parts === undefined ? name : parts]);
        return parts !== undefined;
      });
    },
    async giveBack(lease, notBefore) {
      rows.giveBack(lease, notBefore);
    },
    async get(id, owner) {
      return rows.get(id, owner);
    },
    async list(owner, most, before) {
      return rows.list(owner, most, before);
    },
    async responseOf(job) {
      const found = rows.responseOf(job);
      if (found === undefined) return undefined;
      const { head, body, size } = found;
      return { ...head, body: body === null ? null : { stored: new LocalBytes(folder.pathOf(body), size) } };
    },
    async end(id, owner, expiresAt) {
      const { verdict, names } = rows.end(id, owner, expiresAt);
      await removed(names);
      return verdict;
    },
    async counts() {
      return rows.counts();
    },
    async sweep(at) {
      rows.forgetWords(at);
      const expired = rows.dropExpired(at);
      await removed(expired);
      const orphans = await folder.removeOrphans((name) => rows.isNamed(name));
      if (expired.length + orphans > 0) log.info('Jobs swept.', { expired: expired.length, orphans });
    },
  };
}

const sizeOf = (part: JobPart): number =>
  'path' in part ? part.size : part.chunks.reduce((sum, chunk) => sum + chunk.length, 0);

async function written(part: JobPart, path: string): Promise<void> {
  if ('path' in part) {
    await takeIn(part, path);
    return;
  }
  const file = await open(path, 'wx', 0o600);
  try {
    for (const chunk of part.chunks) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}
