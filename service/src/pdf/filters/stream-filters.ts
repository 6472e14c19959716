// Undoing stream filters ourselves, where an engine would give up: damaged data, and chains that end in an
// image codec. What can be decoded is kept (ISO 32000-1, 7.4).

import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { MIB } from '../../contract/limits.ts';
import { lookup } from '../../contract/lookup.ts';
import { DOCUMENT_MEMORY_BYTES } from '../../contract/memory.ts';
import type { Problem } from '../../contract/problems.ts';
import { tooCostly } from '../../contract/work-budget.ts';
import type { PdfDocument } from '../document.ts';
import type { Dict } from '../objects.ts';
import { undoPredictor } from './predictors.ts';

export interface Filter {
  name: string;
  parms: Dict | undefined;
}

export interface Undone {
  bytes: Uint8Array;
  /** Whether all of the data could be decoded. */
  complete: boolean;
}

/** Data that unpacks to more is refused: a few kilobytes may unpack to terabytes. */
const MAX_BYTES = Math.min(512 * MIB, DOCUMENT_MEMORY_BYTES / 3);

/** Told by its size before memory runs short: whoever met it goes on working. */
const tooLarge = (): Problem =>
  tooCostly(`A stream of the document unpacks to more than ${Math.floor(MAX_BYTES / MIB)} MiB.`);

/** The filters of a stream in the order they are undone; undefined where the entry makes no sense. */
export function filtersOf(doc: PdfDocument, dict: Dict): Filter[] | undefined {
  const held = doc.resolve(dict.get('Filter') ?? dict.get('F'));
  if (held === null) return [];
  const parms = doc.resolve(dict.get('DecodeParms') ?? dict.get('DP'));
  const names = Array.isArray(held) ? held : [dict.get('Filter') ?? dict.get('F') ?? null];
  const filters = names.map((value, index) => ({
    name: fullName(doc.name(value)),
    parms: doc.dict(Array.isArray(parms) ? parms[index] : index === 0 ? parms : undefined),
  }));
  return filters.every((filter): filter is Filter => filter.name !== undefined) ? filters : undefined;
}

/** Short names of filters, as inline images may have them (ISO 32000-1, table 94). */
export const SHORT_FILTERS: Readonly<Record<string, string>> = lookup({
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
});

const fullName = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : (SHORT_FILTERS[name] ?? name);

type Undo = (bytes: Uint8Array, number: (key: string) => number | undefined) => Undone;

const UNDO: Readonly<Record<string, Undo>> = lookup({
  FlateDecode: inflate,
  LZWDecode: (bytes, number) => expandLzw(bytes, number('EarlyChange') !== 0),
  RunLengthDecode: expandRuns,
  ASCII85Decode: readBase85,
  ASCIIHexDecode: readHex,
});

/** Whether a filter is lossless packing, not an image codec or encryption. */
export const isPacking = (name: string): boolean => Object.hasOwn(UNDO, name);

/** How many bytes one byte may become at most. */
const MOST_FROM_ONE: Readonly<Record<string, number>> = lookup({
  FlateDecode: 1032,
  LZWDecode: 2731,
  RunLengthDecode: 64,
  ASCII85Decode: 4,
  ASCIIHexDecode: 1,
});

/** Whether so many packed bytes are too many to be sure that they unpack within what is allowed. */
export const mayBeTooLarge = (packedBytes: number, filters: readonly Filter[]): boolean =>
  filters.reduce((bytes, { name }) => bytes * (MOST_FROM_ONE[name] ?? 1), packedBytes) > MAX_BYTES;

/** Undoes one packing filter, its predictor included. Throws document_too_costly where that gives too much. */
export function undoFilter(doc: PdfDocument, bytes: Uint8Array, { name, parms }: Filter): Undone {
  const undo = UNDO[name];
  if (!undo) return { bytes, complete: false };
  const number = (key: string) => doc.number(parms?.get(key));
  const undone = undo(bytes, number);
  return number('Predictor') === undefined
    ? undone
    : { ...undone, bytes: undoPredictor(undone.bytes, number) };
}

function inflate(bytes: Uint8Array): Undone {
  const whole = tryInflate(bytes, true);
  if (whole) return { bytes: whole, complete: true };
  // A header that cannot be right may still stand before sound data.
  const headless = tryInflateRaw(bytes.subarray(2));
  if (headless && headless.length > 0) return { bytes: headless, complete: false };
  return { bytes: longestPrefix(bytes), complete: false };
}

/** Damage stops decoding where it stands: the longest beginning without an error is searched by halving. */
function longestPrefix(bytes: Uint8Array): Uint8Array {
  let good = 0;
  let bad = bytes.length + 1;
  let best: Uint8Array = new Uint8Array();
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const made = tryInflate(bytes.subarray(0, middle), false);
    if (made) {
      good = middle;
      best = made;
    } else bad = middle;
  }
  return best;
}

