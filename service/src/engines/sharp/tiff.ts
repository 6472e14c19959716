// What the directories of a TIFF file tell, as far as images of one bit need it (TIFF 6.0).

export interface TiffFacts {
  width: number;
  height: number;
  compression: number;
  /** Whether 0 is white, as in faxes. */
  whiteIsZero: boolean;
  /** Bits of a byte from the left. */
  leftFirst: boolean;
  strips: Uint8Array[];
}

const GROUP_4 = 4;
const MAX_FRAMES = 100_000;
const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  offsets: 273,
  samples: 277,
  counts: 279,
  t6Options: 293,
} as const;
const SHORT = 3;
const LONG = 4;

/** The frame as grey of one bit; undefined where it is anything else, or makes no sense. */
export function readOneBitTiff(file: Uint8Array, frame: number): TiffFacts | undefined {
  const reader = readerOf(Buffer.from(file.buffer, file.byteOffset, file.length));
  const tags = reader?.directory(frame);
  if (!reader || !tags) return undefined;
  const one = (tag: number, otherwise: number): number => tags.get(tag)?.[0] ?? otherwise;
  const photometric = one(TAG.photometric, -1);
  if (one(TAG.bits, 1) !== 1 || one(TAG.samples, 1) !== 1 || (photometric !== 0 && photometric !== 1))
    return undefined;
  const counts = tags.get(TAG.counts) ?? [];
  const strips = (tags.get(TAG.offsets) ?? []).map((at, index) => reader.bytes(at, counts[index] ?? 0));
  if (strips.length === 0 || one(TAG.t6Options, 0) !== 0) return undefined;
  return {
    width: one(TAG.width, 0),
    height: one(TAG.height, 0),
    compression: one(TAG.compression, 1),
    whiteIsZero: photometric === 0,
    leftFirst: one(TAG.fillOrder, 1) === 1,
    strips,
  };
}

/** CIE, ICC and ITU write L*, a* and b* each in their own way. */
const LAB_KINDS = [8, 9, 10];

/** Whether the first frame is in Lab colours. */
export function isLabTiff(file: Uint8Array): boolean {
  const reader = readerOf(Buffer.from(file.buffer, file.byteOffset, file.length));
  return LAB_KINDS.includes(reader?.directory(0)?.get(TAG.photometric)?.[0] ?? -1);
}

/** A fax of one piece, which PDF holds as it is. */
export const isWholeFax = ({ compression, leftFirst, strips }: TiffFacts): boolean =>
  compression === GROUP_4 && leftFirst && strips.length === 1;

function readerOf(bytes: Buffer) {
  const mark = bytes.toString('latin1', 0, 2);
  if (bytes.length < 8 || (mark !== 'II' && mark !== 'MM')) return undefined;
  const little = mark === 'II';
  const inside = (at: number, length: number): boolean => at >= 0 && at + length <= bytes.length;
  const short = (at: number): number =>
    inside(at, 2) ? (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)) : 0;
  const long = (at: number): number =>
    inside(at, 4) ? (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) : 0;

  function directory(frame: number): Map<number, number[]> | undefined {
    if (frame > MAX_FRAMES) return undefined;
    let at = long(4);
    for (let index = 0; index < frame && at > 0; index += 1) at = long(at + 2 + 12 * short(at));
    if (at === 0) return undefined;
    const tags = new Map<number, number[]>();
    for (let entry = 0; entry < short(at); entry += 1) {
      const from = at + 2 + 12 * entry;
      tags.set(short(from), values(short(from + 2), long(from + 4), from + 8));
    }
    return tags;
  }

  function values(type: number, count: number, at: number): number[] {
    const size = type === SHORT ? 2 : type === LONG ? 4 : 0;
    if (size === 0 || !inside(0, count * size)) return [];
    const start = count * size <= 4 ? at : long(at);
    return Array.from({ length: count }, (_, index) =>
      size === 2 ? short(start + 2 * index) : long(start + 4 * index),
    );
  }

  return { directory, bytes: (at: number, length: number) => bytes.subarray(at, at + length) };
}
