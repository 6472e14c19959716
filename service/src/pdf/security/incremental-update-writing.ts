// The bytes that append a revision to a file: changed objects, then a cross-reference section of the kind the file
// has, which leads back to the one before (ISO 32000-2, 7.5.6).
import { deflateSync } from 'node:zlib';
import { identifierBytes } from '../../contract/reproducible.ts';
import { Dict, name, PdfString, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatName, formatValue } from '../syntax/object-syntax.ts';
import type { RevisedObject, RevisionDocument } from './incremental-update.ts';
import type { ObjectEncryption } from './object-encryption.ts';

export interface FileEnd {
  size: number;
  /** Where its last cross-reference section begins, and of which kind it is. */
  crossReference: number;
  kind: 'table' | 'stream';
}

/** How much of the end of a file `readFileEnd` wants to see. */
const END_BYTES = 4096;

/** `read` gives bytes of the file. Undefined where the file does not end as it should. */
export function readFileEnd(
  size: number,
  read: (start: number, end: number) => Uint8Array,
): FileEnd | undefined {
  const text = (start: number, end: number) => Buffer.from(read(start, end)).toString('latin1');
  if (!text(0, 5).startsWith('%PDF-')) return undefined;
  const tail = text(Math.max(0, size - END_BYTES), size);
  const match = /startxref\s+(\d{1,12})\s/.exec(tail.slice(tail.lastIndexOf('startxref')));
  if (!match) return undefined;
  const crossReference = Number(match[1]);
  const there = text(crossReference, Math.min(size, crossReference + 64));
  if (/^\s*xref\b/.test(there)) return { size, crossReference, kind: 'table' };
  return /^\s*\d+\s+\d+\s+obj\b/.test(there) ? { size, crossReference, kind: 'stream' } : undefined;
}

/** The object that holds the signature; its place in the file must be known before it is made. */
export interface SignatureSpace {
  ref: Ref;
  /** How many bytes the signature may take. */
  bytes: number;
}

export interface WrittenRevision {
  bytes: Buffer;
  /** Where in `bytes` the signature belongs, if there is one, from its opening bracket to behind the closing one. */
  contents: [start: number, end: number];
}

interface Entry {
  ref: Ref;
  /** From the beginning of the file. */
  offset: number;
}

const OFFSET_DIGITS = 10;

export function writeRevision(
  revision: RevisionDocument,
  end: FileEnd,
  space: SignatureSpace | undefined,
  encryption: ObjectEncryption | undefined,
): WrittenRevision {
  const parts: Buffer[] = [Buffer.from('\n')];
  let length = 1;
  const add = (text: string | Uint8Array): void => {
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text);
    parts.push(bytes);
    length += bytes.length;
  };
  const entries: Entry[] = [];
  let contents: [number, number] = [0, 0];
  for (const change of revision.changes()) {
    entries.push({ ref: change.ref, offset: end.size + length });
    add(`${change.ref.key} obj\n`);
    if (space && change.ref.key === space.ref.key) {
      const { head, tail } = signatureText(change, encryption);
      add(head);
      contents = [length, length + 2 * space.bytes + 2];
      add(`<${'0'.repeat(2 * space.bytes)}>`);
      add(tail);
    } else for (const piece of objectPieces(change, encryption)) add(piece);
    add('\nendobj\n');
  }
  const section = end.size + length;
  add(
    end.kind === 'table'
      ? tableSection(revision, end, entries)
      : streamSection(revision, end, entries, section),
  );
  add(`startxref\n${section}\n%%EOF\n`);
  const written = { bytes: Buffer.concat(parts), contents };
  return space ? fillByteRange(written, end.size) : written;
}

function objectPieces(
  { ref, object, data }: RevisedObject,
  encryption: ObjectEncryption | undefined,
): Uint8Array[] {
  const text = (value: PdfValue) => Buffer.from(formatValue(encrypted(value, ref, encryption)), 'latin1');
  if (!(object instanceof Stream)) return [text(object)];
  const dict = new Dict(object.dict);
  let bytes = data ?? new Uint8Array();
  if (!dict.has('Filter')) {
    bytes = deflateSync(bytes);
    dict.set('Filter', name('FlateDecode'));
  }
  if (encryption) bytes = encryption.stream(ref, bytes);
  dict.set('Length', bytes.length);
  return [text(dict), Buffer.from('\nstream\n'), bytes, Buffer.from('\nendstream')];
}

