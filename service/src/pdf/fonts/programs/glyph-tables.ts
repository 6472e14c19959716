// Tables of a TrueType font that hold something for each glyph: entries of glyphs that are gone become alike, and
// weigh nothing once packed.

import { ownNameStarts, POST_FORMAT, POST_HEAD_BYTES, STANDARD_GLYPHS } from './post-table.ts';

/** How much a table says, apart from its head: zeros say nothing. */
export function entryBytes(table: Buffer | undefined): number {
  let bytes = 0;
  for (const byte of table?.subarray(POST_HEAD_BYTES) ?? []) if (byte !== 0) bytes += 1;
  return bytes;
}

/** Advance widths and bearings (hmtx). */
export function metricsOf(hmtx: Buffer, hhea: Buffer, glyphs: ReadonlySet<number>): Buffer {
  const table = Buffer.from(hmtx);
  const pairs = Math.min(hhea.readUInt16BE(34), table.length >> 2);
  // The last width is that of all glyphs behind it.
  for (let glyph = 0; glyph < pairs - 1; glyph += 1)
    if (!glyphs.has(glyph)) table.fill(0, 4 * glyph, 4 * glyph + 4);
  for (let at = 4 * pairs, glyph = pairs; at + 2 <= table.length; at += 2, glyph += 1)
    if (!glyphs.has(glyph)) table.fill(0, at, at + 2);
  return table;
}

/** Names (post), where the font has its own. */
export function namesOf(post: Buffer, glyphs: ReadonlySet<number>): Buffer {
  if (post.length < POST_HEAD_BYTES + 2 || post.readUInt32BE(0) !== POST_FORMAT.ownNames) return post;
  const count = post.readUInt16BE(POST_HEAD_BYTES);
  const starts = ownNameStarts(post, POST_HEAD_BYTES + 2 + 2 * count);
  const indexes = Buffer.alloc(2 * count);
  const names: Buffer[] = [];
  for (const glyph of glyphs) {
    if (glyph >= count) continue;
    const index = post.readUInt16BE(POST_HEAD_BYTES + 2 + 2 * glyph);
    const start = starts[index - STANDARD_GLYPHS.length];
    if (start === undefined) {
      if (index < STANDARD_GLYPHS.length) indexes.writeUInt16BE(index, 2 * glyph);
      continue;
    }
    indexes.writeUInt16BE(STANDARD_GLYPHS.length + names.length, 2 * glyph);
    names.push(post.subarray(start, start + 1 + post.readUInt8(start)));
  }
  return Buffer.concat([post.subarray(0, POST_HEAD_BYTES + 2), indexes, ...names]);
}
