// The cross-reference tables and streams of a file, read without mercy: where anything is unusual, there is doubt.
import { inflateSync } from 'node:zlib';
import { undoPredictor } from '../../../pdf/filters/predictors.ts';
import { Dict, isName, name, type PdfValue } from '../../../pdf/objects.ts';
import { parseObject } from '../../../pdf/syntax/object-syntax.ts';
import { Doubt, isAt, isWhite, Scan, skipWhite, sure } from './object-scan.ts';
import type { Source, Window } from './source.ts';

/** What the tables say of a number. Of `PLAIN` ones the second is the place in the file, the third the generation; of
 * `PACKED` ones the number of the stream that holds them, and which of its objects it is. */
export const ABSENT = 0;
export const FREE = 1;
export const PLAIN = 2;
export const PACKED = 3;
/** Whoever asks for one of these has a doubt. */
export const BLOCKED = 4;

const generationOf = (kind: number, third: number): number => (kind === PLAIN ? third : 0);

export class Entries {
  readonly size: number;
  readonly kinds: Uint8Array;
  readonly seconds: Float64Array;
  readonly thirds: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.kinds = new Uint8Array(size);
    this.seconds = new Float64Array(size);
    this.thirds = new Uint32Array(size);
  }

  /** Newest first: what a newer table says of an object holds. */
  note(number: number, kind: number, second: number, third: number): void {
    sure(number < this.size && (number > 0 || kind === FREE));
    const known = this.kinds[number];
    if (known !== ABSENT) {
      // The library knows one object for each generation.
      if (known !== FREE && kind !== FREE) sure(generationOf(kind, third) === this.generationAt(number));
      return;
    }
    this.kinds[number] = kind;
    this.seconds[number] = second;
    this.thirds[number] = third;
  }

  /** Which generation of references leads to the number. */
  generationAt(number: number): number {
    return generationOf(this.kinds[number] as number, this.thirds[number] as number);
  }

  blockUnlessAt(number: number, at: number): void {
    const isThere = this.kinds[number] === PLAIN && this.seconds[number] === at;
    if (!isThere && number < this.size) this.kinds[number] = BLOCKED;
  }
}

export interface Tables {
  /** The newest trailer. */
  trailer: Dict;
  entries: Entries;
}

const MAX_REVISIONS = 50;
/** Readers give up on higher object numbers. */
const MAX_NUMBER = 1_000_000;
/** How far from the end of the file its last words may stand. */
const LAST_WORDS = 1024;
/** Rows of a table are this long, always. */
const ROW_BYTES = 20;
const FIRST_WINDOW = 64 * 1024;

interface Section {
  trailer: Dict;
  /** Of a stream: the number it gives itself. */
  number?: number;
  /** Notes what the section says. */
  tell(entries: Entries): void;
}

export function readTables(source: Source): Tables {
  const tail = source.slice(Math.max(0, source.size - LAST_WORDS), source.size);
  const end = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(Buffer.from(tail).toString('latin1'));
  let place: PdfValue | undefined = Number(sure(end ?? undefined)[1]);
  let newest: Dict | undefined;
  let entries: Entries | undefined;
  const seen = new Set<PdfValue>();
  const streams: { number: number; at: number }[] = [];
  while (place !== undefined) {
    const at = sure(wholeOf(place));
    sure(at < source.size && !seen.has(at) && seen.size < MAX_REVISIONS);
    seen.add(at);
    const { trailer, tell, number }: Section = sectionAt(source, at);
    // The library takes what it reads here for the object with that number, whatever the tables say of it.
    if (number !== undefined) streams.push({ number, at });
    sure(!trailer.has('XRefStm') && !trailer.has('Encrypt'));
    newest ??= trailer;
    const size = sure(wholeOf(newest.get('Size')));
    sure(size > 0 && size <= MAX_NUMBER + 1);
    entries ??= new Entries(size);
    tell(entries);
    place = trailer.get('Prev');
  }
  const made = sure(entries);
  sure(made.kinds[made.size - 1] !== ABSENT);
  for (const { number, at } of streams) made.blockUnlessAt(number, at);
  return { trailer: sure(newest), entries: made };
}

