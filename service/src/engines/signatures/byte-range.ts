// ByteRange, checked: which bytes of a document a signature is about, and what it leaves out (ISO 32000-2, 12.8.1).
import type { ByteSource } from '../../contract/file-bytes.ts';
import { MIB } from '../../contract/limits.ts';

/** Stretches of a document: where each begins and ends. */
export type Ranges = readonly (readonly [start: number, end: number])[];

export function* piecesIn(source: ByteSource, ranges: Ranges): Generator<Buffer> {
  for (const [start, end] of ranges) {
    for (let at = start; at < end; at += MIB) yield source.read(at, Math.min(end, at + MIB));
  }
}

export interface SignedBytes {
  ranges: Ranges;
  /** Where the signed bytes end. */
  end: number;
  /** Where the revision ends that the signature stands in: there, unless the signature leaves out its last words. */
  revisionEnd: number;
  coversEntireDocument: boolean;
  /** The stretch left out, brackets included. */
  gap: readonly [start: number, end: number];
  /** The bytes that the hexadecimal string in the gap stands for. */
  contents: Buffer;
}

/** No signature with its certificates is larger. */
const MAX_CONTENTS_BYTES = 16 * 1024 * 1024;

/** Why these bytes cannot be those of a signature. */
export class UnsoundRange extends Error {}

/** Throws UnsoundRange. */
export function signedBytes(source: ByteSource, byteRange: readonly number[]): SignedBytes {
  const [start = -1, length = -1, next = -1, rest = -1] = byteRange;
  const end = next + rest;
  // Anything but two stretches from the very beginning on would let somebody add what nobody signed.
  const isSound =
    byteRange.length === 4 && start === 0 && length > 0 && next > length && rest > 0 && end <= source.size;
  if (!isSound) throw new UnsoundRange('The byte range of the signature is malformed.');
  const contents = readContents(source, length, next);
  if (!contents) throw new UnsoundRange('More than the signature itself is left out of the signed bytes.');
  const revisionEnd = endOfRevision(source, end);
  if (revisionEnd === undefined)
    throw new UnsoundRange('The signed bytes do not end where a revision of the document ends.');
  return {
    ranges: [
      [0, length],
      [next, end],
    ],
    end,
    revisionEnd,
    coversEntireDocument: end === source.size,
    gap: [length, next],
    contents,
  };
}

/** The gap must hold one hexadecimal string and nothing else. */
function readContents(source: ByteSource, from: number, to: number): Buffer | undefined {
  if (to - from > MAX_CONTENTS_BYTES) return undefined;
  const text = source.read(from, to).toString('latin1');
  const match = /^<([0-9A-Fa-f\s\0]*)>$/.exec(text);
  const digits = match?.[1]?.replace(/[\s\0]+/g, '');
  return digits === undefined ? undefined : Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
}

/** How long the last words of a revision may be: white space after them included. */
const LAST_WORDS = 4096;
/** How much of a revision may be left unsigned at its end: the rest of a cross-reference section. */
const MAX_UNSIGNED = 64 * 1024;

/**
 * Where the revision ends that these bytes are of; undefined where they stop among its objects. Some signers leave out
 * the last words: these are told of, but what they signed is still the revision.
 */
function endOfRevision(source: ByteSource, end: number): number | undefined {
  const before = source.read(Math.max(0, end - LAST_WORDS), end).toString('latin1');
  if (/%%EOF[\s\0]*$/.test(before)) return end;
  const after = source.read(end, Math.min(source.size, end + MAX_UNSIGNED)).toString('latin1');
  const words = /%%EOF(?:\r\n|\r|\n|$)/.exec(after);
  if (!words) return undefined;
  const rest = after.slice(0, words.index + words[0].length);
  return /obj|stream/.test(rest) ? undefined : end + rest.length;
}
