// Windows bitmaps as files, which libvips does not write: one bit a pixel, shades of grey, or colours.
import { closeSync, openSync, writeSync } from 'node:fs';
import { readSpooledRows, spoolFacts } from '../../pdf/images/tiff-spool.ts';
import type { EncodeOptions, Pixels, SpooledPixels } from './pixels.ts';

const FILE_HEADER = 14;
/** BITMAPINFOHEADER, which every reader knows. */
const INFO_HEADER = 40;
const BAND_BYTES = 4_000_000;
const INCHES_PER_METRE = 1 / 0.0254;

interface Layout {
  width: number;
  height: number;
  bits: 1 | 8 | 24;
  /** Of the rows that come in. */
  channels: number;
}

export function writeBmp(path: string, source: Pixels | SpooledPixels, options: EncodeOptions = {}): void {
  const { width, height, channels } = 'tiff' in source ? spoolFacts(source.tiff) : source;
  const bits = channels >= 3 ? 24 : options.twoTone ? 1 : 8;
  const layout: Layout = { width, height, bits, channels };
  const rows =
    'tiff' in source ? readSpooledRows(source.tiff, BAND_BYTES) : bandsOf(source.data, width * channels);
  const file = openSync(path, 'wx', 0o600);
  try {
    const head = headOf(layout, options.dpi);
    write(file, head, 0);
    // Rows stand from the bottom up in the file and come from the top down.
    let below = height;
    for (const band of rows) {
      const packed = packedRows(band, layout);
      below -= band.length / (width * channels);
      write(file, packed, head.length + below * rowBytes(layout));
    }
  } finally {
    closeSync(file);
  }
}

/** A row fills whole groups of four bytes. */
const rowBytes = ({ width, bits }: Layout): number => Math.ceil((width * bits) / 32) * 4;

function* bandsOf(data: Uint8Array, sourceRow: number): Generator<Uint8Array> {
  const atOnce = Math.max(1, Math.floor(BAND_BYTES / sourceRow)) * sourceRow;
  for (let at = 0; at < data.length; at += atOnce) yield data.subarray(at, at + atOnce);
}

function write(file: number, bytes: Uint8Array, place: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, place + at);
}

function packedRows(band: Uint8Array, layout: Layout): Uint8Array {
  const { width, bits, channels } = layout;
  const from = width * channels;
  const to = rowBytes(layout);
  const count = band.length / from;
  const packed = new Uint8Array(count * to);
  for (let row = 0; row < count; row += 1) {
    const source = band.subarray(row * from, (row + 1) * from);
    const target = packed.subarray((count - 1 - row) * to, (count - row) * to);
    if (bits === 8) target.set(source);
    else if (bits === 1) packBits(target, source);
    else packColours(target, source, channels);
  }
  return packed;
}

function packBits(target: Uint8Array, greys: Uint8Array): void {
  for (let x = 0; x < greys.length; x += 1) {
    if ((greys[x] as number) >= 128) target[x >> 3] = (target[x >> 3] as number) | (0x80 >> (x & 7));
  }
}

/** Blue comes first. */
function packColours(target: Uint8Array, source: Uint8Array, channels: number): void {
  for (let from = 0, to = 0; from < source.length; from += channels, to += 3) {
    target[to] = source[from + 2] as number;
    target[to + 1] = source[from + 1] as number;
    target[to + 2] = source[from] as number;
  }
}

function headOf(layout: Layout, dpi: number | undefined): Buffer {
  const { width, height, bits } = layout;
  const colours = bits === 24 ? 0 : 2 ** bits;
  const dataAt = FILE_HEADER + INFO_HEADER + 4 * colours;
  const dataBytes = rowBytes(layout) * height;
  const head = Buffer.alloc(dataAt);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(dataAt + dataBytes, 2);
  head.writeUInt32LE(dataAt, 10);
  head.writeUInt32LE(INFO_HEADER, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(dataBytes, 34);
  const perMetre = dpi === undefined ? 0 : Math.round(dpi * INCHES_PER_METRE);
  head.writeInt32LE(perMetre, 38);
  head.writeInt32LE(perMetre, 42);
  head.writeUInt32LE(colours, 46);
  for (let index = 0; index < colours; index += 1) {
    const grey = Math.round((index * 255) / (colours - 1));
    head.fill(grey, FILE_HEADER + INFO_HEADER + 4 * index, FILE_HEADER + INFO_HEADER + 4 * index + 3);
  }
  return head;
}
