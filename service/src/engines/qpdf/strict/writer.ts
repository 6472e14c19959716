// Writes a sound document: what was not changed in the words it came with, the rest anew.

import { deflate } from '../../../pdf/filters/packing.ts';
import { type Dict, isName, name, type PdfObject, Ref, Stream } from '../../../pdf/objects.ts';
import { formatValue, formatWithRefs } from '../../../pdf/syntax/object-syntax.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { StrictEncryption } from './encryption.ts';
import { dataOf, type ObjectSink, PackedLayout, PlainLayout } from './object-layout.ts';
import { ofTheDocument } from './parser.ts';
import { refsIn, type StrictStore, valueWithRefs, type Written } from './store.ts';
import { REF_FIELDS } from './strict-object.ts';

export interface StrictState {
  store: StrictStore;
  /** The object as it is now, where it was changed. */
  changed(number: number): PdfObject | undefined;
  /** The data of a stream as it is now. */
  dataNow(number: number): Uint8Array;
}

export interface StrictOptions {
  /** In the header. */
  version: string;
  packObjects: boolean;
  encryption?: StrictEncryption | undefined;
}

/** What can be reached, numbered anew without gaps; objects packed, where they are to be. Where there is doubt, nothing is begun. */
export function writeSound(
  state: StrictState,
  { version, packObjects, encryption }: StrictOptions,
  begin: () => ByteWriter,
): ByteWriter {
  const trailer = ofTheDocument(state.store.trailer());
  const reached = reachedFrom(state, trailer);
  const numbers = state.store.zeros();
  reached.forEach((number, index) => {
    numbers[number] = index + 1;
  });
  try {
    const out = begin();
    const Layout = packObjects ? PackedLayout : PlainLayout;
    const layout = new Layout(out, version, reached.length, encryption);
    const renumber = renumbering(state, numbers);
    for (const number of reached) writeObject(layout, state, number, numbers, renumber);
    layout.end(valueWithRefs(trailer, renumber) as Dict);
    return out;
  } finally {
    for (const number of reached) numbers[number] = 0;
  }
}

/** The reference to the same object by its new number; null for what leads nowhere. */
export const renumbering =
  (state: StrictState, numbers: Uint32Array) =>
  (ref: Ref): Ref | null => {
    const number = leadsTo(state, ref) ? numbers[ref.number] : undefined;
    return number ? new Ref(number) : null;
  };

/** What a file takes beside its objects, and an object beside its text. */
const FILE_BYTES = 600;
const OBJECT_BYTES = 40;
/** What is left of the text of objects once they are packed. */
const PACKED_TEXT = 0.6;
/** The text of most objects that were changed. */
const CHANGED_BYTES = 200;

/** About how many bytes the document takes, its objects packed if they came so. Throws where there is doubt. */
export function weighSound(state: StrictState): number {
  let text = 0;
  let data = 0;
  for (const number of reachedFrom(state, ofTheDocument(state.store.trailer()))) {
    const now = state.changed(number);
    const written = now === undefined ? state.store.writtenAt(number)?.object : undefined;
    text += OBJECT_BYTES + (written ? written.to - written.from : CHANGED_BYTES);
    if (written?.data) data += written.data.to - written.data.from;
    else if (now instanceof Stream) data += state.dataNow(number).length;
  }
  return FILE_BYTES + data + (state.store.file.packed ? PACKED_TEXT : 1) * text;
}

/** Numbers of objects in their order, which is mostly that of the file. */
export function reachedFrom(state: StrictState, trailer: Dict): number[] {
  const seen = state.store.zeros();
  const reached: number[] = [];
  const visit = (number: number): void => {
    if (number === 0 || seen[number] !== 0 || !exists(state, number)) return;
    reached.push(number);
    seen[number] = 1;
  };
  try {
    for (const ref of [state.store.catalogRef, ...refsIn(trailer)])
      if (leadsTo(state, ref)) visit(ref.number);
    for (let index = 0; index < reached.length; index += 1) eachRef(state, reached[index] as number, visit);
  } finally {
    for (const number of reached) seen[number] = 0;
  }
  return reached.sort((a, b) => a - b);
}

/** Visits the number of each object that an object refers to; 0, or what is not there, may be among them. */
export function eachRef(state: StrictState, number: number, visit: (to: number) => void): void {
  const now = state.changed(number);
  if (now !== undefined) {
    for (const ref of refsIn(now)) if (leadsTo(state, ref)) visit(ref.number);
    return;
  }
  const { object, meaning } = state.store.writtenAt(number) as Written;
  const { refs } = object;
  for (let place = 0; place < refs.length; place += REF_FIELDS)
    visit(meaning ? meaning(refs[place] as number) : (refs[place] as number));
}

function exists({ store, changed }: StrictState, number: number): boolean {
  const now = changed(number);
  return now === undefined ? store.writtenAt(number) !== undefined : now !== null;
}

/** A reference with the generation of another time leads nowhere. */
export const leadsTo = ({ store }: StrictState, { number, generation }: Ref): boolean =>
  number <= store.lastNumber && generation === store.generationOf(number);

export function writeObject(
  sink: ObjectSink,
  { store, changed, dataNow }: StrictState,
  number: number,
  numbers: Uint32Array,
  renumber: (ref: Ref) => Ref | null,
): void {
  const own = numbers[number] as number;
  const now = changed(number);
  if (now === undefined) {
    const written = store.writtenAt(number) as Written;
    const { data } = written.object;
    const write = (out: ByteWriter): void => writeText(out, written, numbers);
    if (data) {
      const { source, from, to } = data;
      sink.stream(own, write, { length: to - from, bytes: () => source.passing(from, to) });
    } else sink.object(own, write);
    return;
  }
  if (!(now instanceof Stream)) {
    const text = formatWithRefs(now, renumber);
    sink.object(own, (out) => out.text(text));
    return;
  }
  const data = dataNow(number);
  const dict = valueWithRefs(now.dict, renumber) as Dict;
  const isNew = store.newData.has(number);
  const packed = isNew && isToPack(dict) ? deflate(data) : data;
  const stored = packed.length < data.length ? packed : data;
  if (stored !== data) dict.set('Filter', name('FlateDecode'));
  dict.set('Length', stored.length);
  const text = formatValue(dict);
  sink.stream(own, (out) => out.text(text), dataOf(stored));
}

/** The object as it came, but for its references. */
function writeText(out: ByteWriter, { object, meaning }: Written, numbers: Uint32Array): void {
  const { bytes, from, to, refs } = object;
  let at = from;
  for (let place = 0; place < refs.length; place += REF_FIELDS) {
    const called = refs[place] as number;
    const number = numbers[meaning ? meaning(called) : called] as number;
    out.part(bytes, at, from + (refs[place + 1] as number));
    if (number === 0) out.text('null');
    else {
      out.whole(number);
      out.text(' 0 R');
    }
    at = from + (refs[place + 2] as number);
  }
  out.part(bytes, at, to);
}

/** Metadata must be readable without unpacking. */
const isToPack = (dict: Dict): boolean => !dict.has('Filter') && !isName(dict.get('Type'), 'Metadata');
