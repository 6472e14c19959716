// Files as they travel between the layers: in memory while small, else at a path of ours.
import { readFileSync, statSync } from 'node:fs';
import { bytesAt, type Content } from './file-bytes.ts';
import { SNIFF_BYTES } from './kinds.ts';

export type { Content };

export const contentSize = (content: Content): number =>
  'bytes' in content ? content.bytes.length : statSync(content.path).size;

/**
 * A document a caller sent, or a step before made. A class, so that nobody can put one together by hand whose size, head
 * or bytes are those of something else.
 */
export class InputFile {
  /** The caller's name for it, cleaned. */
  readonly name: string;
  /** The name without its last extension. */
  readonly base: string;
  readonly size: number;
  readonly #content: Content;

  constructor(name: string, content: Content, base: string = name) {
    this.name = name;
    this.base = base;
    this.size = contentSize(content);
    this.#content = content;
  }

  get content(): Content {
    return this.#content;
  }

  /** The first bytes, enough for `sniff`. */
  head(): Uint8Array {
    return bytesAt(this.content, 0, SNIFF_BYTES);
  }

  bytes(): Uint8Array {
    return 'bytes' in this.content ? this.content.bytes : readFileSync(this.content.path);
  }

  /** Something that was made of it and goes by its name. */
  with(content: Content): InputFile {
    return new InputFile(this.name, content, this.base);
  }
}

/** Bytes of ours where a file is wanted. */
export const fileInMemory = (name: string, bytes: Uint8Array): InputFile => new InputFile(name, { bytes });
