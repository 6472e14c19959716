// The bytes of a file, to be read from any place: all in memory, or of files on disk only what is asked for.
import { closeSync, openSync } from 'node:fs';
import { readInto } from '../../../contract/file-bytes.ts';
import type { InputFile } from '../../../contract/files.ts';
import { MIB } from '../../../contract/limits.ts';

export interface Window {
  bytes: Buffer;
  /** Where in the bytes the place asked for stands. */
  at: number;
  /** The bytes go on to the end of the file. */
  isLast: boolean;
}

export interface Source {
  readonly size: number;
  /** Bytes from a place on: at least as many as asked for, or all there are. They are not to be changed. */
  window(from: number, length: number): Window;
  /** Exactly these bytes. */
  slice(from: number, to: number): Uint8Array;
  /** As `slice`, to be used at once: the next that pass may take their place. */
  passing(from: number, to: number): Uint8Array;
  /** The way to the pages is read: whoever asks for more is likely to ask for most of the file. */
  expectMost(): void;
  /** All bytes; undefined where they do not stay in memory. */
  whole(): Buffer | undefined;
  close(): void;
}

export class MemorySource implements Source {
  readonly size: number;
  private readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.size = bytes.length;
  }

  window(from: number): Window {
    return { bytes: this.bytes, at: from, isLast: true };
  }

  slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(from, to);
  }

  passing(from: number, to: number): Uint8Array {
    return this.slice(from, to);
  }

  expectMost(): void {}

  whole(): Buffer {
    return this.bytes;
  }

  close(): void {}
}

/** Read where nothing is known of what comes next; more and more, while the file is read on from there. */
const FIRST_BLOCK_BYTES = 2 * 1024;
const MOST_BLOCK_BYTES = 256 * 1024;
/** Making a buffer takes longer than reading a small one. */
const BLOCKS_TOGETHER = 32;

/** Objects are asked for in the order of the file, or here and there: so is it read. */
export class FileSource implements Source {
  readonly size: number;
  readonly path: string;
  private readonly file: number;
  /** Whether it may be read into memory as a whole. */
  private readonly mayStay: boolean;
  private expectsMost = false;
  private all: Buffer | undefined;
  private block: Buffer = Buffer.alloc(0);
  private blockFrom = 0;
  private blockBytes = FIRST_BLOCK_BYTES;
  private free: Buffer = Buffer.alloc(0);
  private passed: Buffer = Buffer.alloc(0);
  private isOpen = true;

  constructor(path: string, size: number, mayStay = false) {
    this.path = path;
    this.size = size;
    this.mayStay = mayStay;
    this.file = openSync(path, 'r');
  }

  window(from: number, length: number): Window {
    const wanted = Math.min(length, this.size - from);
    const end = this.blockFrom + this.block.length;
    if (from < this.blockFrom || from + wanted > end) {
      if (this.expectsMost && this.mayStay) return { bytes: this.whole() as Buffer, at: from, isLast: true };
      const goesOn = from >= this.blockFrom && from <= end + this.blockBytes;
      this.blockBytes = goesOn ? Math.min(2 * this.blockBytes, MOST_BLOCK_BYTES) : FIRST_BLOCK_BYTES;
      const bytes = Math.min(Math.max(wanted, this.blockBytes), this.size - from);
      this.block = this.read(from, this.place(Math.max(bytes, 0)));
      this.blockFrom = from;
    }
    const isLast = this.blockFrom + this.block.length === this.size;
    return { bytes: this.block, at: from - this.blockFrom, isLast };
  }

  slice(from: number, to: number): Uint8Array {
    return this.held(from, to) ?? this.read(from, Buffer.allocUnsafeSlow(Math.max(to - from, 0)));
  }

  passing(from: number, to: number): Uint8Array {
    const held = this.held(from, to);
    if (held) return held;
    const length = Math.max(to - from, 0);
    if (this.passed.length < length) this.passed = Buffer.allocUnsafeSlow(Math.max(length, MOST_BLOCK_BYTES));
    return this.read(from, this.passed.subarray(0, length));
  }

  expectMost(): void {
    this.expectsMost = true;
  }

  whole(): Buffer | undefined {
    if (!this.mayStay) return undefined;
    if (this.all === undefined) {
      this.all = this.read(0, Buffer.allocUnsafeSlow(this.size));
      this.block = this.all;
      this.blockFrom = 0;
    }
    return this.all;
  }

  close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }

  /** Room for a block. What was read before may still be in use, so it is never written over. */
  private place(bytes: number): Buffer {
    if (bytes > FIRST_BLOCK_BYTES) return Buffer.allocUnsafeSlow(bytes);
    if (this.free.length < bytes) this.free = Buffer.allocUnsafeSlow(BLOCKS_TOGETHER * FIRST_BLOCK_BYTES);
    const place = this.free.subarray(0, bytes);
    this.free = this.free.subarray(bytes);
    return place;
  }

  /** What is in memory already, or is to be. */
  private held(from: number, to: number): Buffer | undefined {
    const start = from - this.blockFrom;
    const isHeld = start >= 0 && to <= this.blockFrom + this.block.length;
    if (isHeld) return this.block.subarray(start, to - this.blockFrom);
    return this.expectsMost ? this.whole()?.subarray(from, to) : undefined;
  }

  private read(from: number, bytes: Buffer): Buffer {
    if (readInto(this.file, bytes, from) < bytes.length)
      throw new Error('the file became shorter while it was read');
    return bytes;
  }
}

/** A file that is used whole is faster in memory. */
const SMALL_BYTES = 16 * MIB;
/** What all files of a job may take of it. */
const MEMORY_BYTES = 64 * MIB;

/** The sources of a job: copies read from them when the document is written that they were copied to. */
export class Sources {
  private readonly opened: Source[] = [];
  private room = MEMORY_BYTES;

  of({ content, size }: Pick<InputFile, 'content' | 'size'>): Source {
    if ('bytes' in content) return new MemorySource(content.bytes);
    const mayStay = size <= Math.min(SMALL_BYTES, this.room);
    if (mayStay) this.room -= size;
    const source = new FileSource(content.path, size, mayStay);
    this.opened.push(source);
    return source;
  }

  close(): void {
    for (const source of this.opened) source.close();
  }
}
