// How objects are laid out in a file: one after the other under a table, or packed in streams (ISO 32000-1, 7.5).
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { Dict, name, PdfString, Ref } from '../../pdf/objects.ts';
import { formatValue } from '../../pdf/syntax.ts';

/** Objects in one stream; readers unpack all to get at one. */
const OBJECTS_PER_STREAM = 100;
/** The first version with streams of objects. */
const PACKED_SINCE = 1.5;

export class PlainFile {
  protected readonly places: { ref: Ref; offset: number }[] = [];
  private readonly chunks: Uint8Array[] = [];
  private readonly hash = createHash('md5');
  private written = 0;
  private text: string;

  constructor(version: string) {
    this.text = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`;
  }

  /** `data` is that of a stream, whose dictionary the text is. */
  add(ref: Ref, text: string, data?: Uint8Array): void {
    this.places.push({ ref, offset: this.length });
    this.text += `${ref.key} obj\n${text}`;
    if (data) {
      this.text += '\nstream\n';
      this.append(data);
      this.text = '\nendstream';
    }
    this.text += '\nendobj\n';
  }

  /** The whole file. */
  end(trailer: Dict): Buffer {
    const start = this.length;
    const entries = this.withId(trailer);
    entries.set('Size', this.highest() + 1);
    this.text += `${table(this.places)}trailer ${formatValue(entries)}\n`;
    return this.close(start);
  }

  protected get length(): number {
    return this.written + this.text.length;
  }

  protected highest(): number {
    return this.places.reduce((most, { ref }) => Math.max(most, ref.number), 0);
  }

  /** An id made from the content lets equal requests give equal bytes. */
  protected withId(trailer: Dict): Dict {
    this.flush();
    const made = new PdfString(this.hash.copy().digest());
    const id = trailer.get('ID');
    const first = Array.isArray(id) && id[0] instanceof PdfString ? id[0] : made;
    return new Dict(trailer).set('ID', [first, made]) as Dict;
  }

  protected close(start: number): Buffer {
    this.text += `startxref\n${start}\n%%EOF\n`;
    this.flush();
    return Buffer.concat(this.chunks, this.written);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text, 'latin1');
    this.text = '';
    this.push(bytes);
  }

  private append(data: Uint8Array): void {
    this.flush();
    this.push(data);
  }

  private push(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.hash.update(bytes);
    this.written += bytes.length;
  }
}

/** All but streams stand in streams of objects. */
export class PackedFile extends PlainFile {
  private readonly waiting: { ref: Ref; text: string }[] = [];

  constructor(version: string) {
    super(Number(version) < PACKED_SINCE ? PACKED_SINCE.toFixed(1) : version);
  }

  override add(ref: Ref, text: string, data?: Uint8Array): void {
    if (data || ref.generation > 0) super.add(ref, text, data);
    else this.waiting.push({ ref, text });
  }

  override end(trailer: Dict): Buffer {
    const places = new Map<number, readonly [kind: number, second: number, third: number]>();
    let next = Math.max(this.highest(), ...this.waiting.map(({ ref }) => ref.number)) + 1;
    for (let from = 0; from < this.waiting.length; from += OBJECTS_PER_STREAM) {
      const held = this.waiting.slice(from, from + OBJECTS_PER_STREAM);
      for (const [index, { ref }] of held.entries()) places.set(ref.number, [2, next, index]);
      this.addContainer(new Ref(next), held);
      next += 1;
    }
    const table = new Ref(next);
    for (const { ref, offset } of this.places) places.set(ref.number, [1, offset, ref.generation]);
    places.set(table.number, [1, this.length, 0]);
    const start = this.length;
    const rows = Buffer.alloc((table.number + 1) * ROW_BYTES);
    rows.writeUInt16BE(0xffff, ROW_BYTES - 2);
    for (const [number, [kind, second, third]] of places) {
      rows.writeUInt8(kind, number * ROW_BYTES);
      rows.writeUInt32BE(second, number * ROW_BYTES + 1);
      rows.writeUInt16BE(third, number * ROW_BYTES + 5);
    }
    const packed = deflateSync(rows);
    const entries = this.withId(trailer);
    entries
      .set('Type', name('XRef'))
      .set('Size', table.number + 1)
      .set('W', [1, 4, 2]);
    entries.set('Filter', name('FlateDecode')).set('Length', packed.length);
    super.add(table, formatValue(entries), packed);
    return this.close(start);
  }

  private addContainer(ref: Ref, held: readonly { ref: Ref; text: string }[]): void {
    let head = '';
    let body = '';
    for (const { ref: each, text } of held) {
      head += `${each.number} ${body.length} `;
      body += `${text}\n`;
    }
    const packed = deflateSync(Buffer.from(head + body, 'latin1'));
    const dict = Dict.of({ Type: name('ObjStm'), N: held.length, First: head.length, Length: packed.length });
    super.add(ref, formatValue(dict.set('Filter', name('FlateDecode'))), packed);
  }
}

const ROW_BYTES = 7;

function table(places: readonly { ref: Ref; offset: number }[]): string {
  let made = 'xref\n';
  let rows = ['0000000000 65535 f \n'];
  let first = 0;
  for (const { ref, offset } of places) {
    if (ref.number !== first + rows.length) {
      made += `${first} ${rows.length}\n${rows.join('')}`;
      rows = [];
      first = ref.number;
    }
    rows.push(`${String(offset).padStart(10, '0')} ${String(ref.generation).padStart(5, '0')} n \n`);
  }
  return `${made}${first} ${rows.length}\n${rows.join('')}`;
}
