// Small files that are lawful in every respect are read here: for these, handing each object to the library and back
// takes longer than all the rest. Whatever leaves a doubt (damage, encryption) is not read at all: the library has seen
// more than we have.
import { LIMITS } from '../../contract/limits.ts';
import { Dict, isName, type PdfValue, Ref } from '../../pdf/objects.ts';
import { type PlacedRef, parseObjectAt, skipWhite } from '../../pdf/syntax.ts';
import { Doubt, type Entry, readTables, streamBytes, sure, type Tables, unpack } from './sound-tables.ts';

/** Larger files are better read object by object, when one is asked for. */
const MAX_BYTES = LIMITS.messageBytes;
const MAX_TREE_DEPTH = 50;

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
  /** The highest number any object of the file has, those that belong to the file alone included. */
  highest: number;
  /** Whether objects stand in streams. */
  packed: boolean;
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

class Reader {
  private readonly bytes: Uint8Array;
  private readonly source: string;
  private readonly tables: Tables;
  private readonly objects = new Map<number, ReadObject>();
  private readonly begun = new Set<number>();
  /** The texts of streams of objects, and where in them each object begins. */
  private readonly containers = new Map<number, { text: string; places: [number, number][] }>();

  constructor(bytes: Uint8Array, source: string) {
    this.bytes = bytes;
    this.source = source;
    this.tables = readTables(bytes, source);
  }

  file(version: string): SoundFile {
    const { entries, trailer } = this.tables;
    for (const [number, entry] of entries) if (entry) this.object(number, entry);
    for (const [number, object] of this.objects) if (isOfTheFile(object)) this.objects.delete(number);
    for (const { refs } of this.objects.values()) for (const { ref } of refs) this.found(ref);
    for (const value of ofTheDocument(trailer).values()) if (value instanceof Ref) this.found(value);
    const root = trailer.get('Root');
    const catalog = this.dict(root);
    sure(isName(catalog.get('Type'), 'Catalog'));
    return {
      bytes: this.bytes,
      version,
      trailer,
      root: root as Ref,
      objects: this.objects,
      highest: Math.max(...entries.keys()),
      packed: this.containers.size > 0,
      pages: this.pages(catalog.get('Pages')),
    };
  }

  private object(number: number, entry: Entry): ReadObject {
    const known = this.objects.get(number);
    if (known) return known;
    // The length of a stream may lead back to the stream.
    sure(!this.begun.has(number));
    this.begun.add(number);
    const made = 'container' in entry ? this.packedObject(number, entry) : this.plainObject(number, entry);
    this.objects.set(number, made);
    return made;
  }

  private plainObject(
    number: number,
    { offset, generation }: Extract<Entry, { offset: number }>,
  ): ReadObject {
    const head = `${number} ${generation} obj`;
    sure(this.source.startsWith(head, offset));
    sure(/[\s<[(/]/.test(this.source.charAt(offset + head.length)));
    const { made, end } = objectAt(this.source, offset + head.length, new Ref(number, generation));
    const after = skipWhite(this.source, end);
    if (/^endobj\s/.test(this.source.slice(after, after + 7))) return made;
    const dict = sure(made.value instanceof Dict && made.value);
    // What lies in another file is for the library.
    sure(!dict.has('F'));
    return { ...made, data: streamBytes(this.bytes, this.source, end, this.length(dict.get('Length'))) };
  }

  private packedObject(number: number, { container, index }: Extract<Entry, { index: number }>): ReadObject {
    const { text, places } = this.container(container);
    const [held, at] = sure(places[index]);
    sure(held === number);
    const { made, end } = objectAt(text, at, new Ref(number));
    const next = places[index + 1]?.[1] ?? text.length;
    sure(end <= next && skipWhite(text, end) >= next);
    return made;
  }

  private container(number: number): { text: string; places: [number, number][] } {
    const known = this.containers.get(number);
    if (known) return known;
    const entry = sure(this.tables.entries.get(number));
    sure('offset' in entry);
    const { value, data } = this.object(number, entry);
    const dict = sure(value instanceof Dict && isName(value.get('Type'), 'ObjStm') && value);
    const text = Buffer.from(unpack(dict, sure(data))).toString('latin1');
    const [count, first] = [dict.get('N'), dict.get('First')];
    sure(typeof count === 'number' && typeof first === 'number' && !dict.has('Extends'));
    const head = text.slice(0, first as number);
    sure(/^[\d\s]*$/.test(head));
    const numbers = head.trim().split(/\s+/).map(Number);
    sure(numbers.length === 2 * (count as number));
    const places: [number, number][] = [];
    for (let at = 0; at < numbers.length; at += 2)
      places.push([numbers[at] as number, (first as number) + (numbers[at + 1] as number)]);
    sure(places.every(([, at], index) => index === 0 || at > (places[index - 1]?.[1] ?? 0)));
    const made = { text, places };
    this.containers.set(number, made);
    return made;
  }

  private length(value: PdfValue | undefined): PdfValue | undefined {
    if (!(value instanceof Ref)) return value;
    const entry = sure(this.tables.entries.get(value.number));
    sure('container' in entry ? value.generation === 0 : entry.generation === value.generation);
    return this.object(value.number, entry).value;
  }

  /** References that lead nowhere, or to null, stand for nothing at all; the library reads these. */
  private found(ref: Ref): ReadObject {
    const found = sure(this.objects.get(ref.number));
    sure(found.ref.generation === ref.generation && found.value !== null);
    return found;
  }

  private dict(value: PdfValue | undefined): Dict {
    const found = this.found(sure(value instanceof Ref && value));
    return sure(found.value instanceof Dict && !found.data && found.value);
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
      const kids = sure(node.get('Kids'));
      sure(isName(node.get('Type'), 'Pages') && Array.isArray(kids));
      for (const kid of kids as PdfValue[]) visit(kid, ref as Ref, depth + 1);
    };
    visit(tree ?? null, undefined, 0);
    sure(found.length > 0);
    return found;
  }
}

function objectAt(source: string, from: number, ref: Ref): { made: ReadObject; end: number } {
  const start = skipWhite(source, from);
  const { value, end, sound, refs } = parseObjectAt(source, start);
  sure(sound && !(value instanceof Ref));
  const placed = refs.map(({ ref: each, from: at, to }) => ({ ref: each, from: at - start, to: to - start }));
  return { made: { ref, value, text: source.slice(start, end), refs: placed }, end };
}

/** Streams that tell where objects stand, or hold them: the document does not know them. */
const isOfTheFile = ({ value, data }: ReadObject): boolean =>
  data !== undefined &&
  value instanceof Dict &&
  (isName(value.get('Type'), 'ObjStm') || isName(value.get('Type'), 'XRef'));

/** Entries of a trailer that tell of the file, not of the document; some writers leave those of other ways to write it. */
const OF_THE_FILE: ReadonlySet<string> = new Set(
  'Size Prev Type W Index Length Filter DecodeParms'.split(' '),
);

/** What a trailer says of the document, however the file is written. */
export const ofTheDocument = (trailer: Dict): Dict =>
  new Dict([...trailer].filter(([key]) => !OF_THE_FILE.has(key)));
