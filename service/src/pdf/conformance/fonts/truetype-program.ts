// TrueType and OpenType font programs: which glyphs there are, how wide, and what codes lead to them.

export interface Cmap {
  platform: number;
  encoding: number;
  lookUp(code: number): number;
}

export interface TrueTypeProgram {
  glyphCount: number;
  /** In thousandths of the size. */
  width(glyph: number): number | undefined;
  cmaps: Cmap[];
  /** Glyphs by the names of the `post` table. */
  named(): ReadonlyMap<string, number>;
  /** The CFF table of OpenType fonts. */
  cff: Uint8Array | undefined;
}

const MAX_TABLES = 200;
const MAX_CMAPS = 100;
const MAX_GLYPHS = 65_535;

export function readTrueType(bytes: Uint8Array): TrueTypeProgram | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = tableRanges(view);
  const head = tables?.get('head');
  if (!tables || !head || head.byteLength < 54) return undefined;
  const unitsPerEm = head.getUint16(18) || 1000;
  const maxp = tables.get('maxp');
  const glyphCount = Math.min(maxp && maxp.byteLength >= 6 ? maxp.getUint16(4) : 0, MAX_GLYPHS);
  const hhea = tables.get('hhea');
  const hmtx = tables.get('hmtx');
  const metrics = hhea && hhea.byteLength >= 36 ? hhea.getUint16(34) : 0;
  let names: Map<string, number> | undefined;
  const cffTable = tables.get('CFF ');
  return {
    glyphCount,
    width(glyph) {
      if (!hmtx || metrics === 0) return undefined;
      const at = Math.min(glyph, metrics - 1) * 4;
      return at + 2 <= hmtx.byteLength ? (hmtx.getUint16(at) * 1000) / unitsPerEm : undefined;
    },
    cmaps: readCmaps(tables.get('cmap')),
    named: () => {
      names ??= postNames(tables.get('post'), glyphCount);
      return names;
    },
    cff: cffTable && new Uint8Array(cffTable.buffer, cffTable.byteOffset, cffTable.byteLength),
  };
}

function tableRanges(view: DataView): Map<string, DataView> | undefined {
  if (view.byteLength < 12) return undefined;
  const start = view.getUint32(0) === 0x74746366 && view.byteLength >= 16 ? view.getUint32(12) : 0;
  if (start + 12 > view.byteLength) return undefined;
  const count = Math.min(view.getUint16(start + 4), MAX_TABLES);
  const tables = new Map<string, DataView>();
  for (let index = 0; index < count; index += 1) {
    const row = start + 12 + index * 16;
    if (row + 16 > view.byteLength) break;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((at) => view.getUint8(row + at)));
    const offset = view.getUint32(row + 8);
    if (offset >= view.byteLength) continue;
    const length = Math.min(view.getUint32(row + 12), view.byteLength - offset);
    tables.set(tag, new DataView(view.buffer, view.byteOffset + offset, length));
  }
  return tables;
}

function readCmaps(table: DataView | undefined): Cmap[] {
  if (!table || table.byteLength < 4) return [];
  const count = Math.min(table.getUint16(2), MAX_CMAPS);
  const cmaps: Cmap[] = [];
  for (let index = 0; index < count && 12 + index * 8 <= table.byteLength; index += 1) {
    const row = 4 + index * 8;
    const offset = table.getUint32(row + 4);
    cmaps.push({
      platform: table.getUint16(row),
      encoding: table.getUint16(row + 2),
      lookUp: (code) => lookUp(table, offset, code),
    });
  }
  return cmaps;
}

function lookUp(table: DataView, start: number, code: number): number {
  try {
    const format = table.getUint16(start);
    if (format === 0) return code < 256 ? table.getUint8(start + 6 + code) : 0;
    if (format === 4) return lookUpSegments(table, start, code);
    if (format === 6) {
      const index = code - table.getUint16(start + 6);
      return index >= 0 && index < table.getUint16(start + 8) ? table.getUint16(start + 10 + index * 2) : 0;
    }
    return format === 12 ? lookUpGroups(table, start, code) : 0;
  } catch {
    // The table ends before what it promises.
    return 0;
  }
}

function lookUpSegments(table: DataView, start: number, code: number): number {
  const doubled = table.getUint16(start + 6);
  const ends = start + 14;
  const starts = ends + doubled + 2;
  for (let at = 0; at < doubled; at += 2) {
    if (table.getUint16(ends + at) < code) continue;
    const first = table.getUint16(starts + at);
    if (first > code) return 0;
    const delta = table.getUint16(starts + doubled + at);
    const rangeAt = starts + 2 * doubled + at;
    const range = table.getUint16(rangeAt);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = table.getUint16(rangeAt + range + (code - first) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}

function lookUpGroups(table: DataView, start: number, code: number): number {
  const groups = Math.min(table.getUint32(start + 12), 100_000);
  for (let index = 0; index < groups; index += 1) {
    const row = start + 16 + index * 12;
    const first = table.getUint32(row);
    if (code >= first && code <= table.getUint32(row + 4)) return table.getUint32(row + 8) + code - first;
  }
  return 0;
}

function postNames(table: DataView | undefined, glyphCount: number): Map<string, number> {
  const names = new Map<string, number>();
  if (!table || table.byteLength < 34 || table.getUint32(0) !== 0x00020000) return names;
  const count = Math.min(table.getUint16(32), glyphCount);
  const texts: string[] = [];
  for (let at = 34 + table.getUint16(32) * 2; at < table.byteLength && texts.length < MAX_GLYPHS; ) {
    const length = table.getUint8(at);
    const end = Math.min(at + 1 + length, table.byteLength);
    texts.push(Buffer.from(table.buffer, table.byteOffset + at + 1, end - at - 1).toString('latin1'));
    at += 1 + length;
  }
  for (let glyph = 0; glyph < count && 36 + glyph * 2 <= table.byteLength; glyph += 1) {
    const index = table.getUint16(34 + glyph * 2);
    const text = index < 258 ? undefined : texts[index - 258];
    if (text !== undefined && !names.has(text)) names.set(text, glyph);
  }
  return names;
}
