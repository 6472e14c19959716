// Which bytes of a document a signature is about, and what it leaves out (ISO 32000-2, 12.8.1).
import type { ByteSource, Ranges } from './byte-source.ts';

export interface SignedBytes {
  /** Undefined where the range makes no sense. */
  ranges: Ranges | undefined;
  /** Where the signed revision ends. */
  end: number;
  coversEntireDocument: boolean;
  /** The signature as it stands between the stretches; undefined where something else stands there. */
  contents: Buffer | undefined;
}

/** No signature with its certificates is larger. */
const MAX_CONTENTS_BYTES = 16 * 1024 * 1024;

export function signedBytes(source: ByteSource, byteRange: readonly number[]): SignedBytes {
  const [start = -1, length = -1, next = -1, rest = -1] = byteRange;
  const end = next + rest;
  // Anything but two stretches from the very beginning on would let somebody add what nobody signed.
  const isSound =
    byteRange.length === 4 && start === 0 && length > 0 && next >= length && rest > 0 && end <= source.size;
  if (!isSound) return { ranges: undefined, end: 0, coversEntireDocument: false, contents: undefined };
  const contents = readContents(source, length, next);
  return {
    ranges: [
      [0, length],
      [next, end],
    ],
    end,
    coversEntireDocument: end === source.size && contents !== undefined,
    contents,
  };
}

/** The gap must hold one hexadecimal string and nothing else. */
function readContents(source: ByteSource, from: number, to: number): Buffer | undefined {
  if (to - from > MAX_CONTENTS_BYTES) return undefined;
  const text = source.read(from, to).toString('latin1');
  const match = /^<([0-9A-Fa-f\s]*)>$/.exec(text);
  const digits = match?.[1]?.replace(/\s+/g, '');
  return digits === undefined ? undefined : Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
}
