// The bytes of a file, to be read from any place: all in memory, or of large files only what is asked for.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';

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
  close(): void;
}

export class MemorySource implements Source {
  readonly size: number;
  readonly bytes: Buffer;

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

  close(): void {}
}

const BLOCK_BYTES = 256 * 1024;

/** Objects are asked for mostly in the order of the file: the last block read is likely to hold the next one, too. */
export class FileSource implements Source {
  readonly size: number;
  private readonly file: number;
  private block: Buffer = Buffer.alloc(0);
  private blockFrom = 0;
  private isOpen = true;
  readonly path: string;

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
    this.file = openSync(path, 'r');
  }

  window(from: number, length: number): Window {
    const wanted = Math.min(length, this.size - from);
    if (from < this.blockFrom || from + wanted > this.blockFrom + this.block.length) {
      this.block = this.read(from, Math.min(Math.max(wanted, BLOCK_BYTES), this.size - from));
      this.blockFrom = from;
    }
    const isLast = this.blockFrom + this.block.length === this.size;
    return { bytes: this.block, at: from - this.blockFrom, isLast };
  }

  slice(from: number, to: number): Uint8Array {
    const start = from - this.blockFrom;
    if (start >= 0 && to <= this.blockFrom + this.block.length)
      return this.block.subarray(start, to - this.blockFrom);
    return this.read(from, to - from);
  }

  close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }

  private read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, 0));
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.file, bytes, at, bytes.length - at, from + at);
      if (read === 0) throw new Error('the file became shorter while it was read');
      at += read;
    }
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
    const isInMemory = size <= Math.min(SMALL_BYTES, this.room);
    if (isInMemory) this.room -= size;
    const source = isInMemory
      ? new MemorySource(readFileSync(content.path))
      : new FileSource(content.path, size);
    this.opened.push(source);
    return source;
  }

  close(): void {
    for (const source of this.opened) source.close();
  }
}