/** A window that is too short to hold the whole makes for a doubt; then more is read. */
function sectionAt(source: Source, at: number): Section {
  return inWindow(source, at, FIRST_WINDOW, (window) =>
    isAt(window.bytes, window.at, 'xref') ? tableAt(window) : streamAt(source, window, at - window.at),
  );
}

/** What is read from a window, which grows until there is no doubt, or no more of the file. */
export function inWindow<T>(source: Source, at: number, length: number, read: (window: Window) => T): T {
  for (let asked = length; ; asked *= 8) {
    const window = source.window(at, asked);
    try {
      return read(window);
    } catch (error) {
      if (window.isLast || !(error instanceof Doubt)) throw error;
    }
  }
}

function tableAt({ bytes, at: start }: Window): Section {
  let at = endOfLine(bytes, start + 'xref'.length);
  const sections: { first: number; count: number; from: number }[] = [];
  while (!isAt(bytes, skipWhite(bytes, at), 'trailer')) {
    const first = numberAt(bytes, skipBlanks(bytes, at));
    sure(bytes[first.end] === SPACE);
    const count = numberAt(bytes, skipBlanks(bytes, first.end));
    const from = endOfLine(bytes, count.end);
    at = from + count.value * ROW_BYTES;
    sure(at < bytes.length);
    sections.push({ first: first.value, count: count.value, from });
  }
  const trailer = dictAt(bytes, skipWhite(bytes, skipWhite(bytes, at) + 'trailer'.length));
  return {
    trailer: trailer.dict,
    tell: (entries) => {
      for (const { first, count, from } of sections)
        for (let row = 0; row < count; row += 1) rowAt(bytes, from + row * ROW_BYTES, first + row, entries);
    },
  };
}

/** Ten digits, a space, five digits, a space, n or f, and two bytes that end the line. */
function rowAt(bytes: Uint8Array, at: number, number: number, entries: Entries): void {
  const offset = digitsAt(bytes, at, 10);
  const generation = digitsAt(bytes, at + 11, 5);
  const kind = bytes[at + 17];
  const [last, end] = [bytes[at + 18], bytes[at + 19]];
  sure(bytes[at + 10] === 32 && bytes[at + 16] === 32 && (kind === 0x6e || kind === 0x66));
  sure((last === 32 && (end === 10 || end === 13)) || (last === 13 && end === 10));
  entries.note(number, kind === 0x6e ? PLAIN : FREE, offset, generation);
}

function digitsAt(bytes: Uint8Array, at: number, count: number): number {
  let made = 0;
  for (let index = 0; index < count; index += 1) {
    const digit = (bytes[at + index] ?? 0) - 48;
    sure(digit >= 0 && digit <= 9);
    made = made * 10 + digit;
  }
  return made;
}

/** A number of up to seven digits. */
function numberAt(bytes: Uint8Array, at: number): { value: number; end: number } {
  let end = at;
  while (end - at < 8 && (bytes[end] ?? 0) >= 48 && (bytes[end] ?? 0) <= 57) end += 1;
  sure(end > at && end - at <= 7);
  return { value: digitsAt(bytes, at, end - at), end };
}

const SPACE = 32;
const TAB = 9;

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
  return at;
}

