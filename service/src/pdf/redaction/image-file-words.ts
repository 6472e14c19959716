// Words in image files of any kind, beside their pixels: texts of PNG files are packed, all others stand as they are.
import { inflateSync } from 'node:zlib';
import { jpegWithoutWords } from './image-words.ts';
import type { Terms } from './terms.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
/** Chunks with pixels, and what drawing needs. */
const DRAWN = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'fdAT'];
const MOST_TEXT_BYTES = 1024 * 1024;
/** Shorter runs of letters stand among pixels by chance. */
const LEAST = 6;

export function imageHolds(data: Uint8Array, terms: Terms): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegWithoutWords(bytes, terms) !== undefined;
  if (bytes.subarray(0, 4).equals(PNG)) return pngTexts(bytes).some((text) => terms.isIn(text));
  if (terms.bytes.find(bytes).length > 0) return true;
  return runsIn(bytes).some((run) => terms.isIn(run));
}

function pngTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (!DRAWN.includes(type)) texts.push(...readings(data), ...unpackedTexts(data));
    at += 12 + length;
  }
  // Behind the end.
  if (at < bytes.length) texts.push(...readings(bytes.subarray(at)));
  return texts;
}

const readings = (data: Buffer): string[] => [data.toString('utf8'), data.toString('latin1')];

/** zTXt, iTXt and iCCP: the packed part follows names that end with a zero. */
function unpackedTexts(data: Buffer): string[] {
  for (let at = data.indexOf(0x78); at !== -1 && at < 200; at = data.indexOf(0x78, at + 1)) {
    try {
      return readings(inflateSync(data.subarray(at), { maxOutputLength: MOST_TEXT_BYTES }));
    } catch {
      // No packed data begins here.
    }
  }
  return [];
}

/** Letters that stand together, one or two bytes each. */
function runsIn(bytes: Buffer): string[] {
  const narrow = bytes.toString('latin1').match(new RegExp(`[\\x20-\\x7e\\xa0-\\xff]{${LEAST},}`, 'g')) ?? [];
  const wide = [0, 1].flatMap(
    (shift) =>
      bytes
        .subarray(shift)
        .toString('utf16le')
        .match(new RegExp(`[\\x20-\\x7e\\xa0-\\u024f]{${LEAST},}`, 'g')) ?? [],
  );
  return [...narrow, ...wide];
}
