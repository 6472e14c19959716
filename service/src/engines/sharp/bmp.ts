// Windows bitmaps, which libvips does not read: every depth, palettes, bit fields and runs.
import type { Pixels } from './pixels.ts';

const FILE_HEADER = 14;
const CORE_HEADER = 12;
const RGB = 0;
const RLE8 = 1;
const RLE4 = 2;
const FIELDS = 3;
const FIELDS_WITH_ALPHA = 6;

interface Layout {
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  compression: number;
  /** Blue, green, red of each index. */
  palette: Buffer;
  entryBytes: number;
  masks: [number, number, number, number];
  data: Buffer;
}

/** The size that the header states. */
export function bmpSize(file: Uint8Array): { width: number; height: number } | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.length < FILE_HEADER + CORE_HEADER) return undefined;
  const core = bytes.readUInt32LE(14) === CORE_HEADER;
  if (!core && bytes.length < 54) return undefined;
  const width = core ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const height = core ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22));
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Undefined where the file makes no sense or ends too early. */
export function readBmp(file: Uint8Array): Pixels | undefined {
  const layout = layoutOf(Buffer.from(file.buffer, file.byteOffset, file.length));
  if (!layout) return undefined;
  const { compression, bits } = layout;
  if (compression === RLE8 || compression === RLE4) {
    if (bits !== (compression === RLE8 ? 8 : 4)) return undefined;
    return coloured(layout, unpackRuns(layout));
  }
  if (![RGB, FIELDS, FIELDS_WITH_ALPHA].includes(compression)) return undefined;
  const rowBytes = Math.ceil((layout.width * bits) / 32) * 4;
  if (layout.data.length < rowBytes * layout.height - 3) return undefined;
  return bits <= 8 ? coloured(layout, unpackIndices(layout, rowBytes)) : direct(layout, rowBytes);
}

function layoutOf(bytes: Buffer): Layout | undefined {
  const size = bmpSize(bytes);
  if (!size) return undefined;
  const headerBytes = bytes.readUInt32LE(14);
  const core = headerBytes === CORE_HEADER;
  const bits = bytes.readUInt16LE(core ? 24 : 28);
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits)) return undefined;
  const compression = core ? RGB : bytes.readUInt32LE(30);
  const dataAt = bytes.readUInt32LE(10);
  // Bit fields stand in the larger headers, or behind the common one.
  const fieldsBehind = headerBytes === 40 && [FIELDS, FIELDS_WITH_ALPHA].includes(compression);
  const paletteAt = FILE_HEADER + headerBytes + (fieldsBehind ? (compression === FIELDS ? 12 : 16) : 0);
  const entryBytes = core ? 3 : 4;
  return {
    ...size,
    topDown: !core && bytes.readInt32LE(22) < 0,
    bits,
    compression,
    palette: bytes.subarray(paletteAt, Math.min(paletteAt + 256 * entryBytes, bytes.length)),
    entryBytes,
    masks: masksOf(bytes, bits, compression, headerBytes),
    data: bytes.subarray(Math.max(dataAt, FILE_HEADER + CORE_HEADER)),
  };
}

function masksOf(bytes: Buffer, bits: number, compression: number, headerBytes: number): Layout['masks'] {
  if (compression !== FIELDS && compression !== FIELDS_WITH_ALPHA)
    return bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
  const mask = (index: number): number =>
    bytes.length >= 58 + 4 * index ? bytes.readUInt32LE(54 + 4 * index) : 0;
  const hasAlpha = headerBytes >= 56 || compression === FIELDS_WITH_ALPHA;
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}

function unpackIndices({ width, height, bits, data }: Layout, rowBytes: number): Uint8Array {
  const indices = new Uint8Array(width * height);
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = data[y * rowBytes + Math.floor(x / perByte)] ?? 0;
      indices[y * width + x] = (byte >> (8 - bits * ((x % perByte) + 1))) & mask;
    }
  }
  return indices;
}

function unpackRuns({ width, height, compression, data }: Layout): Uint8Array {
  const indices = new Uint8Array(width * height);
  const wide = compression === RLE8;
  let x = 0;
  let y = 0;
  const put = (index: number): void => {
    if (x < width && y < height) indices[y * width + x] = index;
    x += 1;
  };
  const nth = (byte: number, n: number): number => (wide ? byte : n % 2 === 0 ? byte >> 4 : byte & 15);
  for (let at = 0; at + 1 < data.length && y < height; ) {
    const count = data[at] as number;
    const value = data[at + 1] as number;
    at += 2;
    if (count > 0) for (let n = 0; n < count; n += 1) put(nth(value, n));
    else if (value === 0) {
      x = 0;
      y += 1;
    } else if (value === 1) break;
    else if (value === 2) {
      x += data[at] ?? 0;
      y += data[at + 1] ?? 0;
      at += 2;
    } else {
      for (let n = 0; n < value; n += 1) put(nth(data[at + (wide ? n : n >> 1)] ?? 0, n));
      const bytes = wide ? value : (value + 1) >> 1;
      at += bytes + (bytes % 2);
    }
  }
  return indices;
}

/** Rows stand from the bottom up unless the height is negative. */
const rowOf = ({ topDown, height }: Layout, y: number): number => (topDown ? y : height - 1 - y);

function coloured(layout: Layout, indices: Uint8Array): Pixels {
  const { width, height, palette, entryBytes } = layout;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    let to = rowOf(layout, y) * width * 3;
    for (let x = 0; x < width; x += 1, to += 3) {
      const at = (indices[y * width + x] as number) * entryBytes;
      data[to] = palette[at + 2] ?? 0;
      data[to + 1] = palette[at + 1] ?? 0;
      data[to + 2] = palette[at] ?? 0;
    }
  }
  return { width, height, channels: 3, data };
}

function direct(layout: Layout, rowBytes: number): Pixels {
  const { width, height, bits, masks, data: source } = layout;
  const channels = masks[3] === 0 ? 3 : 4;
  const data = new Uint8Array(width * height * channels);
  const readers = masks.slice(0, channels).map(fieldReader);
  const step = bits / 8;
  for (let y = 0; y < height; y += 1) {
    let from = y * rowBytes;
    let to = rowOf(layout, y) * width * channels;
    for (let x = 0; x < width; x += 1, from += step, to += channels) {
      let value = 0;
      for (let byte = step - 1; byte >= 0; byte -= 1) value = value * 256 + (source[from + byte] ?? 0);
      for (let channel = 0; channel < channels; channel += 1)
        data[to + channel] = readers[channel]?.(value) ?? 0;
    }
  }
  return { width, height, channels, data };
}

/** Takes the bits of a mask out of a value and spreads them over 0 to 255. */
function fieldReader(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / most);
}
