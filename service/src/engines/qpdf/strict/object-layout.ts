// How objects are laid out in a file: one after the other under a table, or packed in streams (ISO 32000-1, 7.5). They
// are numbered from 1 on without gaps.

import { deflate } from '../../../pdf/filters/packing.ts';
import { Dict, name, PdfString, Ref } from '../../../pdf/objects.ts';
import { formatValue } from '../../../pdf/syntax/object-syntax.ts';
import { ByteWriter } from './byte-writer.ts';
import type { StrictEncryption } from './encryption.ts';

/** Objects in one stream; readers unpack all to get at one. */
export const OBJECTS_PER_STREAM = 100;
/** The first version with streams of objects. */
const PACKED_SINCE = 1.5;

export const packedVersion = (version: string): string =>
  Number(version) < PACKED_SINCE ? PACKED_SINCE.toFixed(1) : version;

export const headerOf = (version: string): string => `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`;

/** Writes the text of an object; of a stream, that of its dictionary. */
export type WriteText = (out: ByteWriter) => void;

/** The data of a stream, as it will be stored; read when it is written. */
export interface StreamData {
  length: number;
  bytes(): Uint8Array;
}

export const dataOf = (bytes: Uint8Array): StreamData => ({ length: bytes.length, bytes: () => bytes });

/** Takes objects one after the other. */
export interface ObjectSink {
  object(number: number, write: WriteText): void;
  stream(number: number, write: WriteText, data: StreamData): void;
}

export interface Layout extends ObjectSink {
  /** Nothing follows. */
  end(trailer: Dict): void;
}

export class PlainLayout implements Layout {
  protected readonly out: ByteWriter;
  protected readonly count: number;
  /** Where each object begins, by its number. */
  protected readonly offsets: number[] = [];

  protected readonly encryption: StrictEncryption | undefined;

  constructor(out: ByteWriter, version: string, count: number, encryption: StrictEncryption | undefined) {
    this.out = out;
    this.encryption = encryption;
    // How it is encrypted is told by one object more, which is not encrypted itself.
    this.count = count + (encryption ? 1 : 0);
    out.text(headerOf(version));
  }

  object(number: number, write: WriteText): void {
    this.begin(number);
    if (this.encryption) this.encryption.write(this.out, number, write);
    else write(this.out);
    this.out.text('\nendobj\n');
  }

  stream(number: number, write: WriteText, data: StreamData): void {
    const bytes = data.bytes();
    const stored = this.encryption ? this.encryption.data(number, bytes) : bytes;
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
  }
}

/** Of the rows of a stream of cross-references: what kind, where, which. */
export const REFERENCE_WIDTHS = [1, 4, 2];
export const ROW_BYTES = 7;

export function writeRow(rows: Buffer, at: number, kind: number, second: number, third: number): void {
  rows[at] = kind;
  rows.writeUInt32BE(second, at + 1);
  rows.writeUInt16BE(third, at + 5);
}

/** Packing a smaller table spares less than it takes to tell of it. */
const SMALL_TABLE_BYTES = 200;

/** All but streams stand in streams of objects. */
export class PackedLayout extends PlainLayout {
  /** By number, of objects in streams: the stream that holds them, and which of its objects they are. */
  private readonly held: [container: number, index: number][] = [];
  private readonly containers: number[] = [];
  private readonly waiting = new ByteWriter();
  private places: { number: number; at: number }[] = [];

  constructor(out: ByteWriter, version: string, count: number, encryption: StrictEncryption | undefined) {
    super(out, packedVersion(version), count, encryption);
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
    this.waiting.release();
    const table = this.count + 1 + this.containers.length;
    const told = this.withEncryption(this.withId(trailer));
    const start = this.out.length;
    const entries = told
      .set('Type', name('XRef'))
      .set('Size', table + 1)
      .set('W', REFERENCE_WIDTHS);
    const rows = this.rows(table, start);
    const packed = rows.length < SMALL_TABLE_BYTES ? rows : deflate(rows);
    if (packed !== rows) entries.set('Filter', name('FlateDecode'));
    entries.set('Length', packed.length);
    // Readers must find their way to what tells of the encryption: this one stays as it is.
    this.begin(table);
    this.out.text(formatValue(entries as Dict));
    this.streamData(packed);
    this.close(start);
  }

  private rows(table: number, start: number): Buffer {
    const rows = Buffer.alloc((table + 1) * ROW_BYTES);
    writeRow(rows, 0, 0, 0, 0xffff);
    for (let number = 1; number <= table; number += 1) {
      const held = this.held[number];
      const at = number * ROW_BYTES;
      if (held) writeRow(rows, at, 2, ...held);
      else writeRow(rows, at, 1, number === table ? start : (this.offsets[number] ?? 0), 0);
    }
    return rows;
  }

  private writeContainer(): void {
    if (this.places.length === 0) return;
    const { dict, data } = objectStream(this.places, this.waiting.taken());
    const number = this.count + 1 + this.containers.length;
    this.containers.push(number);
    this.places = [];
    this.waiting.clear();
    this.stream(number, (out) => out.text(formatValue(dict)), dataOf(data));
  }
}

/** A stream of objects, which stand in the text at these places. */
export function objectStream(
  places: readonly { number: number; at: number }[],
  text: Buffer,
): { dict: Dict; data: Buffer } {
  const head = places.map(({ number, at }) => `${number} ${at} `).join('');
  const data = deflate(Buffer.concat([Buffer.from(head, 'latin1'), text]));
  const dict = Dict.of({
    Type: name('ObjStm'),
    N: places.length,
    First: head.length,
    Length: data.length,
    Filter: name('FlateDecode'),
  });
  return { dict, data };
}
