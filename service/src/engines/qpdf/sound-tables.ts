// The cross-reference tables and streams of a file, read without mercy: where anything is unusual, there is doubt.
import { inflateSync } from 'node:zlib';
import { undoPredictor } from '../../pdf/images/predictors.ts';
import { Dict, isName, name, type PdfValue } from '../../pdf/objects.ts';
import { parseObjectAt, skipWhite } from '../../pdf/syntax.ts';

/** Thrown where something is not beyond doubt. */
export class Doubt extends Error {}

export function sure<T>(value: T | undefined | false): T {
  if (value === undefined || value === false) throw new Doubt();
  return value;
}

/** Where an object stands: at a place of the file, or in a stream of objects. */
export type Entry = { offset: number; generation: number } | { container: number; index: number };

export interface Tables {
  /** The newest trailer. */
  trailer: Dict;
  /** By object number; free ones are undefined. */
  entries: ReadonlyMap<number, Entry | undefined>;
}

const MAX_OBJECTS = 5000;
const MAX_REVISIONS = 20;
/** Readers give up on higher object numbers. */
const MAX_NUMBER = 1_000_000;
/** How far from the end of the file its last words may stand. */
const LAST_WORDS = 1024;
/** What a small file may unpack to. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;

const ROW = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/;

export function readTables(bytes: Uint8Array, source: string): Tables {
  return new TableReader(bytes, source).read();
}

class TableReader {
  private readonly bytes: Uint8Array;
  private readonly source: string;
  private readonly entries = new Map<number, Entry | undefined>();

  constructor(bytes: Uint8Array, source: string) {
    this.bytes = bytes;
    this.source = source;
  }

  /** Newest first: what a newer table says of an object holds. */
  read(): Tables {
    const end = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(this.source.slice(-LAST_WORDS));
    let place: PdfValue | undefined = Number(sure(end ?? undefined)[1]);
    let newest: Dict | undefined;
    const seen = new Set<PdfValue>();
    while (place !== undefined) {
      sure(typeof place === 'number' && !seen.has(place) && seen.size < MAX_REVISIONS);
      seen.add(place);
      const trailer: Dict = this.source.startsWith('xref', place as number)
        ? this.table(place as number)
        : this.stream(place as number);
      sure(!trailer.has('XRefStm'));
      newest ??= trailer;
      place = trailer.get('Prev');
    }
    const trailer = sure(newest);
    sure(!trailer.has('Encrypt') && trailer.get('Size') === Math.max(...this.entries.keys()) + 1);
    return { trailer, entries: this.entries };
  }

  private table(offset: number): Dict {
    const { source } = this;
    const word = /xref[ \t]*(?:\r\n|\n|\r)/y;
    word.lastIndex = offset;
    sure(word.test(source));
    const section = /[ \t]*(\d{1,7}) +(\d{1,7})[ \t]*(?:\r\n|\n|\r)/y;
    let at = word.lastIndex;
    for (;;) {
      section.lastIndex = at;
      const head = section.exec(source);
      if (!head) break;
      at = this.section(Number(head[1]), Number(head[2]), at + head[0].length);
    }
    at = skipWhite(source, at);
    sure(source.startsWith('trailer', at));
    const { value, sound } = parseObjectAt(source, at + 'trailer'.length);
    return sure(sound && value instanceof Dict && value);
  }

  private section(first: number, count: number, from: number): number {
    for (let index = 0; index < count; index += 1) {
      const line = this.source.slice(from + index * 20, from + index * 20 + 20);
      const [, offset, generation, kind] = sure(ROW.exec(line) ?? undefined);
      this.note(
        first + index,
        kind === 'n' ? { offset: Number(offset), generation: Number(generation) } : undefined,
      );
    }
    return from + count * 20;
  }

  private note(number: number, entry: Entry | undefined): void {
    sure(number <= MAX_NUMBER && this.entries.size < MAX_OBJECTS && (number > 0 || !entry));
    if (!this.entries.has(number)) this.entries.set(number, entry);
  }

  private stream(offset: number): Dict {
    const head = /\d{1,7} \d{1,5} obj(?=[\s<])/y;
    head.lastIndex = offset;
    sure(head.test(this.source));
    const { value, end, sound } = parseObjectAt(this.source, head.lastIndex);
    const dict = sure(sound && value instanceof Dict && value);
    sure(isName(dict.get('Type'), 'XRef'));
    const data = unpack(dict, streamBytes(this.bytes, this.source, end, dict.get('Length')));
    const widths = sure(wholes(dict.get('W')));
    const [kinds = 0, seconds = 0, thirds = 0] = widths;
    sure(widths.length === 3 && widths.every((width) => width <= 4) && seconds > 0);
    const rowBytes = kinds + seconds + thirds;
    const sections = dict.has('Index') ? sure(wholes(dict.get('Index'))) : [0, sure(whole(dict.get('Size')))];
    let at = 0;
    for (let index = 0; index < sections.length; index += 2) {
      const [first = 0, count = 0] = sections.slice(index, index + 2);
      for (let row = 0; row < count; row += 1, at += rowBytes) {
        sure(at + rowBytes <= data.length);
        const kind = kinds === 0 ? 1 : number(data, at, kinds);
        const second = number(data, at + kinds, seconds);
        const third = number(data, at + kinds + seconds, thirds);
        sure(kind <= 2);
        if (kind === 0) this.note(first + row, undefined);
        else if (kind === 1) this.note(first + row, { offset: second, generation: third });
        else this.note(first + row, { container: second, index: third });
      }
    }
    sure(at === data.length);
    return dict;
  }
}

function number(data: Uint8Array, at: number, width: number): number {
  let made = 0;
  for (let index = 0; index < width; index += 1) made = made * 256 + (data[at + index] ?? 0);
  return made;
}

const whole = (value: PdfValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

function wholes(value: PdfValue | undefined): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const made = value.map(whole);
  return made.every((each) => each !== undefined) ? made : undefined;
}

/** The data behind a stream's dictionary, which ends at `end`. */
export function streamBytes(
  bytes: Uint8Array,
  source: string,
  end: number,
  length: PdfValue | undefined,
): Uint8Array {
  const word = skipWhite(source, end);
  sure(source.startsWith('stream', word));
  const after = word + 'stream'.length;
  const start = source.startsWith('\r\n', after) ? after + 2 : sure(source[after] === '\n' && after + 1);
  const stop = start + sure(whole(length));
  const words = /(?:\r\n|\n|\r)?endstream\s+endobj\s/y;
  words.lastIndex = stop;
  sure(words.test(source));
  return bytes.subarray(start, stop);
}

/** The data of a stream of objects or cross-references: packed by Flate, or not at all. */
export function unpack(dict: Dict, data: Uint8Array): Uint8Array {
  const filter = dict.get('Filter');
  if (filter === undefined) return data;
  sure(filter === name('FlateDecode'));
  const parms = dict.get('DecodeParms') ?? new Dict();
  sure(parms instanceof Dict);
  const inflated = inflate(data);
  if (!(parms as Dict).has('Predictor')) return inflated;
  return undoPredictor(inflated, (key) => whole((parms as Dict).get(key)));
}

function inflate(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new Doubt();
  }
}
