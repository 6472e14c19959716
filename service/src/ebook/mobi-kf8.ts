// The newer form of Kindle's books: skeletons of XHTML files and the fragments that belong into them, then style
// sheets and drawings as further flows of the text.
import type { Book, ContentsEntry } from './book.ts';
import type { MobiHeader } from './mobi-header.ts';
import { type MobiIndex, readIndex } from './mobi-index.ts';
import { outsideTag } from './mobi-kf7.ts';
import { u32 } from './palm-database.ts';

const FIELD = { flows: 192, ncx: 244, fragments: 248, skeletons: 252 } as const;
const TAG = { count: 1, place: 6, title: 3, depth: 4, position: 6, parent: 21 } as const;
const MAX_PARTS = 20_000;
const MAX_ANCHORS = 50_000;
const POSITION = /kindle:pos:fid:([0-9a-v]{1,8}):off:([0-9a-v]{1,12})/gi;

interface Part {
  path: string;
  /** Where its text begins in the text of all. */
  start: number;
  bytes: Buffer;
}

export function readKf8(header: MobiHeader, text: Buffer): Omit<Book, 'title' | 'author' | 'language'> {
  const flows = flowsOf(header, text);
  const index = (field: number): MobiIndex | undefined => {
    const at = header.pointer(field);
    return at === undefined ? undefined : readIndex(header.database, at);
  };
  const fragments = index(FIELD.fragments)?.entries ?? [];
  const places = fragments.map(({ name }) => Number(name) || 0);
  const parts = partsOf(flows[0] ?? text, index(FIELD.skeletons), fragments, places);
  const placeOf = (fragment: number, offset: number): number | undefined => {
    const place = places[fragment];
    return place === undefined ? undefined : place + offset;
  };
  const contents = ncxContents(header, index(FIELD.ncx), parts, placeOf);
  const wanted = new Set<number>(contents.places);
  for (const { bytes } of parts)
    for (const [, fragment = '', offset = ''] of bytes.toString('latin1').matchAll(POSITION)) {
      const place = placeOf(Number.parseInt(fragment, 32), Number.parseInt(offset, 32));
      if (place !== undefined && wanted.size < MAX_ANCHORS) wanted.add(place);
    }
  const chapters = parts.map((part) => ({
    path: part.path,
    html: header.decoder
      .decode(withAnchors(part, wanted))
      .replace(POSITION, (_, fragment: string, offset: string) => {
        const place = placeOf(Number.parseInt(fragment, 32), Number.parseInt(offset, 32));
        return place === undefined ? '#' : addressOf(parts, place);
      }),
  }));
  return {
    chapters: chapters.map(({ path, html }) => ({ path, html: withOwnAddresses(html) })),
    contents: contents.entries,
    async resource(path) {
      const [, folder, number] = /^(images|flows)\/(\d+)(?:\.\w+)?$/.exec(path) ?? [];
      if (folder === 'images') return header.resource(Number(number));
      const flow = folder === undefined ? undefined : flows[Number(number)];
      if (!flow) return undefined;
      const words = withOwnAddresses(header.decoder.decode(flow));
      const mediaType = /<svg[\s>]/i.test(words) ? 'image/svg+xml' : 'text/css';
      return { bytes: Buffer.from(words), mediaType };
    },
  };
}

