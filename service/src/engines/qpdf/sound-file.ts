// Small files that are lawful in every respect are read here: for these, handing each object to the library and back
// takes longer than all the rest. Whatever leaves a doubt (damage, encryption, packed objects) is not read at all:
// the library has seen more than we have.
import { LIMITS } from '../../contract/limits.ts';
import { Dict, isName, type PdfValue, Ref } from '../../pdf/objects.ts';
import { type PlacedRef, parseObjectAt, skipWhite } from '../../pdf/syntax.ts';

/** Larger files are better read object by object, when one is asked for. */
const MAX_BYTES = LIMITS.messageBytes;
const MAX_OBJECTS = 5000;
const MAX_TREE_DEPTH = 50;
const MAX_REVISIONS = 20;
/** How far from the end of the file its last words may stand. */
const LAST_WORDS = 1024;

/** An object as a file writes it. */
export interface SoundObject {
  ref: Ref;
  /** Of a stream: that of its dictionary. */
  text: string;
  /** The references in the text. */
  refs: readonly PlacedRef[];
  /** What the text says, where it was read already. */
  value?: PdfValue;
  /** The data of a stream, as stored. */
  data?: Uint8Array;
}

interface ReadObject extends SoundObject {
  value: PdfValue;
}

export interface SoundFile {
  bytes: Uint8Array;
  /** The version in the header, such as 1.4. */
  version: string;
  trailer: Dict;
  root: Ref;
  objects: ReadonlyMap<number, SoundObject>;
  pages: Ref[];
}

