// Bytes written one after the other: into memory, or through a buffer into a file. What was written so far has a digest.
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

const FIRST_BYTES = 64 * 1024;
/** A file is written in pieces of about this size. */
const PIECE_BYTES = 1024 * 1024;
/** Larger data goes to a file as it is, without being copied into the buffer. */
const LARGE_BYTES = 128 * 1024;

export class ByteWriter {
  /** How much was written. */
  length = 0;
  private bytes: Buffer;
  private filled = 0;
  private readonly file: number | undefined;
  private readonly hash = createHash('sha256');

  /** Without a path all is kept in memory. What is expected need not be copied as the buffer grows. */
  constructor(path?: string, expectedBytes = FIRST_BYTES) {
    const most = path === undefined ? expectedBytes : PIECE_BYTES + LARGE_BYTES;
    this.bytes = Buffer.allocUnsafe(Math.max(FIRST_BYTES, Math.min(expectedBytes, most)));
    this.file = path === undefined ? undefined : openSync(path, 'wx', 0o600);
  }

  /** One character a byte. */
  text(text: string): void {
    const at = this.room(text.length);
    this.bytes.write(text, at, 'latin1');
  }

  data(bytes: Uint8Array): void {
    if (this.file !== undefined && bytes.length > LARGE_BYTES) {
      this.flush();
      this.hash.update(bytes);
      this.toFile(this.file, bytes);
      this.length += bytes.length;
      return;
    }
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
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

  /** Of what was written so far: 16 bytes. */
  digest(): Buffer {
    const hash = this.hash.copy();
    hash.update(this.bytes.subarray(0, this.filled));
    return hash.digest().subarray(0, 16);
  }

  /** Puts a text over what was written at a place; the digest does not tell of it. */
  over(at: number, text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    const inBuffer = at - (this.length - this.filled);
    if (inBuffer >= 0) bytes.copy(this.bytes, inBuffer);
    else {
      this.flush();
      writeSync(this.file as number, bytes, 0, bytes.length, at);
    }
  }

  /** What was written to memory. */
  taken(): Buffer {
    return this.bytes.subarray(0, this.filled);
  }

  /** Begins anew, in memory; what was taken is written over. */
  clear(): void {
    this.filled = 0;
    this.length = 0;
  }

  close(): void {
    if (this.file === undefined) return;
    this.flush();
    closeSync(this.file);
  }

  /** Room for more; where it begins. */
  private room(count: number): number {
    if (this.filled + count > this.bytes.length) this.grow(count);
    const at = this.filled;
    this.filled += count;
    this.length += count;
    return at;
  }

  private grow(count: number): void {
    if (this.file !== undefined && this.filled >= PIECE_BYTES) this.flush();
    const needed = this.filled + count;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.filled);
    this.bytes = larger;
  }

  private flush(): void {
    if (this.file === undefined || this.filled === 0) return;
    const bytes = this.bytes.subarray(0, this.filled);
    this.hash.update(bytes);
    this.toFile(this.file, bytes);
    this.filled = 0;
  }

  private toFile(file: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  }
}
