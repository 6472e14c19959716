// The chain of cross-reference sections of a file, as written: where objects stand and how tables are spaced.
import type { PdfDocument } from '../../document.ts';
import { filtersOf, undoFilter } from '../../filters/stream-filters.ts';
import { Dict, type PdfValue } from '../../objects.ts';
import { parseObject } from '../../syntax/object-syntax.ts';
import { isEol, isWhite, RawSyntax } from './raw-syntax.ts';

export interface XrefSection {
  at: number;
  isStream: boolean;
  trailer: Dict;
  /** A table whose subsection headers are not two numbers and one space. */
  looseHeaders: boolean;
  /** Where the trailer of a table is written. */
  trailerAt?: number;
  /** A table where `xref` and the first header are not parted by one end of line. */
  looseStart: boolean;
}

export interface RawObject {
  number: number;
  generation: number;
  offset: number;
}

export interface XrefChain {
  sections: XrefSection[];
  /** Objects that stand in the file itself; those packed in object streams do not. */
  objects: RawObject[];
  /** Whether the whole chain could be followed. */
  sound: boolean;
}

const MAX_SECTIONS = 1000;
const MAX_OBJECTS = 9_000_000;
const DICT_BYTES = 1 << 20;

export function readXrefChain(doc: PdfDocument, bytes: Uint8Array, shift: number): XrefChain {
  const reader = new ChainReader(doc, bytes, shift);
  const start = startXref(bytes);
  const sound = start !== undefined && reader.follow(start + shift);
  return { sections: reader.sections, objects: [...reader.objects.values()], sound };
}

function startXref(bytes: Uint8Array): number | undefined {
  const tail = latin1(bytes, Math.max(0, bytes.length - 4096), bytes.length);
  const found = /startxref\s{1,20}(\d{1,12})(?![\s\S]*startxref)/.exec(tail);
  return found ? Number(found[1]) : undefined;
}

class ChainReader {
  readonly sections: XrefSection[] = [];
  readonly objects = new Map<number, RawObject>();
  private readonly known = new Set<number>();
  private readonly seen = new Set<number>();
  private readonly doc: PdfDocument;
  private readonly bytes: Uint8Array;
  private readonly shift: number;

  constructor(doc: PdfDocument, bytes: Uint8Array, shift: number) {
    this.doc = doc;
    this.bytes = bytes;
    this.shift = shift;
  }

  follow(start: number): boolean {
    const waiting = [start];
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      if (this.seen.has(at) || this.seen.size > MAX_SECTIONS) continue;
      this.seen.add(at);
      const trailer = this.section(at);
      if (!trailer) return false;
      for (const key of ['XRefStm', 'Prev']) {
        const next = trailer.get(key);
        if (typeof next === 'number') waiting.push(next + this.shift);
      }
    }
    return true;
  }

  private section(from: number): Dict | undefined {
    let at = from;
    while (isWhite(this.bytes[at]) && at < from + 4) at += 1;
    return latin1(this.bytes, at, at + 4) === 'xref' ? this.table(at) : this.stream(from);
  }

  private add(number: number, generation: number, offset: number | undefined): void {
    if (this.known.has(number) || this.known.size > MAX_OBJECTS) return;
    this.known.add(number);
    if (offset !== undefined) this.objects.set(number, { number, generation, offset: offset + this.shift });
  }

  private table(start: number): Dict | undefined {
    const { bytes } = this;
    let at = start + 4;
    const eol = bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : isEol(bytes[at]) ? 1 : 0;
    const looseStart = eol === 0 || !isDigit(bytes[at + eol]);
    let looseHeaders = false;
    for (;;) {
      while (isWhite(bytes[at])) at += 1;
      if (!isDigit(bytes[at])) break;
      const head = /^(\d{1,10})([\s\0]{1,10})(\d{1,10})/.exec(latin1(bytes, at, at + 40));
      if (!head) return undefined;
      if (head[2] !== ' ') looseHeaders = true;
      at = this.entries(at + head[0].length, Number(head[1]), Number(head[3]));
    }
    const trailer = latin1(bytes, at, at + 7) === 'trailer' ? this.dictAt(at + 7) : undefined;
    if (trailer)
      this.sections.push({
        at: start,
        isStream: false,
        trailer,
        trailerAt: at + 7,
        looseHeaders,
        looseStart,
      });
    return trailer;
  }

  private entries(from: number, first: number, count: number): number {
    const { bytes } = this;
    let at = from;
    for (let index = 0; index < count && at < bytes.length; index += 1) {
      while (isWhite(bytes[at])) at += 1;
      const row = /^(\d{1,10})[ \0]{1,3}(\d{1,5})[ \0]{1,3}([nf])/.exec(latin1(bytes, at, at + 24));
      if (!row) return at;
      at += row[0].length;
      this.add(first + index, Number(row[2]), row[3] === 'n' ? Number(row[1]) : undefined);
    }
    return at;
  }

  private stream(start: number): Dict | undefined {
    const head = /^\s{0,4}\d{1,10}\s{1,8}\d{1,5}\s{1,8}obj/.exec(latin1(this.bytes, start, start + 48));
    if (!head) return undefined;
    const from = start + head[0].length;
    const syntax = new RawSyntax(this.bytes, from);
    let word = syntax.nextWord();
    while (word?.word === 'R') word = syntax.nextWord();
    const trailer = this.dictAt(from);
    if (word?.word !== 'stream' || !trailer) return undefined;
    let at = word.end;
    if (this.bytes[at] === 0x0d) at += 1;
    if (this.bytes[at] === 0x0a) at += 1;
    const length = trailer.get('Length');
    let data = this.bytes.subarray(at, at + (typeof length === 'number' ? length : 0));
    for (const filter of filtersOf(this.doc, trailer) ?? []) data = undoFilter(this.doc, data, filter).bytes;
    this.rows(trailer, data);
    this.sections.push({ at: start, isStream: true, trailer, looseHeaders: false, looseStart: false });
    return trailer;
  }

  private rows(trailer: Dict, data: Uint8Array): void {
    const [w0 = 1, w1 = 2, w2 = 1] = numbers(trailer.get('W'));
    const size = w0 + w1 + w2;
    const index = numbers(trailer.get('Index'));
    const ranges = index.length > 1 ? index : numbers([0, trailer.get('Size') ?? 0]);
    if (size < 1 || size > 30) return;
    let at = 0;
    for (let pair = 0; pair + 1 < ranges.length; pair += 2) {
      const first = ranges[pair] ?? 0;
      for (let row = 0; row < (ranges[pair + 1] ?? 0) && at + size <= data.length; row += 1, at += size) {
        const type = w0 === 0 ? 1 : readUnsigned(data, at, w0);
        const offset = readUnsigned(data, at + w0, w1);
        this.add(first + row, readUnsigned(data, at + w0 + w1, w2), type === 1 ? offset : undefined);
      }
    }
  }

  private dictAt(at: number): Dict | undefined {
    const value = parseObject(latin1(this.bytes, at, at + DICT_BYTES));
    return value instanceof Dict ? value : undefined;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

const numbers = (value: PdfValue | undefined): number[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];

function readUnsigned(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

export const latin1 = (bytes: Uint8Array, from: number, to: number): string => {
  const start = Math.max(0, Math.min(from, bytes.length));
  const end = Math.max(start, Math.min(to, bytes.length));
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
};