/** The file, or undefined where there is any doubt about it. */
export function readSoundFile(bytes: Uint8Array): SoundFile | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const version = /^%PDF-(1\.[0-7]|2\.0)[\r\n]/.exec(source)?.[1];
  if (version === undefined) return undefined;
  try {
    return new Reader(bytes, source).file(version);
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

class Doubt extends Error {}

function sure<T>(value: T | undefined | false): T {
  if (value === undefined || value === false) throw new Doubt();
  return value;
}

interface Entry {
  offset: number;
  generation: number;
}

class Reader {
  private readonly bytes: Uint8Array;
  private readonly source: string;
  private readonly entries = new Map<number, Entry | undefined>();
  private readonly objects = new Map<number, ReadObject>();

  constructor(bytes: Uint8Array, source: string) {
    this.bytes = bytes;
    this.source = source;
  }

  file(version: string): SoundFile {
    const trailer = this.readTables();
    for (const [number, entry] of this.entries) if (entry) this.object(number, entry);
    for (const { refs } of this.objects.values()) for (const { ref } of refs) this.found(ref);
    const root = trailer.get('Root');
    sure(root instanceof Ref);
    const catalog = this.dict(root as Ref);
    sure(isName(catalog.get('Type'), 'Catalog'));
    const pages = this.pages(catalog.get('Pages'));
    const own = new Dict([...trailer].filter(([key]) => !OF_THE_FILE.has(key)));
    for (const value of own.values()) if (value instanceof Ref) this.found(value);
    return { bytes: this.bytes, version, trailer: own, root: root as Ref, objects: this.objects, pages };
  }

  /** The cross-reference tables, newest first: what a newer one says of an object holds. Returns the newest trailer. */
  private readTables(): Dict {
    const tail = this.source.slice(-LAST_WORDS);
    const end = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail);
    let place: PdfValue | undefined = Number(sure(end ?? undefined)[1]);
    let newest: Dict | undefined;
    const seen = new Set<number>();
    while (place !== undefined) {
      sure(typeof place === 'number' && !seen.has(place) && seen.size < MAX_REVISIONS);
      seen.add(place as number);
      const trailer = this.table(place as number);
      newest ??= trailer;
      place = trailer.get('Prev');
    }
    const trailer = sure(newest);
    sure(!trailer.has('Encrypt') && trailer.get('Size') === Math.max(...this.entries.keys()) + 1);
    return trailer;
  }

  private table(offset: number): Dict {
    const { source } = this;
    const word = /xref[ \t]*(?:\r\n|\n|\r)/y;
    word.lastIndex = offset;
    sure(word.test(source));
    const section = /[ \t]*(\d{1,7}) +(\d{1,7})[ \t]*(?:\r\n|\n|\r)/y;
    let at = word.lastIndex;
    for (;;) {
      section.lastIndex = at;
      const head = section.exec(source);
      if (!head) break;
      at = this.section(Number(head[1]), Number(head[2]), at + head[0].length);
    }
    at = skipWhite(source, at);
    sure(source.startsWith('trailer', at));
    const { value, sound } = parseObjectAt(source, at + 'trailer'.length);
    sure(sound && value instanceof Dict && value.has('Size'));
    sure(!(value as Dict).has('XRefStm'));
    return value as Dict;
  }

  private section(first: number, count: number, from: number): number {
    sure(first + count <= MAX_NUMBER && this.entries.size + count <= MAX_OBJECTS);
    for (let index = 0; index < count; index += 1) {
      const line = this.source.slice(from + index * 20, from + index * 20 + 20);
      const [, offset, generation, kind] = sure(ENTRY.exec(line) ?? undefined);
      const number = first + index;
      if (this.entries.has(number)) continue;
      const inUse = kind === 'n' && number > 0;
      sure(kind === 'f' || inUse);
      this.entries.set(
        number,
        inUse ? { offset: Number(offset), generation: Number(generation) } : undefined,
      );
    }
    return from + count * 20;
  }

  private object(number: number, { offset, generation }: Entry): ReadObject {
    const known = this.objects.get(number);
    if (known) return known;
    const head = `${number} ${generation} obj`;
    sure(this.source.startsWith(head, offset));
    sure(/[\s<[(/]/.test(this.source.charAt(offset + head.length)));
    const start = skipWhite(this.source, offset + head.length);
    const { value, end, sound, refs } = parseObjectAt(this.source, start);
    sure(sound && !(value instanceof Ref));
    const made: ReadObject = {
      ref: new Ref(number, generation),
      value,
      text: this.source.slice(start, end),
      refs: refs.map(({ ref, from, to }) => ({ ref, from: from - start, to: to - start })),
    };
    const after = skipWhite(this.source, end);
    if (!/^endobj\s/.test(this.source.slice(after, after + 7))) {
      sure(value instanceof Dict && this.source.startsWith('stream', after));
      made.data = this.data(value as Dict, after + 'stream'.length);
    }
    this.objects.set(number, made);
    return made;
  }

  private data(dict: Dict, after: number): Uint8Array {
    const { source } = this;
    // What is packed away here, or lies in another file, is for the library.
    sure(!dict.has('F') && !isName(dict.get('Type'), 'ObjStm') && !isName(dict.get('Type'), 'XRef'));
    const start = source.startsWith('\r\n', after) ? after + 2 : sure(source[after] === '\n' && after + 1);
    const length = this.length(dict.get('Length'));
    const end = start + length;
    const words = /(?:\r\n|\n|\r)?endstream\s+endobj\s/y;
    words.lastIndex = end;
    sure(words.test(source));
    return this.bytes.subarray(start, end);
  }

  private length(value: PdfValue | undefined): number {
    let length: PdfValue | undefined = value;
    if (value instanceof Ref) {
      const entry = sure(this.entries.get(value.number));
      sure(entry.generation === value.generation);
      length = this.object(value.number, entry).value;
    }
    sure(typeof length === 'number' && Number.isInteger(length) && length >= 0);
    return length as number;
  }

  /** References that lead nowhere are read as null; the library does that. */
  private found(ref: Ref): ReadObject {
    const found = sure(this.objects.get(ref.number));
    sure(found.ref.generation === ref.generation);
    return found;
  }

  private dict(value: PdfValue | undefined): Dict {
    const found = this.found(sure(value instanceof Ref && value));
    sure(found.value instanceof Dict && !found.data);
    return found.value as Dict;
  }

  /** A tree in which every page is an object of its own, stands once, and knows what is above it. */
  private pages(tree: PdfValue | undefined): Ref[] {
    const found: Ref[] = [];
    const seen = new Set<number>();
    const visit = (ref: PdfValue, parent: Ref | undefined, depth: number): void => {
      const node = this.dict(ref);
      const { number } = ref as Ref;
      sure(depth < MAX_TREE_DEPTH && !seen.has(number));
      seen.add(number);
      const above = node.get('Parent');
      sure(parent ? above instanceof Ref && above.key === parent.key : above === undefined);
      if (depth > 0 && isName(node.get('Type'), 'Page') && !node.has('Kids')) {
        found.push(ref as Ref);
        return;
      }
      const kids = node.get('Kids');
      sure(isName(node.get('Type'), 'Pages') && Array.isArray(kids));
      for (const kid of kids as PdfValue[]) visit(kid, ref as Ref, depth + 1);
    };
    visit(tree ?? null, undefined, 0);
    sure(found.length > 0);
    return found;
  }
}

/** Entries of a trailer that tell of the file, not of the document; some writers leave those of other ways to write it. */
export const OF_THE_FILE: ReadonlySet<string> = new Set(
  'Size Prev Type W Index Length Filter DecodeParms'.split(' '),
);
const ENTRY = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/;
/** Readers give up on higher object numbers. */
const MAX_NUMBER = 1_000_000;