/** After blanks and the end of the line. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const at = skipBlanks(bytes, from);
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? at + 2 : at + 1;
  return sure(bytes[at] === 10 && at + 1);
}

const scan = new Scan();

function dictAt(bytes: Buffer, at: number): { dict: Dict; end: number } {
  scan.object(bytes, at);
  const { end } = scan;
  const dict = parseObject(bytes.toString('latin1', at, end));
  return { dict: sure(dict instanceof Dict && dict), end };
}

/** `shift` leads from places in the window to those in the file. */
function streamAt(source: Source, { bytes, at }: Window, shift: number): Section {
  const head = sure(/^\d{1,7} 0 obj(?=[\s<])/.exec(bytes.toString('latin1', at, at + 24)) ?? undefined);
  const { dict, end } = dictAt(bytes, skipWhite(bytes, at + head[0].length));
  sure(isName(dict.get('Type'), 'XRef'));
  const place = dataPlace(source, bytes, end, shift, sure(wholeOf(dict.get('Length'))));
  const data = unpack(dict, source.slice(place.from, place.to), MAX_NUMBER * 12);
  const widths = sure(wholes(dict.get('W')));
  const [kinds = 0, seconds = 0, thirds = 0] = widths;
  sure(widths.length === 3 && widths.every((width) => width <= 4) && seconds > 0);
  const rowBytes = kinds + seconds + thirds;
  const sections = dict.has('Index') ? sure(wholes(dict.get('Index'))) : [0, sure(wholeOf(dict.get('Size')))];
  let rows = 0;
  for (let index = 1; index < sections.length; index += 2) rows += sections[index] as number;
  sure(sections.length % 2 === 0 && rows * rowBytes === data.length);
  const tell = (entries: Entries): void => {
    let row = 0;
    for (let index = 0; index < sections.length; index += 2) {
      const first = sections[index] as number;
      const past = first + (sections[index + 1] as number);
      for (let number = first; number < past; number += 1, row += rowBytes) {
        const kind = kinds === 0 ? 1 : wholeAt(data, row, kinds);
        sure(kind <= 2);
        const second = wholeAt(data, row + kinds, seconds);
        entries.note(number, kind + 1, second, wholeAt(data, row + kinds + seconds, thirds));
      }
    }
  };
  return { trailer: dict, tell, number: Number.parseInt(head[0], 10) };
}

function wholeAt(data: Uint8Array, at: number, width: number): number {
  let made = 0;
  for (let index = 0; index < width; index += 1) made = made * 256 + (data[at + index] as number);
  return made;
}

const wholeOf = (value: PdfValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

function wholes(value: PdfValue | undefined): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const made = value.map(wholeOf);
  return made.every((each) => each !== undefined) ? made : undefined;
}

/** Where in the file the data behind a stream's dictionary stands, which ends at `end` of the window. */
export function dataPlace(
  source: Source,
  bytes: Uint8Array,
  end: number,
  shift: number,
  length: number,
): { from: number; to: number } {
  const word = skipWhite(bytes, end);
  sure(isAt(bytes, word, 'stream'));
  const after = word + 'stream'.length;
  const start = isAt(bytes, after, '\r\n') ? after + 2 : sure(bytes[after] === 10 && after + 1);
  const from = start + shift;
  const to = from + length;
  sure(to < source.size);
  inWindow(source, to, CLOSING_WORDS, (window) => closingWords(window.bytes, window.at));
  return { from, to };
}

const CLOSING_WORDS = 64;

function closingWords(bytes: Uint8Array, from: number): void {
  let at = from;
  if (bytes[at] === 13) at += bytes[at + 1] === 10 ? 2 : 1;
  else if (bytes[at] === 10) at += 1;
  sure(isAt(bytes, at, 'endstream'));
  const after = at + 'endstream'.length;
  const last = skipWhite(bytes, after);
  sure(last > after && isAt(bytes, last, 'endobj') && isWhite(bytes[last + 'endobj'.length]));
}

/** The data of a stream of objects or cross-references: packed by Flate, or not at all. */
export function unpack(dict: Dict, data: Uint8Array, maxBytes: number): Uint8Array {
  const filter = dict.get('Filter');
  if (filter === undefined) return data;
  sure(filter === name('FlateDecode'));
  const parms = dict.get('DecodeParms') ?? new Dict();
  sure(parms instanceof Dict);
  const inflated = inflate(data, maxBytes);
  if (!(parms as Dict).has('Predictor')) return inflated;
  return undoPredictor(inflated, (key) => wholeOf((parms as Dict).get(key)));
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(maxBytes, 1) });
  } catch {
    throw new Doubt();
  }
}
