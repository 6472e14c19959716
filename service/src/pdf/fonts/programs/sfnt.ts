// The container of TrueType and OpenType fonts: tables by their tags.

export interface Sfnt {
  version: number;
  tables: Map<string, Buffer>;
}

const MAX_TABLES = 128;
const MAGIC = 0xb1b0afba;

export function readSfnt(file: Buffer): Sfnt | undefined {
  const count = file.readUInt16BE(4);
  if (count > MAX_TABLES) return undefined;
  const tables = new Map<string, Buffer>();
  for (let row = 12; row < 12 + 16 * count; row += 16) {
    const tag = file.toString('latin1', row, row + 4);
    const at = file.readUInt32BE(row + 8);
    if (tables.has(tag) || at > file.length) return undefined;
    tables.set(tag, file.subarray(at, at + file.readUInt32BE(row + 12)));
  }
  return { version: file.readUInt32BE(0), tables };
}

export function writeSfnt({ version, tables }: Sfnt): Buffer {
  const tags = [...tables.keys()].sort();
  const start = 12 + 16 * tags.length;
  const size = tags.reduce((sum, tag) => sum + padded(tables.get(tag)?.length ?? 0), start);
  const file = Buffer.alloc(size);
  const power = 2 ** Math.floor(Math.log2(Math.max(1, tags.length)));
  file.writeUInt32BE(version, 0);
  file.writeUInt16BE(tags.length, 4);
  file.writeUInt16BE(power * 16, 6);
  file.writeUInt16BE(Math.log2(power), 8);
  file.writeUInt16BE((tags.length - power) * 16, 10);
  let at = start;
  for (const [index, tag] of tags.entries()) {
    const table = tables.get(tag) ?? Buffer.alloc(0);
    table.copy(file, at);
    if (tag === 'head' && table.length >= 12) file.writeUInt32BE(0, at + 8);
    const row = 12 + 16 * index;
    file.write(tag, row, 'latin1');
    file.writeUInt32BE(checksum(file, at, at + padded(table.length)), row + 4);
    file.writeUInt32BE(at, row + 8);
    file.writeUInt32BE(table.length, row + 12);
    at += padded(table.length);
  }
  const head = 12 + 16 * tags.indexOf('head');
  if (head >= 12)
    file.writeUInt32BE((MAGIC - checksum(file, 0, size)) >>> 0, file.readUInt32BE(head + 8) + 8);
  return file;
}

const padded = (length: number): number => (length + 3) & ~3;

function checksum(file: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 4) sum = (sum + file.readUInt32BE(at)) >>> 0;
  return sum;
}