/** `kindle:embed:0001?mime=image/jpeg` and `kindle:flow:0002?mime=text/css` as paths. */
const withOwnAddresses = (text: string): string =>
  text
    .replace(
      /kindle:embed:([0-9a-v]{1,8})(?:\?[^"')\s]*)?/gi,
      (_, index: string) => `/images/${Number.parseInt(index, 32)}`,
    )
    .replace(
      /kindle:flow:([0-9a-v]{1,8})(?:\?[^"')\s]*)?/gi,
      (_, index: string) => `/flows/${Number.parseInt(index, 32)}`,
    );

function flowsOf(header: MobiHeader, text: Buffer): Buffer[] {
  const at = header.pointer(FIELD.flows);
  const table = at === undefined ? undefined : header.database.record(at);
  if (table?.toString('latin1', 0, 4) !== 'FDST') return [text];
  const count = Math.min(u32(table, 8), 10_000);
  return Array.from({ length: count }, (_, index) =>
    text.subarray(u32(table, 12 + 8 * index), u32(table, 16 + 8 * index)),
  );
}

function partsOf(
  text: Buffer,
  skeletons: MobiIndex | undefined,
  fragments: MobiIndex['entries'],
  places: number[],
): Part[] {
  if (!skeletons || skeletons.entries.length === 0) return [{ path: 'part0', start: 0, bytes: text }];
  const parts: Part[] = [];
  let next = 0;
  for (const { tags } of skeletons.entries.slice(0, MAX_PARTS)) {
    const [start = 0, length = 0] = tags.get(TAG.place) ?? [];
    let bytes = text.subarray(start, start + length);
    let from = start + length;
    for (
      let left = tags.get(TAG.count)?.[0] ?? 0;
      left > 0 && next < fragments.length;
      left -= 1, next += 1
    ) {
      const size = fragments[next]?.tags.get(TAG.place)?.[1] ?? 0;
      const at = Math.min(bytes.length, Math.max(0, (places[next] ?? 0) - start));
      bytes = Buffer.concat([bytes.subarray(0, at), text.subarray(from, from + size), bytes.subarray(at)]);
      from += size;
    }
    parts.push({ path: `part${parts.length}`, start, bytes });
  }
  return parts;
}

const anchorId = (place: number): string => `pos${place}`;

const partAt = (parts: readonly Part[], place: number): Part | undefined =>
  parts.findLast(({ start }) => start <= place) ?? parts[0];

function addressOf(parts: readonly Part[], place: number): string {
  const part = partAt(parts, place);
  return part ? `${part.path}#${anchorId(place)}` : '#';
}

function withAnchors({ start, bytes }: Part, wanted: ReadonlySet<number>): Buffer {
  const raw = bytes.toString('latin1');
  const body = Math.max(0, raw.indexOf('>', raw.search(/<body[\s>]/i)) + 1);
  const pieces: Buffer[] = [];
  let done = 0;
  const inside = [...wanted].filter((place) => place >= start && place < start + bytes.length);
  for (const place of inside.sort((one, other) => one - other)) {
    const at = Math.max(done, body, outsideTag(raw, place - start));
    pieces.push(bytes.subarray(done, at), Buffer.from(`<a id="${anchorId(place)}"></a>`));
    done = at;
  }
  pieces.push(bytes.subarray(done));
  return Buffer.concat(pieces);
}

function ncxContents(
  header: MobiHeader,
  index: MobiIndex | undefined,
  parts: readonly Part[],
  placeOf: (fragment: number, offset: number) => number | undefined,
): { entries: ContentsEntry[]; places: number[] } {
  const places: number[] = [];
  const made: (ContentsEntry & { depth: number })[] = [];
  const entries: ContentsEntry[] = [];
  for (const { tags } of index?.entries ?? []) {
    const [fragment = 0, offset = 0] = tags.get(TAG.position) ?? [];
    const place = placeOf(fragment, offset);
    const text = tags.get(TAG.title)?.[0];
    if (place === undefined || text === undefined || !index) {
      made.push({ title: '', target: '', children: [], depth: 0 });
      continue;
    }
    places.push(place);
    const title = header.decoder.decode(index.text(text)).trim();
    const entry = {
      title,
      target: addressOf(parts, place),
      children: [],
      depth: tags.get(TAG.depth)?.[0] ?? 0,
    };
    made.push(entry);
    const parent = made[tags.get(TAG.parent)?.[0] ?? -1];
    // Parents come before their children, or an entry would hang below itself.
    if (parent && parent !== entry && parent.depth < entry.depth) parent.children.push(entry);
    else entries.push(entry);
  }
  return { entries, places };
}
