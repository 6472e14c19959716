// The list of a ZIP's files (APPNOTE 4.3.12, central directory) and their bytes, by what browsers bring along.

export interface ArchiveEntry {
  readonly name: string;
  readonly size: number;
  readonly packedSize: number;
  readonly method: number;
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const MOST_ENTRIES = 1000;
/** What an entry may grow to in this page; larger ones are for the download. */
const MOST_BYTES = 500_000_000;

const viewOf = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer());

export async function archiveEntries(file: Blob): Promise<ArchiveEntry[]> {
  const tail = await viewOf(file.slice(Math.max(0, file.size - END_BYTES - LONGEST_COMMENT)));
  let at = tail.byteLength - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END_SIGNATURE) at--;
  if (at < 0) return [];
  const start = tail.getUint32(at + 16, true);
  const list = await viewOf(file.slice(start, start + tail.getUint32(at + 12, true)));
  const entries: ArchiveEntry[] = [];
  for (let place = 0; place + ENTRY_BYTES <= list.byteLength && entries.length < MOST_ENTRIES; ) {
    if (list.getUint32(place, true) !== ENTRY_SIGNATURE) break;
    const nameLength = list.getUint16(place + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, place + ENTRY_BYTES, nameLength));
    const entry = {
      name,
      method: list.getUint16(place + 10, true),
      packedSize: list.getUint32(place + 20, true),
      size: list.getUint32(place + 24, true),
      offset: list.getUint32(place + 42, true),
    };
    if (!name.endsWith('/')) entries.push(entry);
    place += ENTRY_BYTES + nameLength + list.getUint16(place + 30, true) + list.getUint16(place + 32, true);
  }
  return entries;
}

export async function entryFile(archive: Blob, entry: ArchiveEntry): Promise<File> {
  const head = await viewOf(archive.slice(entry.offset, entry.offset + LOCAL_BYTES));
  const start = entry.offset + LOCAL_BYTES + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = archive.slice(start, start + entry.packedSize);
  if (entry.size > MOST_BYTES || ![STORED, DEFLATED].includes(entry.method))
    throw new Error('cannot be unpacked here');
  const content =
    entry.method === STORED
      ? packed
      : await new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
  return new File([content], entry.name.split('/').at(-1) ?? entry.name);
}
