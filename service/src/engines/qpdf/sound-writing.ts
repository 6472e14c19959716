// Writes a document that is kept in memory: what was not changed in the words it came with, the rest anew.
import { deflateSync } from 'node:zlib';
import { type Dict, isName, name, type PdfObject, Ref, Stream } from '../../pdf/objects.ts';
import { formatValue } from '../../pdf/syntax.ts';
import { ofTheDocument } from './sound-file.ts';
import { PackedFile, PlainFile } from './sound-layout.ts';
import { refsIn, type SoundStore, valueWithRefs, withRefs } from './sound-store.ts';

export interface SoundState {
  store: SoundStore;
  /** The object as it is now, where it was changed. */
  changed(ref: Ref): PdfObject | undefined;
}

type Renumber = (ref: Ref) => Ref | null;

/** What can be reached, numbered anew without gaps, streams packed; objects too, where they are to be. */
export function writeSound(state: SoundState, packObjects: boolean): Buffer {
  const numbers = new Map<string, Ref>();
  const reached: Ref[] = [];
  const visit = (ref: Ref): void => {
    if (numbers.has(ref.key) || !exists(state, ref)) return;
    reached.push(ref);
    numbers.set(ref.key, new Ref(reached.length));
  };
  const trailer = ofTheDocument(state.store.trailer());
  visit(state.store.catalogRef);
  for (const ref of refsIn(trailer)) visit(ref);
  for (let index = 0; index < reached.length; index += 1)
    for (const ref of refsOf(state, reached[index] as Ref)) visit(ref);
  const file = packObjects
    ? new PackedFile(state.store.headerVersion)
    : new PlainFile(state.store.headerVersion);
  const renumber: Renumber = (ref) => numbers.get(ref.key) ?? null;
  for (const ref of reached) writeObject(file, state, ref, renumber, true);
  return file.end(valueWithRefs(trailer, renumber) as Dict);
}

/** Every object under its own number, as it is: for the library to read. */
export function writeAsIs(state: SoundState, changedRefs: Iterable<Ref>): Buffer {
  const refs = new Map(state.store.refs().map((ref) => [ref.key, ref]));
  for (const ref of changedRefs) refs.set(ref.key, ref);
  const file = new PlainFile(state.store.headerVersion);
  const held = [...refs.values()].sort((a, b) => a.number - b.number);
  for (const ref of held) writeObject(file, state, ref, (each) => each, false);
  // Numbers that were given away already must not be given again.
  const last = state.store.lastRef();
  if ((held.at(-1)?.number ?? 0) < last.number) file.add(last, 'null');
  return file.end(ofTheDocument(state.store.trailer()));
}

function exists({ store, changed }: SoundState, ref: Ref): boolean {
  const now = changed(ref);
  return now === undefined ? store.written(ref) !== undefined : now !== null;
}

function refsOf({ store, changed }: SoundState, ref: Ref): Iterable<Ref> {
  const now = changed(ref);
  if (now !== undefined) return refsIn(now);
  return store.written(ref)?.refs.map((placed) => placed.ref) ?? [];
}

function writeObject(
  file: PlainFile,
  { store, changed }: SoundState,
  ref: Ref,
  renumber: Renumber,
  packing: boolean,
): void {
  const own = renumber(ref) ?? ref;
  const written = store.written(ref);
  const now = changed(ref);
  if (now === undefined && written && !(packing && written.data && isToPack(store.load(ref)))) {
    file.add(own, withRefs(written.text, written.refs, renumber).text, written.data);
    return;
  }
  const object = now ?? store.load(ref);
  if (!(object instanceof Stream)) {
    file.add(own, formatValue(valueWithRefs(object, renumber)));
    return;
  }
  const data = store.rawStreamData(ref);
  const dict = valueWithRefs(object.dict, renumber) as Dict;
  const packed = packing && isToPack(object) ? deflateSync(data) : data;
  const stored = packed.length < data.length ? packed : data;
  if (stored !== data) dict.set('Filter', name('FlateDecode'));
  dict.set('Length', stored.length);
  file.add(own, formatValue(dict), stored);
}

/** Metadata must be readable without unpacking. */
const isToPack = (object: PdfObject): boolean =>
  object instanceof Stream && !object.dict.has('Filter') && !isName(object.dict.get('Type'), 'Metadata');
