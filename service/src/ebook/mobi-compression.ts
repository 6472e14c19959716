// How the text of Kindle's books is packed: not at all, by PalmDOC's LZ77, or by a dictionary of phrases with
// Huffman's codes (HUFF/CDIC).
import { type PalmDatabase, u16, u32 } from './palm-database.ts';

export type Unpack = (record: Buffer) => Buffer;

const NONE = 1;
const PALMDOC = 2;
const HUFF_CDIC = 17480;
/** What one record may unpack to; they are made to hold 4096 bytes. */
const MAX_RECORD_BYTES = 256 * 1024;
const MAX_NESTING = 32;

/** Undefined for what is none of the three. */
export function unpackerOf(
  database: PalmDatabase,
  compression: number,
  huff: { first: number; count: number },
): Unpack | undefined {
  if (compression === NONE) return (record) => record;
  if (compression === PALMDOC) return unpackPalmDoc;
  return compression === HUFF_CDIC ? phraseUnpacker(database, huff) : undefined;
}

export function unpackPalmDoc(record: Buffer): Buffer {
  const out = Buffer.alloc(MAX_RECORD_BYTES);
  let length = 0;
  const put = (byte: number): void => {
    if (length < out.length) out[length] = byte;
    length = Math.min(length + 1, out.length);
  };
  for (let at = 0; at < record.length; ) {
    const code = record[at] as number;
    at += 1;
    if (code >= 1 && code <= 8) {
      for (let n = 0; n < code && at < record.length; n += 1, at += 1) put(record[at] as number);
    } else if (code < 0x80) put(code);
    else if (code >= 0xc0) {
      put(0x20);
      put(code ^ 0x80);
    } else {
      const pair = (code << 8) | (record[at] ?? 0);
      at += 1;
      const distance = (pair >> 3) & 0x7ff;
      if (distance === 0 || distance > length) continue;
      for (let n = (pair & 7) + 3; n > 0; n -= 1) put(out[length - distance] as number);
    }
  }
  return Buffer.from(out.subarray(0, length));
}

interface Phrase {
  bytes: Buffer;
  /** Otherwise it is packed itself. */
  isPlain: boolean;
}

function phraseUnpacker(
  database: PalmDatabase,
  { first, count }: { first: number; count: number },
): Unpack | undefined {
  const huff = database.record(first);
  if (huff?.toString('latin1', 0, 4) !== 'HUFF') return undefined;
  const short = Array.from({ length: 256 }, (_, index) => {
    const value = u32(huff, u32(huff, 8) + 4 * index);
    const length = value & 0x1f;
    return { length, isFinal: (value & 0x80) !== 0, highest: highest(value >>> 8, length) };
  });
  const long = Array.from({ length: 33 }, (_, length) => {
    const at = u32(huff, 12) + 8 * (length - 1);
    if (length === 0) return { lowest: 0, highest: 0 };
    return {
      lowest: (u32(huff, at) * 2 ** (32 - length)) % 2 ** 32,
      highest: highest(u32(huff, at + 4), length),
    };
  });
  const phrases = readPhrases(database, first + 1, count - 1);

  function unpack(record: Buffer, depth: number): Buffer {
    const parts: Buffer[] = [];
    let bytes = 0;
    const bits = record.length * 8;
    for (let at = 0; at < bits && bytes < MAX_RECORD_BYTES; ) {
      const window = bitsAt(record, at);
      const entry = short[window >>> 24];
      if (!entry) break;
      let { length, highest: top } = entry;
      if (!entry.isFinal) {
        while (length < 32 && window < (long[length]?.lowest ?? 0)) length += 1;
        top = long[length]?.highest ?? 0;
      }
      at += length;
      if (length === 0 || at > bits) break;
      const phrase = phrases[Math.floor((top - window) / 2 ** (32 - length))];
      if (!phrase) break;
      if (!phrase.isPlain) {
        // Marked first: a phrase made of itself comes to an end.
        phrase.isPlain = true;
        const packed = phrase.bytes;
        phrase.bytes = Buffer.alloc(0);
        if (depth < MAX_NESTING) phrase.bytes = unpack(packed, depth + 1);
      }
      parts.push(phrase.bytes);
      bytes += phrase.bytes.length;
    }
    return Buffer.concat(parts).subarray(0, MAX_RECORD_BYTES);
  }
  return (record) => unpack(record, 0);
}

const highest = (value: number, length: number): number => ((value + 1) * 2 ** (32 - length) - 1) % 2 ** 32;

/** 32 bits from any place; zeros behind the end. */
function bitsAt(record: Buffer, at: number): number {
  const byte = at >> 3;
  const shift = at & 7;
  let value = 0;
  for (let n = 0; n < 5; n += 1) value = value * 256 + (record[byte + n] ?? 0);
  return Math.floor(value / 2 ** (8 - shift)) % 2 ** 32;
}

function readPhrases(database: PalmDatabase, first: number, count: number): Phrase[] {
  const phrases: Phrase[] = [];
  for (let index = 0; index < Math.min(count, 1000); index += 1) {
    const record = database.record(first + index);
    if (record?.toString('latin1', 0, 4) !== 'CDIC') break;
    const number = Math.min(2 ** Math.min(16, u32(record, 12)), Math.max(0, u32(record, 8) - phrases.length));
    for (let n = 0; n < number; n += 1) {
      const at = 16 + u16(record, 16 + 2 * n);
      const length = u16(record, at);
      phrases.push({
        bytes: record.subarray(at + 2, at + 2 + (length & 0x7fff)),
        isPlain: (length & 0x8000) !== 0,
      });
    }
  }
  return phrases;
}
