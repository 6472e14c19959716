// A file that is lawful in every respect is read here, each object when it is asked for: handing objects to the library
// and back takes longer than all the rest. Where anything leaves a doubt (damage, encryption), the library takes over:
// it has seen more than we have.
import { Dict, isName, type PdfValue, Ref } from '../../../pdf/objects.ts';
import { parseObject } from '../../../pdf/syntax/object-syntax.ts';
import { Doubt, isAt, Scan, skipWhite, sure } from './object-scan.ts';
import { type Container, containerOf } from './object-stream.ts';
import type { Source } from './source.ts';
import { afterHead, type DataPlace, isNull, isSpace, type StrictObject, textOf } from './strict-object.ts';
import {
  BLOCKED,
  dataPlace,
  type Entries,
  FREE,
  inWindow,
  PACKED,
  PLAIN,
  readTables,
  unpack,
} from './xref-tables.ts';

const MAX_TREE_DEPTH = 50;
/** What all streams of objects may unpack to. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Most objects are shorter, and so are the dictionaries of streams. */
const FIRST_WINDOW = 2048;

/** The file, or undefined where there is doubt about how its objects and its pages are found. */
export function readStrictly(source: Source): StrictFile | undefined {
  const head = Buffer.from(source.slice(0, Math.min(9, source.size))).toString('latin1');
  const version = /^%PDF-(1\.[0-7]|2\.0)[\r\n]/.exec(head)?.[1];
  if (version === undefined) return undefined;
  try {
    return new StrictFile(source, version);
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

/** Everything but the way to the pages is read later: whoever asks for an object may meet a `Doubt`. */
export class StrictFile {
  readonly source: Source;
  /** The version in the header, such as 1.4. */
  readonly version: string;
  readonly trailer: Dict;
  readonly root: Ref;
  /** The highest number any object of the file has, those that belong to the file alone included. */
  readonly highest: number;
  readonly pages: readonly Ref[];
  /** Whether objects stand in streams. */
  readonly packed: boolean;
  /** Every node of the page tree tells how many pages are below it, and tells the truth. */
  isTreeTrue = true;
  private readonly entries: Entries;
  private readonly objects: (StrictObject | undefined)[] = [];
  private readonly begun = new Set<number>();
  /** The texts of streams of objects, and where in them each object begins. */
  private readonly containers = new Map<number, Container>();
  private readonly scan = new Scan();
  private unpackedBytes = 0;
  private scannedBytes = 0;

  constructor(source: Source, version: string) {
    this.source = source;
    this.version = version;
    const { entries, trailer } = readTables(source);
    this.entries = entries;
    this.trailer = trailer;
    this.highest = entries.size - 1;
    this.packed = entries.kinds.includes(PACKED);
    for (const value of ofTheDocument(trailer).values())
      if (value instanceof Ref) this.numberOf(value.number, value.generation);
    const root = sure(trailer.get('Root'));
    this.root = sure(root instanceof Ref && root);
    const catalog = this.dict(this.root);
    sure(isName(catalog.get('Type'), 'Catalog'));
    this.pages = this.readPages(catalog.get('Pages'));
    source.expectMost();
  }

  /** For each stream of objects, one that stands in it. */
  onePackedOfEach(): Ref[] {
    const { kinds, seconds } = this.entries;
    const found = new Map<number, Ref>();
    kinds.forEach((kind, number) => {
      const stream = seconds[number] as number;
      if (kind === PACKED && !found.has(stream)) found.set(stream, new Ref(number));
    });
    return [...found.values()];
  }

  /** The object with the number; undefined where there is none. */
  object(number: number): StrictObject | undefined {
    const known = this.objects[number];
    if (known) return known;
    const kind = this.entries.kinds[number];
    sure(kind !== BLOCKED);
    if (kind !== PLAIN && kind !== PACKED) return undefined;
    // The length of a stream may lead back to the stream.
    sure(!this.begun.has(number));
    this.begun.add(number);
    const made = kind === PLAIN ? this.plainObject(number) : this.packedObject(number);
    this.begun.delete(number);
    if (isNull(made)) this.entries.kinds[number] = FREE;
    else this.objects[number] = made;
    return this.objects[number];
  }

  /** The object of the document that a reference leads to. */
  find({ number, generation }: Ref): StrictObject | undefined {
    const isThere = number < this.entries.size && generation === this.generationOf(number);
    return isThere ? this.ofDocument(number) : undefined;
  }

  /** As `object`, for streams that tell where objects stand, or hold them, the document does not know. */
  ofDocument(number: number): StrictObject | undefined {
    const found = this.object(number);
    sure(!found?.data || (found.type !== 'ObjStm' && found.type !== 'XRef'));
    return found;
  }

  /** Which generation of references leads to the number. */
  generationOf(number: number): number {
    return number < this.entries.size ? this.entries.generationAt(number) : 0;
  }

  /** The number of what a reference leads to; 0 for nothing. */
  private numberOf(number: number, generation: number): number {
    // Numbers beyond the tables will be given to new objects.
    sure(number > 0 && number < this.entries.size);
    const kind = this.entries.kinds[number];
    if (kind === PLAIN) return this.entries.thirds[number] === generation ? number : 0;
    return (kind === PACKED || kind === BLOCKED) && generation === 0 ? number : 0;
  }

  private plainObject(number: number): StrictObject {
    const { source, entries } = this;
    const offset = entries.seconds[number] as number;
    const ref = new Ref(number, entries.thirds[number]);
    sure(offset < source.size);
    return inWindow(source, offset, FIRST_WINDOW, ({ bytes, at, isLast }) => {
      const from = skipWhite(bytes, afterHead(bytes, at, ref));
      this.scanAt(bytes, from);
      const { end, lengthAt, isDict, isElsewhere } = this.scan;
      const after = skipWhite(bytes, end);
      sure(isLast || after + 'endstream '.length <= bytes.length);
      const text = isLast ? bytes : Buffer.from(bytes.subarray(from, end));
      const made = this.scanned(ref, text, isLast ? from : 0, end - from);
      if (isAt(bytes, after, 'endobj') && isSpace(bytes[after + 6])) return made;
      // What lies in another file is for the library.
      sure(isDict && lengthAt >= 0 && !isElsewhere);
      const length = sure(this.lengthOf(bytes.toString('latin1', lengthAt, end)));
      const place = dataPlace(source, bytes, end, offset - at, length);
      made.data = { source, from: place.from, to: place.to };
      return made;
    });
  }

  /** Objects may overlap, as strings in strings do: all of them together must not be longer than the file. */
  private scanAt(bytes: Uint8Array, from: number): void {
    this.scan.object(bytes, from);
    this.scannedBytes += this.scan.end - from;
    sure(this.scannedBytes <= 2 * this.source.size + this.unpackedBytes);
  }

  private scanned(ref: Ref, bytes: Buffer, from: number, length: number): StrictObject {
    const { refs, type, hasFilter, hasKids, parentAt, thumbAt, end } = this.scan;
    const start = end - length;
    let parentPlace = -1;
    let thumbPlace = -1;
    const placed: number[] = [];
    for (let index = 0; index < refs.length; index += 4) {
      if (refs[index + 2] === parentAt) parentPlace = placed.length;
      if (refs[index + 2] === thumbAt) thumbPlace = placed.length;
      const number = this.numberOf(refs[index] as number, refs[index + 1] as number);
      placed.push(number, (refs[index + 2] as number) - start, (refs[index + 3] as number) - start);
    }
    const parent = parentPlace >= 0 ? (placed[parentPlace] as number) : parentAt < 0 ? 0 : -1;
    const made = { ref, bytes, from, to: from + length, refs: placed, data: undefined };
    return { ...made, type, hasFilter, hasKids, parent, parentPlace, thumbPlace };
  }

  /** The number that stands, or is referred to, at the beginning of a text. */
  private lengthOf(text: string): number | undefined {
    const told = /^(\d{1,10})(?:\s+(\d{1,5})\s+R(?![^\s()<>[\]{}/%]))?/.exec(text);
    if (!told) return undefined;
    if (told[2] === undefined) return Number(told[1]);
    const number = this.numberOf(Number(told[1]), Number(told[2]));
    const { bytes, from, to } = sure(this.object(number));
    const value = bytes.toString('latin1', from, to);
    return /^\d{1,10}$/.test(value) ? Number(value) : undefined;
  }

  private packedObject(number: number): StrictObject {
    const { bytes, numbers, places } = this.container(this.entries.seconds[number] as number);
    const index = this.entries.thirds[number] as number;
    sure(index < numbers.length && numbers[index] === number);
    const from = skipWhite(bytes, places[index] as number);
    this.scanAt(bytes, from);
    const { end } = this.scan;
    const next = places[index + 1] ?? bytes.length;
    sure(end <= next && skipWhite(bytes, end) >= next);
    return this.scanned(new Ref(number), bytes, from, end - from);
  }

  private container(number: number): Container {
    const known = this.containers.get(number);
    if (known) return known;
    sure(this.entries.kinds[number] === PLAIN);
    const { data, type, ...object } = sure(this.object(number));
    sure(data && type === 'ObjStm');
    const dict = parseObject(textOf({ ...object, data, type })) as Dict;
    const stored = (data as DataPlace).source.slice((data as DataPlace).from, (data as DataPlace).to);
    const unpacked = unpack(dict, stored, MAX_UNPACKED_BYTES - this.unpackedBytes);
    this.unpackedBytes += unpacked.length;
    const made = containerOf(dict, Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.length));
    this.containers.set(number, made);
    return made;
  }

  private dict(value: PdfValue | undefined): Dict {
    const found = sure(this.find(sure(value instanceof Ref && value)));
    sure(!found.data);
    const parsed = parseObject(textOf(found));
    return sure(parsed instanceof Dict && parsed);
  }

  /** A tree in which every page is an object of its own, stands once, and knows what is above it. */
  private readPages(tree: PdfValue | undefined): Ref[] {
    const found: Ref[] = [];
    const seen = new Uint8Array(this.entries.size);
    const visit = (ref: PdfValue, parent: number, depth: number): void => {
      const node = sure(this.find(sure(ref instanceof Ref && ref)));
      const { number } = node.ref;
      sure(depth < MAX_TREE_DEPTH && seen[number] === 0 && !node.data && node.parent === parent);
      seen[number] = 1;
      if (depth > 0 && node.type === 'Page' && !node.hasKids) {
        found.push(node.ref);
        return;
      }
      const dict = this.dict(node.ref);
      const kids = sure(dict.get('Kids'));
      sure(node.type === 'Pages' && Array.isArray(kids));
      const before = found.length;
      for (const kid of kids as PdfValue[]) visit(kid, number, depth + 1);
      if (dict.get('Count') !== found.length - before) this.isTreeTrue = false;
    };
    visit(tree ?? null, 0, 0);
    sure(found.length > 0);
    return found;
  }
}

/** Entries of a trailer that tell of the file, not of the document; some writers leave those of other ways to write it. */
const OF_THE_FILE: ReadonlySet<string> = new Set(
  'Size Prev Type W Index Length Filter DecodeParms'.split(' '),
);

/** What a trailer says of the document, however the file is written. */
export const ofTheDocument = (trailer: Dict): Dict =>
  new Dict([...trailer].filter(([key]) => !OF_THE_FILE.has(key)));
