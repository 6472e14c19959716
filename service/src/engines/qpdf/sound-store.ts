// Keeps the objects of a small sound file in memory, in the words of the file: what nobody changes is written as it was.
import { Problem } from '../../contract/problems.ts';
import { Dict, type PdfObject, type PdfValue, Ref, Stream } from '../../pdf/objects.ts';
import { type PlacedRef, parseObject } from '../../pdf/syntax.ts';
import type { SoundFile, SoundObject } from './sound-file.ts';
import type { Store } from './store.ts';

export class SoundStore implements Store {
  readonly catalogRef: Ref;
  readonly headerVersion: string;
  /** Whether the file keeps objects in streams. */
  readonly packed: boolean;
  private readonly objects = new Map<string, SoundObject>();
  private readonly newData = new Map<string, Uint8Array>();
  private readonly trailerDict: Dict;
  private readonly pages: readonly Ref[];
  private last: number;

  constructor({ root, version, objects, highest, packed, trailer, pages }: SoundFile) {
    this.catalogRef = root;
    this.headerVersion = version;
    this.packed = packed;
    this.trailerDict = trailer;
    this.pages = pages;
    this.last = highest;
    for (const object of objects.values()) this.objects.set(object.ref.key, object);
  }

  trailer(): Dict {
    return this.trailerDict;
  }

  setTrailer(key: string, value: PdfValue | undefined): void {
    if (value === undefined) this.trailerDict.delete(key);
    else this.trailerDict.set(key, value);
  }

  load(ref: Ref): PdfObject {
    const found = this.objects.get(ref.key);
    if (!found) return null;
    const value = found.value ?? parseObject(found.text);
    return found.data && value instanceof Dict ? new Stream(value) : value;
  }

  loadPages(): Ref[] {
    return [...this.pages];
  }

  reserve(): Ref {
    this.last += 1;
    return new Ref(this.last);
  }

  addStream(bytes: Uint8Array): Ref {
    const ref = this.reserve();
    this.newData.set(ref.key, bytes);
    return ref;
  }

  replaceStreamData(ref: Ref, bytes: Uint8Array): void {
    this.newData.set(ref.key, bytes);
  }

  rawStreamData({ key }: Ref): Uint8Array {
    return this.newData.get(key) ?? this.objects.get(key)?.data ?? new Uint8Array();
  }

  /** The object in the words it came with. */
  written({ key }: Ref): SoundObject | undefined {
    return this.objects.get(key);
  }

  /** Takes in an object written elsewhere, under a number that was reserved for it. */
  take(object: SoundObject): void {
    this.objects.set(object.ref.key, object);
  }

  refs(): Ref[] {
    return [...this.objects.values()].map(({ ref }) => ref);
  }

  /** The highest number given so far. */
  lastRef(): Ref {
    return new Ref(this.last);
  }

  close(): void {}
}

/** A text with other references in it; null where there is nothing to refer to. */
export function withRefs(
  text: string,
  refs: readonly PlacedRef[],
  other: (ref: Ref) => Ref | null,
): { text: string; refs: PlacedRef[] } {
  let made = '';
  let at = 0;
  const placed: PlacedRef[] = [];
  for (const { ref, from, to } of refs) {
    made += text.slice(at, from);
    at = to;
    const target = other(ref);
    const start = made.length;
    made += target ? `${target.key} R` : 'null';
    if (target) placed.push({ ref: target, from: start, to: made.length });
  }
  return { text: made + text.slice(at), refs: placed };
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
