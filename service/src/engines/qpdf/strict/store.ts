// Keeps the objects of a sound file in the words of the file: what nobody changes is written as it was.
import { Problem } from '../../../contract/problems.ts';
import { Dict, type PdfObject, type PdfValue, Ref, Stream } from '../../../pdf/objects.ts';
import { parseObject } from '../../../pdf/syntax/object-syntax.ts';
import type { Store } from '../store.ts';
import type { StrictFile } from './parser.ts';
import type { Source } from './source.ts';
import { REF_FIELDS, type StrictObject, textOf } from './strict-object.ts';

/** An object in the words it came with. */
export interface Written {
  object: StrictObject;
  /** The number here of what the object calls by a number; 0 for nothing. Without this, it is the same. */
  meaning?: (number: number) => number;
}

export class StrictStore implements Store {
  readonly catalogRef: Ref;
  readonly headerVersion: string;
  readonly file: StrictFile;
  /** What was set in the trailer since the file was read. */
  readonly newTrailer = new Map<string, PdfValue | undefined>();
  /** Objects taken in from other documents, by their number here. */
  readonly taken = new Map<number, Written>();
  readonly newData = new Map<number, Uint8Array>();
  private readonly trailerDict: Dict;
  private last: number;
  private surveyed = false;
  private room = new Uint32Array(0);

  constructor(file: StrictFile) {
    this.file = file;
    this.catalogRef = file.root;
    this.headerVersion = file.version;
    this.trailerDict = new Dict(file.trailer);
    this.last = file.highest;
  }

  get source(): Source {
    return this.file.source;
  }

  trailer(): Dict {
    return this.trailerDict;
  }

  setTrailer(key: string, value: PdfValue | undefined): void {
    this.newTrailer.set(key, value);
    if (value === undefined) this.trailerDict.delete(key);
    else this.trailerDict.set(key, value);
  }

  load(ref: Ref): PdfObject {
    const written = this.written(ref);
    if (!written) return null;
    const { object } = written;
    const value = parseObject(written.meaning ? textHere(written) : textOf(object));
    if (!written.meaning && this.hasDangling(object)) this.dropDangling(value);
    return object.data && value instanceof Dict ? new Stream(value) : value;
  }

  private hasDangling({ refs }: StrictObject): boolean {
    for (let index = 0; index < refs.length; index += REF_FIELDS)
      if (refs[index] === 0 || !this.file.ofDocument(refs[index] as number)) return true;
    return false;
  }

  /** As the library has it: an entry that leads nowhere is none. */
  private dropDangling(value: PdfValue): void {
    if (Array.isArray(value)) for (const item of value) this.dropDangling(item);
    if (!(value instanceof Dict)) return;
    for (const [key, item] of value) {
      if (item instanceof Ref && !this.file.find(item)) value.delete(key);
      else this.dropDangling(item);
    }
  }

  loadPages(): Ref[] {
    return [...this.file.pages];
  }

  reserve(): Ref {
    this.last += 1;
    return new Ref(this.last);
  }

  addStream(bytes: Uint8Array): Ref {
    const ref = this.reserve();
    this.newData.set(ref.number, bytes);
    return ref;
  }

  replaceStreamData(ref: Ref, bytes: Uint8Array): void {
    this.newData.set(ref.number, bytes);
  }

  rawStreamData(ref: Ref): Uint8Array {
    const changed = this.newData.get(ref.number);
    if (changed) return changed;
    const data = this.written(ref)?.object.data;
    return data ? data.source.slice(data.from, data.to) : new Uint8Array();
  }

  /** The object in the words it came with. */
  written(ref: Ref): Written | undefined {
    const taken = this.taken.get(ref.number);
    if (taken) return ref.generation === 0 ? taken : undefined;
    const object = this.file.find(ref);
    return object && { object };
  }

  /** As `written`, for a number that stands in an object. */
  writtenAt(number: number): Written | undefined {
    const taken = this.taken.get(number);
    if (taken) return taken;
    const object = number <= this.file.highest ? this.file.ofDocument(number) : undefined;
    return object && { object };
  }

  generationOf(number: number): number {
    return this.file.generationOf(number);
  }

  /** Takes in an object written elsewhere, under a number that was reserved for it. */
  take(number: number, written: Written): void {
    this.taken.set(number, written);
  }

  /** Reads all that the document reaches: from then on no object leaves a doubt. */
  survey(): void {
    if (this.surveyed) return;
    const seen = new Uint8Array(this.file.highest + 1);
    const waiting = refsIn(this.file.trailer).map(({ number }) => number);
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (number > this.file.highest || seen[number] === 1) continue;
      seen[number] = 1;
      const { refs } = this.file.ofDocument(number) ?? { refs: [] };
      for (let index = 0; index < refs.length; index += REF_FIELDS) waiting.push(refs[index] as number);
    }
    this.surveyed = true;
  }

  /** Zeros, one for each number given so far. Whoever changes some puts zeros back: the next one gets the same. */
  zeros(): Uint32Array {
    if (this.room.length <= this.last) this.room = new Uint32Array(2 * (this.last + 1));
    return this.room;
  }

  /** The highest number given so far. */
  get lastNumber(): number {
    return this.last;
  }

  close(): void {}
}

/** The text of an object, with the numbers that hold here. */
function textHere({ object, meaning }: Written): string {
  const { refs } = object;
  const text = textOf(object);
  let made = '';
  let at = 0;
  for (let index = 0; index < refs.length; index += REF_FIELDS) {
    const number = meaning ? meaning(refs[index] as number) : (refs[index] as number);
    made += text.slice(at, refs[index + 1]);
    made += number === 0 ? 'null' : `${number} 0 R`;
    at = refs[index + 2] as number;
  }
  return made + text.slice(at);
}

/** All references in a value, however deep. */
export function refsIn(object: PdfObject, found: Ref[] = []): Ref[] {
  if (object instanceof Ref) found.push(object);
  else if (Array.isArray(object)) for (const item of object) refsIn(item, found);
  else if (object instanceof Dict) for (const item of object.values()) refsIn(item, found);
  else if (object instanceof Stream) refsIn(object.dict, found);
  return found;
}

/** Readers give up on what nests deeper. */
const MAX_DEPTH = 500;

/** A copy of a value with other references in it. */
export function valueWithRefs(value: PdfValue, other: (ref: Ref) => Ref | null, depth = 0): PdfValue {
  if (value instanceof Ref) return other(value);
  if (depth > MAX_DEPTH) throw new Problem('invalid_pdf', 'An object of the document nests too deep.');
  if (Array.isArray(value)) return value.map((item) => valueWithRefs(item, other, depth + 1));
  if (!(value instanceof Dict)) return value;
  const made = new Dict();
  for (const [key, item] of value) {
    const copy = valueWithRefs(item, other, depth + 1);
    if (copy !== null) made.set(key, copy);
  }
  return made;
}
