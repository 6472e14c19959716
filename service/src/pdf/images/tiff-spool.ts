// An image too large for memory, laid into a plain TIFF file row by row as it is drawn.
import { closeSync, openSync } from 'node:fs';
import { bytesAt, writeAll } from '../../contract/file-bytes.ts';

const ROWS_PER_STRIP = 16;
const SHORT = 3;
const LONG = 4;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** TIFF 6.0, baseline grey or red-green-blue, uncompressed; readers need no more than some rows at a time. */
export class TiffSpool {
  readonly path: string;
  private readonly file: number;
  private readonly width: number;
  private readonly channels: 1 | 3;

  constructor(path: string, { width, height, channels }: { width: number; height: number; channels: 1 | 3 }) {
    this.path = path;
    this.width = width;
    this.channels = channels;
    this.file = openSync(path, 'wx', 0o600);
    writeAll(this.file, headOf(width, height, channels));
  }

  /** Whole rows, from the top; narrower ones are filled up with white. */
  add(rows: Uint8Array, rowWidth: number): void {
    writeAll(this.file, rowWidth === this.width ? rows : this.widened(rows, rowWidth));
  }

  private widened(rows: Uint8Array, rowWidth: number): Uint8Array {
    const from = rowWidth * this.channels;
    const to = this.width * this.channels;
    const count = rows.length / from;
    const wide = new Uint8Array(count * to).fill(255);
    for (let row = 0; row < count; row += 1) wide.set(rows.subarray(row * from, (row + 1) * from), row * to);
    return wide;
  }

  close(): void {
    closeSync(this.file);
  }
}

export interface SpoolFacts {
  width: number;
  height: number;
  channels: 1 | 3;
}

const FACTS_BYTES = HEADER_BYTES + 2 + 10 * ENTRY_BYTES;

/** What such a file says of itself. */
export function spoolFacts(path: string): SpoolFacts {
  return factsIn(bytesAt({ path }, 0, FACTS_BYTES));
}

/** Its rows from the top, some at a time. */
export function* readSpooledRows(path: string, bytesAtOnce: number): Generator<Uint8Array> {
  const { width, height, channels } = spoolFacts(path);
  const rowBytes = width * channels;
  const dataAt = headOf(width, height, channels).length;
  const rowsAtOnce = Math.max(1, Math.floor(bytesAtOnce / rowBytes));
  for (let row = 0; row < height; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - row);
    const bytes = bytesAt({ path }, dataAt + row * rowBytes, rows * rowBytes);
    if (bytes.length < rows * rowBytes) throw new Error('a spooled picture is cut off');
    yield bytes;
  }
}

function factsIn(head: Buffer): SpoolFacts {
  const value = (entry: number): number => head.readUInt32LE(HEADER_BYTES + 2 + entry * ENTRY_BYTES + 8);
  return { width: value(0), height: value(1), channels: value(6) === 1 ? 1 : 3 };
}

function headOf(width: number, height: number, channels: 1 | 3): Buffer {
  const strips = Math.ceil(height / ROWS_PER_STRIP);
  const rowBytes = width * channels;
  const entries = 10;
  const bitsAt = HEADER_BYTES + 2 + entries * ENTRY_BYTES + 4;
  const offsetsAt = bitsAt + 8;
  const countsAt = offsetsAt + 4 * strips;
  const dataAt = countsAt + 4 * strips;
  const head = Buffer.alloc(dataAt);
  head.write('II*\0', 0, 'latin1');
  head.writeUInt32LE(HEADER_BYTES, 4);
  head.writeUInt16LE(entries, HEADER_BYTES);
  let at = HEADER_BYTES + 2;
  const entry = (tag: number, type: number, count: number, value: number): void => {
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(value, at + 8);
    at += ENTRY_BYTES;
  };
  entry(256, LONG, 1, width);
  entry(257, LONG, 1, height);
  entry(258, SHORT, channels, channels === 1 ? 8 : bitsAt);
  entry(259, SHORT, 1, 1);
  entry(262, SHORT, 1, channels === 1 ? 1 : 2);
  // A single strip is given in place.
  entry(273, LONG, strips, strips === 1 ? dataAt : offsetsAt);
  entry(277, SHORT, 1, channels);
  entry(278, LONG, 1, ROWS_PER_STRIP);
  entry(279, LONG, strips, strips === 1 ? rowBytes * height : countsAt);
  entry(284, SHORT, 1, 1);
  for (let i = 0; i < 3; i += 1) head.writeUInt16LE(8, bitsAt + 2 * i);
  for (let strip = 0; strip < strips; strip += 1) {
    const rows = Math.min(ROWS_PER_STRIP, height - strip * ROWS_PER_STRIP);
    head.writeUInt32LE(dataAt + strip * ROWS_PER_STRIP * rowBytes, offsetsAt + 4 * strip);
    head.writeUInt32LE(rows * rowBytes, countsAt + 4 * strip);
  }
  return head;
}
