// How much a JPEG file has lost already: its quantisation table against the one of the standard (ITU-T T.81, K.1).

const STANDARD_SUM = 3688;
const TABLES = 0xdb;
const SCAN = 0xda;

/** As encoders count, 1 to 100; 100 where no table is found. */
export function jpegQuality(file: Uint8Array): number {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === SCAN) break;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === TABLES) return qualityOf(bytes.subarray(at + 4, at + 2 + length));
    at += 2 + length;
  }
  return 100;
}

function qualityOf(table: Buffer): number {
  const isWide = (table[0] ?? 0) >> 4 === 1;
  let sum = 0;
  for (let index = 0; index < 64; index += 1)
    sum += isWide ? 256 * (table[1 + 2 * index] ?? 0) + (table[2 + 2 * index] ?? 0) : (table[1 + index] ?? 0);
  const percent = (100 * sum) / STANDARD_SUM;
  const quality = percent <= 100 ? (200 - percent) / 2 : 5000 / percent;
  return Math.min(100, Math.max(1, quality));
}
