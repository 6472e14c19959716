// Whether a compound file (MS-CFB) may be handed to a reader that follows every chain to its end and believes every
// size: no chain runs in a circle, nothing stands in the directory tree twice, and all that it says it holds is no more
// than the file has room for. What is merely odd, or leads nowhere, is left to the reader.

const HEADER = {
  sectorShift: 30,
  fatCount: 44,
  directory: 48,
  miniFat: 60,
  miniFatCount: 64,
  difat: 68,
  difatCount: 72,
  fat: 76,
};
const ENTRY = { bytes: 128, kind: 66, before: 68, after: 72, below: 76, first: 116, size: 120 };
const STORAGE = 1;
const STREAM = 2;
const ROOT = 5;
const END = -2;
const NONE = -1;
const LARGE_SHIFT = 12;
const SHORTEST_FILE = 512;
/** Shorter streams stand in small sectors, within a stream of their own. */
const SMALL_STREAM = 4096;

export function isBounded(bytes: Uint8Array): boolean {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.byteLength < SHORTEST_FILE) return false;
  try {
    return new Bounds(file).hold();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

class Bounds {
  private readonly file: DataView;
  private readonly sectorBytes: number;
  private readonly sectors: number;
  private readonly fat: number[] = [];

  constructor(file: DataView) {
    this.file = file;
    this.sectorBytes = file.getUint8(HEADER.sectorShift) === LARGE_SHIFT ? 4096 : 512;
    this.sectors = Math.ceil(file.byteLength / this.sectorBytes);
  }

  hold(): boolean {
    for (const count of [HEADER.fatCount, HEADER.miniFatCount, HEADER.difatCount])
      if (this.number(count) > this.sectors) return false;
    this.readFat();
    const next = (sector: number): number => this.next(this.fat, sector);
    const directory = this.chain(this.number(HEADER.directory), next);
    const miniFat = this.chain(this.number(HEADER.miniFat), next);
    if (!directory || !miniFat) return false;
    const entries = directory.flatMap((sector) => this.entriesIn(sector));
    const root = entries[0];
    if (root === undefined || !this.chain(this.number(root + ENTRY.first), next)) return false;
    return this.streamsFit(entries, miniFat) && this.isTree(entries);
  }

  private number(at: number): number {
    return this.file.getInt32(at, true);
  }

  private place(sector: number): number {
    return (sector + 1) * this.sectorBytes;
  }

  /** The sectors of the allocation table: the header names some, the rest are named by a chain of sectors. */
  private readFat(): void {
    const count = Math.max(0, this.number(HEADER.fatCount));
    const inHeader = Math.min(count, (SHORTEST_FILE - HEADER.fat) / 4);
    for (let index = 0; index < inHeader; index += 1) this.fat.push(this.number(HEADER.fat + index * 4));
    const perSector = this.sectorBytes / 4 - 1;
    let sector = this.number(HEADER.difat);
    for (let left = this.number(HEADER.difatCount); left > 0 && sector >= 0; left -= 1) {
      for (let index = 0; index < perSector && this.fat.length < count; index += 1)
        this.fat.push(this.number(this.place(sector) + index * 4));
      sector = this.number(this.place(sector) + perSector * 4);
    }
  }

  /** Where nothing is said of a sector, the chain ends. */
  private next(table: readonly number[], sector: number): number {
    const perSector = this.sectorBytes / 4;
    const part = table[Math.floor(sector / perSector)];
    return part === undefined ? END : this.number(this.place(part) + (sector % perSector) * 4);
  }

  /** Undefined where it comes to a sector again. */
  private chain(
    first: number,
    next: (sector: number) => number,
    seen = new Set<number>(),
  ): number[] | undefined {
    const found: number[] = [];
    for (let sector = first; sector !== END; sector = next(sector)) {
      if (seen.has(sector)) return undefined;
      seen.add(sector);
      found.push(sector);
    }
    return found;
  }

  private entriesIn(sector: number): number[] {
    const found: number[] = [];
    const from = this.place(sector);
    for (let at = from; at >= 0 && at < from + this.sectorBytes; at += ENTRY.bytes)
      if (at + ENTRY.bytes <= this.file.byteLength) found.push(at);
    return found;
  }

  /** No sector belongs to two streams, so all together are no longer than the file. */
  private streamsFit(entries: readonly number[], miniFat: readonly number[]): boolean {
    const smallSectors = new Set<number>();
    let left = this.file.byteLength;
    for (const at of entries) {
      if (this.file.getUint8(at + ENTRY.kind) !== STREAM) continue;
      const size = this.number(at + ENTRY.size);
      left -= size;
      if (size < 0 || left < 0) return false;
      const isSmall = size > 0 && size < SMALL_STREAM;
      const next = (sector: number): number => this.next(miniFat, sector);
      if (isSmall && !this.chain(this.number(at + ENTRY.first), next, smallSectors)) return false;
    }
    return true;
  }

  private isTree(entries: readonly number[]): boolean {
    const seen = new Set<number>();
    const toVisit = [0];
    for (let index = toVisit.pop(); index !== undefined; index = toVisit.pop()) {
      const at = entries[index];
      if (at === undefined || seen.has(index)) return false;
      seen.add(index);
      const kind = this.file.getUint8(at + ENTRY.kind);
      const places = index === 0 ? [] : [ENTRY.before, ENTRY.after];
      if (kind === STORAGE || kind === ROOT) places.push(ENTRY.below);
      for (const place of places) {
        const other = this.number(at + place);
        if (other !== NONE) toVisit.push(other);
      }
    }
    return true;
  }
}
