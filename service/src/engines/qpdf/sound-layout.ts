// How objects are laid out in a file: one after the other under a table, or packed in streams (ISO 32000-1, 7.5). They
// are numbered from 1 on without gaps.

import { deflate } from '../../pdf/filters/packing.ts';
import { Dict, name, PdfString, Ref } from '../../pdf/objects.ts';
import { formatValue } from '../../pdf/syntax/object-syntax.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SoundEncryption } from './sound-encryption.ts';

/** Objects in one stream; readers unpack all to get at one. */
const OBJECTS_PER_STREAM = 100;
/** The first version with streams of objects. */
const PACKED_SINCE = 1.5;

/** Writes the text of an object; of a stream, that of its dictionary. */
export type WriteText = (out: ByteWriter) => void;

export interface Layout {
  object(number: number, write: WriteText): void;
  stream(number: number, write: WriteText, data: Uint8Array): void;
  /** Nothing follows. */
  end(trailer: Dict): void;
}

export class PlainLayout implements Layout {
  protected readonly out: ByteWriter;
  protected readonly count: number;
  /** Where each object begins, by its number. */
  protected readonly offsets: number[] = [];

  protected readonly encryption: SoundEncryption | undefined;

  constructor(out: ByteWriter, version: string, count: number, encryption: SoundEncryption | undefined) {
    this.out = out;
    this.encryption = encryption;
    // How it is encrypted is told by one object more, which is not encrypted itself.
    this.count = count + (encryption ? 1 : 0);
    out.text(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  }

  object(number: number, write: WriteText): void {
    this.begin(number);
    if (this.encryption) this.encryption.write(this.out, number, write);
    else write(this.out);
    this.out.text('\nendobj\n');
  }

  stream(number: number, write: WriteText, data: Uint8Array): void {
    const stored = this.encryption ? this.encryption.data(number, data) : data;
    this.begin(number);
    if (this.encryption) this.encryption.write(this.out, number, write, stored.length);
    else write(this.out);
    this.streamData(stored);
  }

  end(trailer: Dict): void {
    const { out, offsets, count } = this;
    const entries = this.withEncryption(this.withId(trailer)).set('Size', count + 1) as Dict;
    const start = out.length;
    out.text(`xref\n0 ${count + 1}\n0000000000 65535 f \n`);
    for (let number = 1; number <= count; number += 1)
      out.text(`${String(offsets[number] ?? 0).padStart(10, '0')} 00000 n \n`);
    out.text(`trailer ${formatValue(entries)}\n`);
    this.close(start);
  }

  protected streamData(data: Uint8Array): void {
    this.out.text('\nstream\n');
    this.out.data(data);
    this.out.text('\nendstream\nendobj\n');
  }

  protected withEncryption(trailer: Dict): Dict {
    if (!this.encryption) return trailer;
    this.begin(this.count);
    this.out.text(`${formatValue(this.encryption.dict)}\nendobj\n`);
    return new Dict(trailer).set('Encrypt', new Ref(this.count)) as Dict;
  }

  protected begin(number: number): void {
    this.offsets[number] = this.out.length;
    this.out.whole(number);
    this.out.text(' 0 obj\n');
  }

  /** An id made from the content lets equal requests give equal bytes. */
  protected withId(trailer: Dict): Dict {
    if (this.encryption) return new Dict(trailer).set('ID', [...this.encryption.id]) as Dict;
    const made = new PdfString(this.out.digest());
    const id = trailer.get('ID');
    const first = Array.isArray(id) && id[0] instanceof PdfString ? id[0] : made;
    return new Dict(trailer).set('ID', [first, made]) as Dict;
  }

  protected close(start: number): void {
    this.out.text(`startxref\n${start}\n%%EOF\n`);
    this.out.close();
  }
}

const ROW_BYTES = 7;

/** All but streams stand in streams of objects. */
export class PackedLayout extends PlainLayout {
  /** By number, of objects in streams: the stream that holds them, and which of its objects they are. */
  private readonly held: [container: number, index: number][] = [];
  private readonly containers: number[] = [];
  private readonly waiting = new ByteWriter();
  private places: { number: number; at: number }[] = [];

  constructor(out: ByteWriter, version: string, count: number, encryption: SoundEncryption | undefined) {
    super(out, Number(version) < PACKED_SINCE ? PACKED_SINCE.toFixed(1) : version, count, encryption);
  }

  override object(number: number, write: WriteText): void {
    this.held[number] = [this.count + 1 + this.containers.length, this.places.length];
    this.places.push({ number, at: this.waiting.length });
    write(this.waiting);
    this.waiting.text('\n');
    if (this.places.length === OBJECTS_PER_STREAM) this.writeContainer();
  }

  override end(trailer: Dict): void {
    this.writeContainer();
    const table = this.count + 1 + this.containers.length;
    const told = this.withEncryption(this.withId(trailer));
    const start = this.out.length;
    const entries = told
      .set('Type', name('XRef'))
      .set('Size', table + 1)
      .set('W', [1, 4, 2]);
    const packed = deflate(this.rows(table, start));
    entries.set('Filter', name('FlateDecode')).set('Length', packed.length);
    // Readers must find their way to what tells of the encryption: this one stays as it is.
    this.begin(table);
    this.out.text(formatValue(entries as Dict));
    this.streamData(packed);
    this.close(start);
  }

  private rows(table: number, start: number): Buffer {
    const rows = Buffer.alloc((table + 1) * ROW_BYTES);
    rows.writeUInt16BE(0xffff, ROW_BYTES - 2);
    for (let number = 1; number <= table; number += 1) {
      const held = this.held[number];
      const at = number * ROW_BYTES;
      rows[at] = held ? 2 : 1;
      rows.writeUInt32BE(held ? held[0] : number === table ? start : (this.offsets[number] ?? 0), at + 1);
      rows.writeUInt16BE(held ? held[1] : 0, at + 5);
    }
    return rows;
  }

  private writeContainer(): void {
    if (this.places.length === 0) return;
    const head = this.places.map(({ number, at }) => `${number} ${at} `).join('');
    const packed = deflate(Buffer.concat([Buffer.from(head, 'latin1'), this.waiting.taken()]));
    const dict = Dict.of({
      Type: name('ObjStm'),
      N: this.places.length,
      First: head.length,
      Length: packed.length,
      Filter: name('FlateDecode'),
    });
    const number = this.count + 1 + this.containers.length;
    this.containers.push(number);
    this.places = [];
    this.waiting.clear();
    this.stream(number, (out) => out.text(formatValue(dict)), packed);
  }
}
