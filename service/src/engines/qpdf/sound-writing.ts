// Writes a sound document: what was not changed in the words it came with, the rest anew.

import { deflate } from '../../pdf/filters/packing.ts';
import { type Dict, isName, name, type PdfObject, Ref, Stream } from '../../pdf/objects.ts';
import { formatValue, formatWithRefs } from '../../pdf/syntax/object-syntax.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { SoundEncryption } from './sound-encryption.ts';
import { ofTheDocument, REF_FIELDS } from './sound-file.ts';
import { type Layout, PackedLayout, PlainLayout } from './sound-layout.ts';
import { refsIn, type SoundStore, valueWithRefs, type Written } from './sound-store.ts';

export interface SoundState {
  store: SoundStore;
  /** The object as it is now, where it was changed. */
  changed(number: number): PdfObject | undefined;
  /** The data of a stream as it is now. */
  dataOf(number: number): Uint8Array;
}

export interface SoundOptions {
  /** In the header. */
  version: string;
  packObjects: boolean;
  encryption?: SoundEncryption | undefined;
}

/** What can be reached, numbered anew without gaps; objects packed, where they are to be. Where there is doubt, nothing is begun. */
export function writeSound(
  state: SoundState,
  { version, packObjects, encryption }: SoundOptions,
  begin: () => ByteWriter,
): ByteWriter {
  const trailer = ofTheDocument(state.store.trailer());
  const { reached, numbers } = reach(state, trailer);
  const out = begin();
  const Layout = packObjects ? PackedLayout : PlainLayout;
  const layout = new Layout(out, version, reached.length, encryption);
  const renumber = (ref: Ref): Ref | null => {
    const number = leadsTo(state, ref) ? numbers[ref.number] : undefined;
    return number ? new Ref(number) : null;
  };
  for (const number of reached) writeObject(layout, state, number, numbers, renumber);
  layout.end(valueWithRefs(trailer, renumber) as Dict);
  return out;
}

/** Objects in the order of their numbers, which is mostly that of the file; and their new numbers by the old. */
function reach(state: SoundState, trailer: Dict): { reached: number[]; numbers: Uint32Array } {
  const numbers = new Uint32Array(state.store.lastNumber + 1);
  const reached: number[] = [];
  const visit = (number: number): void => {
    if (number === 0 || numbers[number] !== 0 || !exists(state, number)) return;
    reached.push(number);
    numbers[number] = 1;
  };
  const visitRef = (ref: Ref): void => {
    if (leadsTo(state, ref)) visit(ref.number);
  };
  visitRef(state.store.catalogRef);
  for (const ref of refsIn(trailer)) visitRef(ref);
  for (let index = 0; index < reached.length; index += 1) {
    const number = reached[index] as number;
    const now = state.changed(number);
    if (now !== undefined) {
      for (const ref of refsIn(now)) visitRef(ref);
      continue;
    }
    const { object, meaning } = state.store.writtenAt(number) as Written;
    const { refs } = object;
    for (let place = 0; place < refs.length; place += REF_FIELDS)
      visit(meaning ? meaning(refs[place] as number) : (refs[place] as number));
  }
  reached.sort((a, b) => a - b);
  reached.forEach((number, index) => {
    numbers[number] = index + 1;
  });
  return { reached, numbers };
}

function exists({ store, changed }: SoundState, number: number): boolean {
  const now = changed(number);
  return now === undefined ? store.writtenAt(number) !== undefined : now !== null;
}

/** A reference with the generation of another time leads nowhere. */
const leadsTo = ({ store }: SoundState, { number, generation }: Ref): boolean =>
  number <= store.lastNumber && generation === store.generationOf(number);

function writeObject(
  layout: Layout,
  { store, changed, dataOf }: SoundState,
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
    if (data) layout.stream(own, write, data.source.passing(data.from, data.to));
    else layout.object(own, write);
    return;
  }
  if (!(now instanceof Stream)) {
    const text = formatWithRefs(now, renumber);
    layout.object(own, (out) => out.text(text));
    return;
  }
  const data = dataOf(number);
  const dict = valueWithRefs(now.dict, renumber) as Dict;
  const isNew = store.newData.has(number);
  const packed = isNew && isToPack(dict) ? deflate(data) : data;
  const stored = packed.length < data.length ? packed : data;
  if (stored !== data) dict.set('Filter', name('FlateDecode'));
  dict.set('Length', stored.length);
  const text = formatValue(dict);
  layout.stream(own, (out) => out.text(text), stored);
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