/** The value with its strings encrypted; signatures stay as they are (ISO 32000-2, 7.6.2). */
function encrypted(value: PdfValue, ref: Ref, encryption: ObjectEncryption | undefined): PdfValue {
  if (!encryption) return value;
  if (value instanceof PdfString) return new PdfString(encryption.string(ref, value.bytes));
  if (Array.isArray(value)) return value.map((each) => encrypted(each, ref, encryption));
  if (!(value instanceof Dict)) return value;
  const copy = new Dict();
  for (const [key, inner] of value) {
    const isSignature = key === 'Contents' && value.has('ByteRange');
    copy.set(key, isSignature ? inner : encrypted(inner, ref, encryption));
  }
  return copy;
}

const BYTE_RANGE = `/ByteRange [0 ${Array(3).fill(' '.repeat(OFFSET_DIGITS)).join(' ')}]`;

function signatureText(
  { ref, object }: RevisedObject,
  encryption: ObjectEncryption | undefined,
): { head: string; tail: string } {
  const dict = object instanceof Dict ? object : new Dict();
  const entries = [...dict].map(
    ([key, value]) => `${formatName(key)} ${formatValue(encrypted(value, ref, encryption))}`,
  );
  return { head: `<<${entries.join(' ')} ${BYTE_RANGE} /Contents `, tail: '>>' };
}

function fillByteRange({ bytes, contents }: WrittenRevision, before: number): WrittenRevision {
  const [start, end] = contents;
  const numbers = [before + start, before + end, bytes.length - end];
  const range = `/ByteRange [0 ${numbers.map((n) => String(n).padEnd(OFFSET_DIGITS)).join(' ')}]`;
  bytes.write(range, bytes.lastIndexOf(BYTE_RANGE, start, 'latin1'), 'latin1');
  return { bytes, contents };
}

/** Numbers that follow each other stand under one heading. */
function runsOf(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && run.at(-1)?.ref.number === entry.ref.number - 1) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function tableSection(revision: RevisionDocument, end: FileEnd, entries: readonly Entry[]): string {
  const rows = runsOf(entries).map(
    (run) =>
      `${run[0]?.ref.number ?? 0} ${run.length}\n${run
        .map(({ ref, offset }) => `${pad(offset, 10)} ${pad(ref.generation, 5)} n \n`)
        .join('')}`,
  );
  return `xref\n${rows.join('')}trailer\n${formatValue(trailerOf(revision, end, revision.size))}\n`;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const ENTRY_BYTES = 7;

function streamSection(
  revision: RevisionDocument,
  end: FileEnd,
  entries: readonly Entry[],
  at: number,
): Buffer {
  const own = new Ref(revision.size);
  const all = [...entries, { ref: own, offset: at }];
  const data = Buffer.alloc(all.length * ENTRY_BYTES);
  all.forEach(({ ref, offset }, index) => {
    data.writeUInt8(1, index * ENTRY_BYTES);
    data.writeUInt32BE(offset, index * ENTRY_BYTES + 1);
    data.writeUInt16BE(ref.generation, index * ENTRY_BYTES + 5);
  });
  const dict = trailerOf(revision, end, revision.size + 1);
  dict.set('Type', name('XRef'));
  dict.set('W', [1, 4, 2]);
  dict.set(
    'Index',
    runsOf(all).flatMap((run) => [run[0]?.ref.number ?? 0, run.length]),
  );
  dict.set('Length', data.length);
  return Buffer.concat([
    Buffer.from(`${own.key} obj\n${formatValue(dict)}\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

function trailerOf(revision: RevisionDocument, end: FileEnd, size: number): Dict {
  const { trailer } = revision;
  const trailerDict = Dict.of({ Size: size, Prev: end.crossReference, Root: revision.catalogRef });
  for (const key of ['Info', 'Encrypt']) {
    const value = trailer.get(key);
    if (value !== undefined) trailerDict.set(key, value);
  }
  // ISO 32000-2, 14.4: the first part stays, the second tells the revision.
  const [first] = revision.array(trailer.get('ID')) ?? [];
  const kept = revision.resolve(first);
  const now = new PdfString(identifierBytes(16));
  trailerDict.set('ID', [kept instanceof PdfString ? kept : now, now]);
  return trailerDict;
}
