// A GIF of an image too large for memory, written row by row. libvips holds such an image some thirteen times over:
// colours, opacity, the frame before, indices, codes.
import { closeSync, openSync } from 'node:fs';
import { writeAll } from '../../contract/file-bytes.ts';

const CODE_BITS_MOST = 12;
const CODES_MOST = 1 << CODE_BITS_MOST;
const HASH_SIZE = 1 << 14;
const BLOCK_BYTES = 255;
const FLUSH_BYTES = 1 << 16;

export interface GifHead {
  width: number;
  height: number;
  /** Red, green and blue of each colour, at most 256. */
  palette: Uint8Array;
}

/** GIF89a: one frame of all pixels in a global palette. */
export class GifFile {
  readonly #file: number;
  readonly #codes: LzwCodes;
  #out: number[] = [];
  #block: number[] = [];

  constructor(path: string, { width, height, palette }: GifHead) {
    const bits = Math.max(1, Math.ceil(Math.log2(palette.length / 3)));
    this.#file = openSync(path, 'wx', 0o600);
    this.#out.push(...Buffer.from('GIF89a', 'latin1'), ...short(width), ...short(height));
    this.#out.push(0x80 | ((bits - 1) << 4) | (bits - 1), 0, 0);
    this.#out.push(...palette, ...new Array<number>((1 << bits) * 3 - palette.length).fill(0));
    this.#out.push(0x2c, 0, 0, 0, 0, ...short(width), ...short(height), 0);
    // "Because of some algorithmic constraints black & white images which have one color bit must be indicated as
    // having a code size of 2."
    const codeBits = Math.max(2, bits);
    this.#out.push(codeBits);
    this.#codes = new LzwCodes(codeBits, (byte) => this.#add(byte));
  }

  /** Indices into the palette, in reading order. */
  add(indices: Uint8Array): void {
    this.#codes.add(indices);
  }

  close(): void {
    try {
      this.#codes.end();
      this.#endBlock();
      this.#out.push(0, 0x3b);
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #add(byte: number): void {
    this.#block.push(byte);
    if (this.#block.length === BLOCK_BYTES) this.#endBlock();
  }

  #endBlock(): void {
    if (this.#block.length === 0) return;
    this.#out.push(this.#block.length, ...this.#block);
    this.#block = [];
    if (this.#out.length > FLUSH_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = Uint8Array.from(this.#out);
    this.#out = [];
    writeAll(this.#file, bytes);
  }
}

const short = (value: number): [number, number] => [value & 255, value >> 8];

/** The LZW of GIF: codes grow from one bit above the palette's to twelve, then all begins anew. */
class LzwCodes {
  readonly #clear: number;
  readonly #firstBits: number;
  readonly #put: (byte: number) => void;
  /** By string (prefix, next index): its code. Open addressing; a key is one more than the string, 0 is free. */
  readonly #keys = new Int32Array(HASH_SIZE);
  readonly #values = new Uint16Array(HASH_SIZE);
  #bits: number;
  #next: number;
  #prefix = -1;
  #held = 0;
  #heldBits = 0;

  constructor(paletteBits: number, put: (byte: number) => void) {
    this.#clear = 1 << paletteBits;
    this.#firstBits = paletteBits + 1;
    this.#bits = this.#firstBits;
    this.#next = this.#clear + 2;
    this.#put = put;
    this.#write(this.#clear);
  }

  add(indices: Uint8Array): void {
    const keys = this.#keys;
    const values = this.#values;
    let prefix = this.#prefix;
    for (const index of indices) {
      if (prefix < 0) {
        prefix = index;
        continue;
      }
      const key = ((prefix << 8) | index) + 1;
      let at = (Math.imul(key, 0x9e3779b1) >>> 18) & (HASH_SIZE - 1);
      while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & (HASH_SIZE - 1);
      if (keys[at] === key) {
        prefix = values[at] as number;
        continue;
      }
      this.#write(prefix);
      prefix = index;
      if (this.#next < CODES_MOST) {
        keys[at] = key;
        values[at] = this.#next;
        // A reader learns a code one step later than we do: wider codes begin with the first that needs them.
        if (this.#next === 1 << this.#bits) this.#bits += 1;
        this.#next += 1;
      } else {
        this.#write(this.#clear);
        keys.fill(0);
        this.#bits = this.#firstBits;
        this.#next = this.#clear + 2;
      }
    }
    this.#prefix = prefix;
  }

  end(): void {
    if (this.#prefix >= 0) this.#write(this.#prefix);
    if (this.#next === 1 << this.#bits && this.#bits < CODE_BITS_MOST) this.#bits += 1;
    this.#write(this.#clear + 1);
    if (this.#heldBits > 0) this.#put(this.#held & 255);
  }

  #write(code: number): void {
    this.#held |= code << this.#heldBits;
    this.#heldBits += this.#bits;
    while (this.#heldBits >= 8) {
      this.#put(this.#held & 255);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }
}
