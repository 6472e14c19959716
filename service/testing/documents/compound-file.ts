// Compound files, as messages of Outlook are, written sector by sector: sound ones and such whose chains and sizes lie.

const SECTOR = 512;
const END = 0xfffffffe;
const NONE = 0xffffffff;

interface Entry {
  name: string;
  kind: 1 | 2 | 5;
  first?: number;
  size?: number;
  before?: number;
  after?: number;
  below?: number;
}

export interface CompoundParts {
  header?: Record<number, number>;
  /** What the allocation table says of each sector. */
  fat?: number[];
  miniFat?: number[];
  entries?: Entry[];
}

/** Sectors: 0 allocation table, 1 directory, 2 small allocation table, 3 small sectors, 4 to 11 a stream. */
const FAT = [0xfffffffd, END, END, END, 5, 6, 7, 8, 9, 10, 11, END];
const ENTRIES: Entry[] = [
  { name: 'Root Entry', kind: 5, below: 1, first: 3, size: SECTOR },
  { name: '__properties_version1.0', kind: 2, after: 2, first: 0, size: 64 },
  { name: '__substg1.0_1000001F', kind: 2, after: 3, first: 1, size: 100 },
  { name: '__substg1.0_10090102', kind: 2, first: 4, size: 8 * SECTOR },
];

export function compoundFile({
  header = {},
  fat = FAT,
  miniFat = [END, 2, END],
  entries = ENTRIES,
}: CompoundParts = {}): Buffer {
  const file = Buffer.alloc(SECTOR * (1 + FAT.length));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  const fields = {
    24: 0x0003003e,
    28: 0x0009fffe,
    32: 6,
    44: 1,
    48: 1,
    56: 4096,
    60: 2,
    64: 1,
    68: END,
    72: 0,
    76: 0,
  };
  for (const [at, value] of Object.entries({ ...fields, ...header })) file.writeUInt32LE(value, Number(at));
  for (let at = 80; at < SECTOR; at += 4) file.writeUInt32LE(NONE, at);
  const put = (sector: number, numbers: number[]): void => {
    for (let index = 0; index < SECTOR / 4; index += 1)
      file.writeUInt32LE(numbers[index] ?? NONE, SECTOR * (sector + 1) + index * 4);
  };
  put(0, fat);
  put(2, miniFat);
  for (const [index, entry] of entries.entries()) {
    const at = SECTOR * 2 + index * 128;
    file.write(entry.name, at, 'utf16le');
    file.writeUInt16LE(entry.name.length * 2 + 2, at + 64);
    file.writeUInt8(entry.kind, at + 66);
    for (const [place, value] of [
      [68, entry.before ?? NONE],
      [72, entry.after ?? NONE],
      [76, entry.below ?? NONE],
      [116, entry.first ?? END],
      [120, entry.size ?? 0],
    ] as const)
      file.writeUInt32LE(value, at + place);
  }
  return file;
}

const fatWith = (sector: number, next: number): number[] => FAT.with(sector, next);
const entriesWith = (index: number, change: Partial<Entry>): Entry[] =>
  ENTRIES.with(index, { ...(ENTRIES[index] as Entry), ...change });

export const LYING_COMPOUND_FILES: Readonly<Record<string, CompoundParts>> = {
  'the directory goes in a circle': { fat: fatWith(1, 1) },
  'the directory goes in a long circle': { fat: fatWith(1, 4).with(11, 1) },
  'the small sectors go in a circle': { fat: fatWith(3, 3) },
  'the small allocation table goes in a circle': { fat: fatWith(2, 2), header: { 64: 12 } },
  'a small stream goes in a circle': { miniFat: [END, 2, 1] },
  'a stream is longer than the file': { entries: entriesWith(3, { size: 0x7ffffff0 }) },
  'a stream has a length below zero': { entries: entriesWith(3, { size: 0x80000000 }) },
  'streams together are longer than the file': { entries: entriesWith(2, { first: 4, size: 8 * SECTOR }) },
  'the allocation table is longer than the file': { header: { 44: 0x7fffffff } },
  'the rest of the allocation table goes in a circle': { header: { 44: 0x00ffffff, 68: 4, 72: 0x7fffffff } },
  'the small allocation table is longer than the file': { header: { 64: 0x7fffffff } },
  'an entry stands beside itself': { entries: entriesWith(2, { after: 2 }) },
  'an entry stands beside one before it': { entries: entriesWith(3, { after: 1 }) },
  'the root stands below itself': { entries: entriesWith(3, { kind: 1, below: 0 }) },
  'a folder stands below itself': { entries: entriesWith(3, { kind: 1, below: 3 }) },
  'an entry stands beside one that is not there': { entries: entriesWith(3, { after: 0x7fffffff }) },
  'the directory begins beyond the file': { header: { 48: 0x7ffffff } },
};
