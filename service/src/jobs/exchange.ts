// Bytes of jobs on their way between the API process and one worker: in a file without a name that these two have open
// and nobody else can find. A message carries a megabyte slowly; a file of its own for each job must be made, moved and
// removed, and fills new pages of memory, which takes several times as long as copying the bytes.
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { KIB, MIB } from '../contract/limits.ts';
import { noteYoungBuffer } from './give-back-memory.ts';
import type { Job } from './job.ts';
import { filesOf, withFiles } from './job-files.ts';

/** Fewer bytes travel in the message itself. */
const LEAST_BYTES = 32 * KIB;
/** What a worker keeps for the documents of its jobs. */
const MOST_ROOM = 4 * MIB;
/** IOV_MAX of Linux. */
const MOST_CHUNKS = 1024;

/** Where a worker finds it: behind the standard streams and the channel of messages. */
export const EXCHANGE_FD = 4;

const CLOSED = -1;

export const isWorthExchange = (bytes: number): boolean => bytes >= LEAST_BYTES;

export class Exchange {
  #fd: number;
  #isUsed = false;
  #room = new ArrayBuffer(0);

  constructor(fd: number) {
    this.#fd = fd;
  }

  get fd(): number {
    return this.#fd;
  }

  static make(dir: string): Exchange {
    const path = join(dir, 'exchange');
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return new Exchange(fd);
  }

  /** In place of what was there. */
  write(chunks: readonly Uint8Array[]): void {
    this.#isUsed = true;
    let at = 0;
    for (let from = 0; from < chunks.length; from += MOST_CHUNKS) {
      const some = chunks.slice(from, from + MOST_CHUNKS);
      const size = bytesIn(some);
      // A disk that is nearly full takes a part of it, without an error.
      if (writevSync(this.#fd, some, at) < size)
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      at += size;
    }
  }

  /** Throws where so many are not there. */
  read(size: number): Buffer {
    noteYoungBuffer(size);
    return this.#readInto(Buffer.allocUnsafeSlow(size));
  }

  /**
   * As `read`, into the same memory every time: new memory would cost as much again, and the collection of it more.
   * What was read before becomes empty, so that whoever still holds it cannot take another document's bytes for it.
   */
  readInPlace(size: number): Buffer {
    if (size > MOST_ROOM) return this.read(size);
    this.#room = size > this.#room.byteLength ? new ArrayBuffer(size) : this.#room.transfer();
    return this.#readInto(Buffer.from(this.#room, 0, size));
  }

  #readInto(bytes: Buffer): Buffer {
    this.#isUsed = true;
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#fd, bytes, at, bytes.length - at, at);
      if (read === 0) throw new Error('the exchange holds less than was said');
      at += read;
    }
    return bytes;
  }

  /** Nothing of a job is kept when it is over for a while. */
  empty(): void {
    if (this.#isUsed) ftruncateSync(this.#fd, 0);
    this.#isUsed = false;
  }

  close(): void {
    if (this.#fd !== CLOSED) closeSync(this.#fd);
    // The number will be that of another file.
    this.#fd = CLOSED;
  }
}

export interface SentJob {
  job: Job;
  /** The bytes of its files lie in the exchange, one file after the other. */
  exchanged: boolean;
}

/** A job as it travels: with the bytes of its files, or by way of the exchange. */
export function putBytes(job: Job, exchange: Exchange): SentJob {
  const chunks = filesOf(job).flatMap(({ content }) => ('chunks' in content ? content.chunks : []));
  if (!isWorthExchange(bytesIn(chunks))) return { job, exchanged: false };
  exchange.write(chunks);
  return {
    job: withFiles(job, (file) => ('chunks' in file.content ? { ...file, content: { chunks: [] } } : file)),
    exchanged: true,
  };
}

/** The job as it was before it travelled. */
export function takeBytes({ job, exchanged }: SentJob, exchange: Exchange): Job {
  if (!exchanged) return job;
  const size = filesOf(job).reduce((sum, file) => sum + ('chunks' in file.content ? file.size : 0), 0);
  const bytes = exchange.readInPlace(size);
  let at = 0;
  return withFiles(job, (file) => {
    if (!('chunks' in file.content)) return file;
    at += file.size;
    return { ...file, content: { chunks: [bytes.subarray(at - file.size, at)] } };
  });
}

export const bytesIn = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0);
