// Packing by deflate. zlib prepares tables for a window of 32 KB: for little data that takes longer than to pack it.
import { deflateSync } from 'node:zlib';

const SMALLEST_WINDOW = 9;
const LARGEST_WINDOW = 15;
/** How far before the end of its window zlib stops looking back. */
const LOOK_AHEAD = 262;
/** Tables that go with a window: as many symbols to a block as half of it has bytes. */
const MEMORY_BELOW_WINDOW = 7;

/** As small as zlib makes it with all of its memory: the window reaches over all of the data. */
export function deflate(bytes: Uint8Array, level = 6): Buffer {
  const wanted = Math.ceil(Math.log2(bytes.length + LOOK_AHEAD));
  const windowBits = Math.min(Math.max(wanted, SMALLEST_WINDOW), LARGEST_WINDOW);
  return deflateSync(bytes, { level, windowBits, memLevel: windowBits - MEMORY_BELOW_WINDOW });
}
