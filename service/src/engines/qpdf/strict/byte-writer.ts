// Bytes written one after the other: into memory, or through a buffer into a file. What was written so far has a digest.
import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { writeAll } from '../../../contract/file-bytes.ts';
import type { Content } from '../../../contract/files.ts';

const FIRST_BYTES = 64 * 1024;
/** A file is written in pieces of about this size. */
const PIECE_BYTES = 1024 * 1024;
/** Larger data goes to a file as it is, without being copied into the buffer; the digest knows it by its checksum. */
const LARGE_BYTES = 128 * 1024;

/** Where files begin to be written; taken again for the next one, where there is one after the other. */
const spare: Buffer[] = [];
const MOST_SPARE = 2;

export interface WriterOptions {
  /** How much may stay in memory; more of it goes to a file. */
  inMemory: number;
  newFile(): string;
  /** What is expected need not be copied as the buffer grows. */
  expected?: number;
}

export class ByteWriter {
  /** How much was written. */
  length = 0;
  private bytes: Buffer;
  private filled = 0;
  private readonly options: WriterOptions | undefined;
  private file: { path: string; descriptor: number } | undefined;
  /** Of what can be written over, and of large data. */
  private hash: Hash | undefined;
  /** So much of the buffer is in it already. */
  private hashed = 0;

  /** Without options all is kept in memory. */
  constructor(options?: WriterOptions) {
    this.options = options;
    const most =
      options && Number.isFinite(options.inMemory) ? PIECE_BYTES + LARGE_BYTES : Number.POSITIVE_INFINITY;
    const expected = Math.min(options?.expected ?? 0, most);
    const isLarge = expected > FIRST_BYTES;
    this.bytes = (isLarge ? undefined : spare.pop()) ?? Buffer.allocUnsafe(Math.max(FIRST_BYTES, expected));
  }

  /** One character a byte. */
  text(text: string): void {
    const at = this.room(text.length);
    this.bytes.write(text, at, 'latin1');
  }

  data(bytes: Uint8Array): void {
    const isLarge = bytes.length > LARGE_BYTES;
    if (isLarge) this.hashRest().update(`${bytes.length} ${crc32(bytes)} `);
    if (isLarge && this.mustLeave(bytes.length)) {
      this.flush();
      this.toFile(bytes);
      this.length += bytes.length;
      return;
    }
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
    if (isLarge) this.hashed = this.filled;
  }

  part(bytes: Buffer, from: number, to: number): void {
    const at = this.room(to - from);
    bytes.copy(this.bytes, at, from, to);
  }

  /** The digits of a whole number. */
  whole(number: number): void {
    if (number < 10) {
      const at = this.room(1);
      this.bytes[at] = 48 + number;
    } else this.text(String(number));
  }

  /** Of what was written so far, the same in memory and in a file: 16 bytes. */
  digest(): Buffer {
    const digest = this.hash ? this.hashRest().copy().digest() : hash('sha256', this.taken(), 'buffer');
    return digest.subarray(0, 16);
  }

  /** The hash, with all in it that stands in the buffer. */
  private hashRest(): Hash {
    this.hash ??= createHash('sha256');
    if (this.hashed < this.filled) this.hash.update(this.bytes.subarray(this.hashed, this.filled));
    this.hashed = this.filled;
    return this.hash;
  }

  /** Puts a text over what was written at a place; the digest does not tell of it. */
  over(at: number, text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    const inBuffer = at - (this.length - this.filled);
    if (inBuffer >= 0) bytes.copy(this.bytes, inBuffer);
    else {
      this.flush();
      if (this.file) writeAll(this.file.descriptor, bytes, at);
    }
  }

  /** What stands in memory: all of it, where nothing has gone to a file. */
  taken(): Buffer {
    return this.bytes.subarray(0, this.filled);
  }

  /** Begins anew, in memory; what was taken is written over. */
  clear(): void {
    this.filled = 0;
    this.length = 0;
    this.hash = undefined;
    this.hashed = 0;
  }

  /** All that was written; nothing follows. */
  end(): Content {
    if (this.file) {
      this.flush();
      closeSync(this.file.descriptor);
      return { path: this.file.path };
    }
    if (this.bytes.length > FIRST_BYTES) return { bytes: this.taken() };
    // Small results of which there are many do not hold the room that they were written in.
    const bytes = Buffer.from(this.taken());
    this.release();
    return { bytes };
  }

  /** The room can be used for something else. */
  release(): void {
    if (this.bytes.length === FIRST_BYTES && spare.length < MOST_SPARE) spare.push(this.bytes);
    this.bytes = Buffer.alloc(0);
    this.filled = 0;
  }

  /** Room for more; where it begins. */
  private room(count: number): number {
    if (this.filled + count > this.bytes.length) this.grow(count);
    const at = this.filled;
    this.filled += count;
    this.length += count;
    return at;
  }

  /** Whether so many bytes more are too many to stay in memory. */
  private mustLeave(count: number): boolean {
    return (
      this.file !== undefined || (this.options !== undefined && this.filled + count > this.options.inMemory)
    );
  }

  private grow(count: number): void {
    if (this.mustLeave(count) && this.filled >= (this.file ? PIECE_BYTES : 0)) this.flush();
    const needed = this.filled + count;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.filled);
    this.bytes = larger;
  }

  private flush(): void {
    if (this.filled === 0) return;
    this.hashRest();
    this.toFile(this.taken());
    this.filled = 0;
    this.hashed = 0;
  }

  private toFile(bytes: Uint8Array): void {
    if (!this.file) {
      const path = (this.options as WriterOptions).newFile();
      this.file = { path, descriptor: openSync(path, 'wx', 0o600) };
    }
    writeAll(this.file.descriptor, bytes);
  }
}