function tryInflate(bytes: Uint8Array, whole: boolean): Uint8Array | undefined {
  try {
    const finishFlush = whole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    return inflateSync(bytes, { finishFlush, maxOutputLength: MAX_BYTES });
  } catch (error) {
    return onlyDamaged(error);
  }
}

function tryInflateRaw(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_BYTES });
  } catch (error) {
    return onlyDamaged(error);
  }
}

/** Anything but damage ends the work: a failed allocation, too. */
function onlyDamaged(error: unknown): undefined {
  const { code } = error as { code?: unknown };
  if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
  if (!String(code).startsWith('Z_')) throw error;
}

const LZW_CLEAR = 256;
const LZW_END = 257;
const LZW_CODES = 4096;

function expandLzw(bytes: Uint8Array, early: boolean): Undone {
  const out = new Growing();
  // What a code of the table stands for was written out when the code was made: it is copied from there.
  const starts = new Uint32Array(LZW_CODES);
  const lengths = new Uint16Array(LZW_CODES);
  let next = 258;
  let width = 9;
  let previous = -1;
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === LZW_END) return { bytes: out.bytes(), complete: true };
    if (code === LZW_CLEAR) {
      next = 258;
      width = 9;
      previous = -1;
      continue;
    }
    if (code > next || (code === next && previous === -1)) return { bytes: out.bytes(), complete: false };
    if (previous !== -1 && next < LZW_CODES) {
      const length = previous < 256 ? 1 : (lengths[previous] as number);
      starts[next] = out.length - length;
      lengths[next] = length + 1;
      next += 1;
    }
    if (code < 256) out.fill(code, 1);
    else out.pushOwn(starts[code] as number, lengths[code] as number);
    previous = code;
    if (next + (early ? 1 : 0) >= 1 << width && width < 12) width += 1;
  }
  return { bytes: out.bytes(), complete: true };
}

function expandRuns(bytes: Uint8Array): Undone {
  const out = new Growing();
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 128;
    at += 1;
    if (length === 128) return { bytes: out.bytes(), complete: true };
    if (length < 128) {
      out.push(bytes.subarray(at, at + length + 1));
      at += length + 1;
    } else {
      out.fill(bytes[at] ?? 0, 257 - length);
      at += 1;
    }
  }
  return { bytes: out.bytes(), complete: true };
}

function readHex(bytes: Uint8Array): Undone {
  const text = Buffer.from(bytes).toString('latin1');
  const end = text.indexOf('>');
  const digits = (end === -1 ? text : text.slice(0, end)).replace(/[\s\0]/g, '');
  const sound = digits.replace(/[^0-9a-fA-F]/g, '');
  return {
    bytes: Buffer.from(sound.length % 2 ? `${sound}0` : sound, 'hex'),
    complete: sound.length === digits.length,
  };
}

function readBase85(bytes: Uint8Array): Undone {
  const out = new Growing();
  let group: number[] = [];
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && group.length === 0) out.push(new Uint8Array(4));
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21);
    else if (byte > 0x20) return { bytes: out.bytes(), complete: false };
    if (group.length === 5) {
      out.push(fourBytes(group));
      group = [];
    }
  }
  if (group.length > 1) {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5);
    out.push(fourBytes(padded).subarray(0, group.length - 1));
  }
  return { bytes: out.bytes(), complete: true };
}

function fourBytes(group: readonly number[]): Uint8Array {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0) % 2 ** 32;
  const four = new Uint8Array(4);
  new DataView(four.buffer).setUint32(0, value);
  return four;
}

/** Bytes that are added to piece by piece. */
class Growing {
  private buffer = new Uint8Array(4096);
  length = 0;

  push(bytes: Uint8Array): void {
    const at = this.grow(bytes.length);
    this.buffer.set(bytes, at);
  }

  fill(byte: number, count: number): void {
    const at = this.grow(count);
    this.buffer.fill(byte, at, at + count);
  }

  /** What stands here already, once more; it may reach one byte beyond the end, which is then its own first. */
  pushOwn(start: number, count: number): void {
    const at = this.grow(count);
    this.buffer.copyWithin(at, start, Math.min(start + count, at));
    if (start + count > at) this.buffer[at + count - 1] = this.buffer[at] as number;
  }

  /** Where so many more begin. */
  private grow(count: number): number {
    const at = this.length;
    const needed = at + count;
    if (needed > MAX_BYTES) throw tooLarge();
    if (needed > this.buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.buffer.length * 2));
      larger.set(this.buffer.subarray(0, at));
      this.buffer = larger;
    }
    this.length = needed;
    return at;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }
}
