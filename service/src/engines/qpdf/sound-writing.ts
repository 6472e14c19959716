// Writes a document that is kept in memory: what was not changed in the words it came with, the rest anew.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type Dict, isName, name, type PdfObject, PdfString, Ref, Stream } from '../../pdf/objects.ts';
import { formatValue } from '../../pdf/syntax.ts';
import { refsIn, type SoundStore, valueWithRefs, withRefs } from './sound-store.ts';

export interface SoundState {
  store: SoundStore;
  /** The object as it is now, where it was changed. */
  changed(ref: Ref): PdfObject | undefined;
}

type Renumber = (ref: Ref) => Ref | null;

/** What can be reached, numbered anew without gaps, streams packed. */
export function writeSound(state: SoundState): Buffer {
  const numbers = new Map<string, Ref>();
  const reached: Ref[] = [];
  const visit = (ref: Ref): void => {
    if (numbers.has(ref.key) || !exists(state, ref)) return;
    reached.push(ref);
    numbers.set(ref.key, new Ref(reached.length));
  };
  visit(state.store.catalogRef);
  for (const ref of refsIn(state.store.trailer())) visit(ref);
  for (let index = 0; index < reached.length; index += 1)
    for (const ref of refsOf(state, reached[index] as Ref)) visit(ref);
  const renumber: Renumber = (ref) => numbers.get(ref.key) ?? null;
  return new Writer(state, renumber, true).file(reached);
}

/** Every object under its own number, as it is: for the library to read. */
export function writeAsIs(state: SoundState, changedRefs: Iterable<Ref>): Buffer {
  const refs = new Map(state.store.refs().map((ref) => [ref.key, ref]));
  for (const ref of changedRefs) refs.set(ref.key, ref);
  const held = [...refs.values()].sort((a, b) => a.number - b.number);
  return new Writer(state, (ref) => ref, false).file(held);
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

class Writer {
  private readonly state: SoundState;
  private readonly renumber: Renumber;
  private readonly packing: boolean;
  private readonly chunks: Uint8Array[] = [];
  private readonly hash = createHash('md5');
  private length = 0;
  private text = '';

  constructor(state: SoundState, renumber: Renumber, packing: boolean) {
    this.state = state;
    this.renumber = renumber;
    this.packing = packing;
  }

  file(refs: readonly Ref[]): Buffer {
    this.text = `%PDF-${this.state.store.headerVersion}\n%\xe2\xe3\xcf\xd3\n`;
    const places: [Ref, number][] = [];
    for (const ref of refs) {
      const own = this.renumber(ref) ?? ref;
      places.push([own, this.length + this.text.length]);
      this.text += `${own.key} obj\n`;
      this.object(ref);
      this.text += '\nendobj\n';
    }
    this.flush();
    const start = this.length;
    this.text = `${table(places)}trailer ${formatValue(this.trailer(places))}\nstartxref\n${start}\n%%EOF\n`;
    this.flush();
    return Buffer.concat(this.chunks, this.length);
  }

  private object(ref: Ref): void {
    const { store, changed } = this.state;
    const written = store.written(ref);
    const now = changed(ref);
    if (now === undefined && written && !(written.data && this.isToPack(store.load(ref)))) {
      this.text += withRefs(written.text, written.refs, this.renumber).text;
      if (written.data) this.stream(written.data);
      return;
    }
    const object = now ?? store.load(ref);
    if (object instanceof Stream) this.changedStream(object.dict, store.rawStreamData(ref));
    else this.text += formatValue(valueWithRefs(object, this.renumber));
  }

  private changedStream(dict: Dict, data: Uint8Array): void {
    const made = valueWithRefs(dict, this.renumber) as Dict;
    const packed = this.isToPack(new Stream(dict)) ? deflateSync(data) : data;
    const stored = packed.length < data.length ? packed : data;
    if (stored !== data) made.set('Filter', name('FlateDecode'));
    made.set('Length', stored.length);
    this.text += formatValue(made);
    this.stream(stored);
  }

  /** Metadata must be readable without unpacking. */
  private isToPack(object: PdfObject): boolean {
    return (
      this.packing &&
      object instanceof Stream &&
      !object.dict.has('Filter') &&
      !isName(object.dict.get('Type'), 'Metadata')
    );
  }

  private stream(data: Uint8Array): void {
    this.text += '\nstream\n';
    this.flush();
    this.append(data);
    this.text = '\nendstream';
  }

  private trailer(places: readonly [Ref, number][]): Dict {
    const trailer = valueWithRefs(this.state.store.trailer(), this.renumber) as Dict;
    // An id made from the content lets equal requests give equal bytes.
    const made = new PdfString(this.hash.copy().digest());
    const id = this.state.store.trailer().get('ID');
    const first = Array.isArray(id) && id[0] instanceof PdfString ? id[0] : made;
    trailer.set('ID', [first, made]);
    trailer.set('Size', places.reduce((most, [{ number }]) => Math.max(most, number), 0) + 1);
    return trailer;
  }

  private flush(): void {
    this.append(Buffer.from(this.text, 'latin1'));
    this.text = '';
  }

  private append(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.hash.update(bytes);
    this.length += bytes.length;
  }
}

function table(places: readonly [Ref, number][]): string {
  let made = 'xref\n';
  let rows = ['0000000000 65535 f \n'];
  let first = 0;
  for (const [{ number, generation }, offset] of places) {
    if (number !== first + rows.length) {
      made += `${first} ${rows.length}\n${rows.join('')}`;
      rows = [];
      first = number;
    }
    rows.push(`${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`);
  }
  return `${made}${first} ${rows.length}\n${rows.join('')}`;
}
