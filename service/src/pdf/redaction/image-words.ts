// Words that image files carry beside their pixels: comments, EXIF, XMP, profiles, what stands behind their end.
import { spelledTexts } from './escaped-text.ts';
import type { Terms } from './terms.ts';

const COMMENT = 0xfe;
const SCAN = 0xda;
const END = 0xd9;

/** The same image without segments that hold a term; undefined where none does. */
export function jpegWithoutWords(data: Uint8Array, terms: Terms): Uint8Array | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const pieces: Buffer[] = [bytes.subarray(0, 2)];
  let changed = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) break;
    const isFill = marker === 0xff || marker === 0 || (marker >= 0xd0 && marker <= 0xd8);
    const end = isFill ? at + 1 : Math.min(bytes.length, at + 2 + bytes.readUInt16BE(at + 2));
    const isSecret =
      isAside(marker, bytes.subarray(at + 4, end)) && dataHolds(bytes.subarray(at + 4, end), terms);
    if (isSecret) changed = true;
    else pieces.push(bytes.subarray(at, end));
    at = end;
    if (marker !== SCAN) continue;
    const next = scanEnd(bytes, at);
    pieces.push(bytes.subarray(at, next));
    at = next;
  }
  const rest = bytes.subarray(at);
  const isEnd = rest[0] === 0xff && rest[1] === END;
  const tail = isEnd ? rest.subarray(2) : rest;
  const isTailSecret = tail.length > 0 && dataHolds(tail, terms);
  if (isEnd || isTailSecret) pieces.push(Buffer.from([0xff, END]));
  if (!isTailSecret) pieces.push(tail);
  return changed || isTailSecret ? Buffer.concat(pieces) : undefined;
}

/** Segments for programs and people; those that say how colours are coded are kept whatever they say. */
function isAside(marker: number, data: Buffer): boolean {
  if (marker === COMMENT) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  return !(marker === 0xee && data.length === 12) && !(marker === 0xe0 && data.length === 14);
}

/** Where the next segment begins: coded pixels hold no markers but those for a fresh start. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Boxes of JPEG 2000 that pixels need. */
const NEEDED = ['jP  ', 'ftyp', 'jp2h', 'jp2c', 'rreq', 'ihdr'];

/** Boxes that hold a term become free room. */
export function jpxWithoutWords(data: Uint8Array, terms: Terms): Uint8Array | undefined {
  const bytes = Buffer.from(data);
  if (bytes.toString('latin1', 4, 8) !== 'jP  ') return undefined;
  let changed = false;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = length === 0 ? bytes.length : Math.min(bytes.length, at + length);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end < at + 8 || length === 1) break;
    if (!NEEDED.includes(type) && type !== 'free' && dataHolds(bytes.subarray(at + 8, end), terms)) {
      bytes.write('free', at + 4, 'latin1');
      bytes.fill(0, at + 8, end);
      changed = true;
    }
    at = end;
  }
  return changed ? bytes : undefined;
}

/** In any encoding. What is dropped by chance is not missed: it draws nothing. */
export function dataHolds(data: Buffer, terms: Terms): boolean {
  const texts = [data.toString('utf8'), data.toString('latin1')];
  if (data.includes(0))
    for (const shift of [0, 1]) {
      const even = Buffer.from(data.subarray(shift, shift + ((data.length - shift) & ~1)));
      texts.push(even.toString('utf16le'), even.swap16().toString('utf16le'));
    }
  return texts.some(
    (text) =>
      terms.isIn(text.replaceAll('\0', '\n')) || spelledTexts(text).some((each) => terms.isIn(each.text)),
  );
}
