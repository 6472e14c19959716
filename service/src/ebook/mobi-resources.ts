// Images and fonts in records of Kindle's books.
import { inflateSync } from 'node:zlib';
import type { BookResource } from './book.ts';
import { u32 } from './palm-database.ts';

const MAX_FONT_BYTES = 30 * 1024 * 1024;
const IS_DEFLATED = 1;
const IS_MASKED = 2;
const MASKED_BYTES = 1040;

const STARTS: [string, string][] = [
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG', 'image/png'],
  ['GIF8', 'image/gif'],
  ['BM', 'image/bmp'],
];

export function resourceOf(record: Buffer): BookResource | undefined {
  const head = record.toString('latin1', 0, 4);
  if (head === 'FONT') return fontOf(record);
  const start = STARTS.find(([mark]) => head.startsWith(mark));
  return start && { bytes: record, mediaType: start[1] };
}

function fontOf(record: Buffer): BookResource | undefined {
  const flags = u32(record, 8);
  const data = Buffer.from(record.subarray(u32(record, 12)));
  const keyLength = Math.min(u32(record, 16), record.length);
  const key = record.subarray(u32(record, 20), u32(record, 20) + keyLength);
  if (flags & IS_MASKED && key.length > 0) {
    for (let at = 0; at < Math.min(MASKED_BYTES, data.length); at += 1)
      data[at] = (data[at] ?? 0) ^ (key[at % key.length] ?? 0);
  }
  try {
    const bytes = flags & IS_DEFLATED ? inflateSync(data, { maxOutputLength: MAX_FONT_BYTES }) : data;
    return { bytes, mediaType: 'font/ttf' };
  } catch {
    return undefined;
  }
}
