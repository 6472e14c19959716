// Type 1 font programs (Adobe Type 1 Font Format): PostScript, the second half of it encrypted (eexec). Where things lie
// in them, and what charstrings say.
import { STANDARD_NAMES } from '../simple-encodings.ts';
import { readSidebearingWidth } from './type1-charstrings.ts';
import { type BuiltInEncoding, readBuiltInEncoding } from './type1-dictionaries.ts';

const FILE_KEY = 55665;
const CHARSTRING_KEY = 4330;
const [FACTOR, SUMMAND] = [52845, 22719];
const MAX_ENTRIES = 65535;
/** So many things are looked at that are no charstrings. */
const MAX_MISSES = 10_000;
const DEFAULT_LEN_IV = 4;
const [SPACE, TAB, CARRIAGE_RETURN, LINE_FEED] = [0x20, 0x09, 0x0d, 0x0a];
const SEGMENT = 0x80;
const LAST_SEGMENT = 3;

export interface Entry {
  /** The whole entry in the decrypted half: its name or number, length, data and what ends it. */
  start: number;
  end: number;
  data: { start: number; end: number };
}

export interface Type1Font {
  /** What is written in the clear. */
  clear: string;
  /** Where the encrypted half begins and ends in the file. */
  from: number;
  to: number;
  /** That half, decrypted. */
  plain: Buffer;
  charstrings: readonly (Entry & { name: string })[];
  /** Subroutines of charstrings, by number; none where they are not written as usual. */
  subrs: ReadonlyMap<number, Entry>;
  /** Bytes of no meaning at the beginning of each charstring; below 0: charstrings are not encrypted. */
  lenIV: number;
  encoding: BuiltInEncoding;
  /** Whether it goes on to its end; what is left of a font that was cut off is read all the same. */
  isWhole: boolean;
  /** What is written in a manner that readers understand, but that nobody may rely on who writes the font anew. */
  faults: readonly string[];
}

/** The name of a code by the encoding that the program brings along. */
export const nameOfCode = ({ encoding }: Type1Font, code: number): string | undefined =>
  encoding.isStandard ? STANDARD_NAMES[code] : encoding.names.get(code);

/** Of two charstrings of one name readers take the first. */
export const charstringNamed = ({ charstrings }: Type1Font, name: string | undefined): Entry | undefined =>
  charstrings.find((each) => each.name === name);

/** What a charstring or a subroutine says. */
export function decryptEntry({ plain, lenIV }: Type1Font, { data }: Entry): Uint8Array {
  const bytes = plain.subarray(data.start, data.end);
  return lenIV < 0 ? bytes : decrypt(bytes, CHARSTRING_KEY).subarray(lenIV);
}

/** In thousandths of the size; undefined where the charstring does not begin with it. */
export function type1Width(font: Type1Font, charstring: Entry): number | undefined {
  const [, unit = 0.001] = /\/FontMatrix\s*[[{]\s*([-+.\deE]+)/.exec(font.clear) ?? [];
  const width = readSidebearingWidth(decryptEntry(font, charstring));
  return width === undefined ? undefined : width * (Number(unit) * 1000);
}

/** Undefined where there are no charstrings. */
export function readType1(file: Buffer): Type1Font | undefined {
  const faults: string[] = [];
  const joined = file[0] === SEGMENT ? joinSegments(file) : file;
  if (joined !== file) faults.push('the file is in segments');
  const word = joined.indexOf('eexec');
  if (word === -1) return undefined;
  let from = word + 5;
  // What is encrypted never begins with one of these; with other blanks it may.
  while ([SPACE, TAB, CARRIAGE_RETURN, LINE_FEED].includes(joined[from] ?? 0)) from += 1;
  const isHex = /^[0-9a-fA-F\s]{8}/.test(joined.toString('latin1', from, from + 8));
  if (isHex) faults.push('the encrypted half is written in hexadecimal digits');
  const plain = decrypt(isHex ? hexBytes(joined.subarray(from)) : joined.subarray(from), FILE_KEY);
  const first = plain.indexOf('/CharStrings');
  if (first === -1) return undefined;
  // Fonts for two kinds of devices hold their charstrings twice.
  if (plain.indexOf('/CharStrings', first + 1) !== -1) faults.push('there are charstrings twice');
  const lenIV = /\/lenIV\s+(-?\d+)/.exec(plain.toString('latin1', 0, first))?.[1];
  const charstrings = readCharstrings(plain, first, faults);
  if (charstrings.length === 0) return undefined;
  const close = plain.indexOf('closefile', charstrings.at(-1)?.end ?? 0);
  if (close === -1) faults.push('the encrypted half does not end');
  const end = close === -1 ? plain.length : lineEnd(plain, close + 'closefile'.length);
  const clear = joined.toString('latin1', 0, from);
  return {
    clear,
    encoding: readBuiltInEncoding(clear),
    from,
    to: from + end,
    plain: plain.subarray(0, end),
    charstrings,
    subrs: readSubrs(plain.subarray(0, first)),
    lenIV: Number(lenIV ?? DEFAULT_LEN_IV),
    isWhole: close !== -1,
    faults,
  };
}

/** Segments of PFB files have heads of six bytes. */
function joinSegments(file: Buffer): Buffer {
  const segments: Buffer[] = [];
  for (let at = 0; file[at] === SEGMENT && file[at + 1] !== LAST_SEGMENT && at + 6 < file.length; ) {
    const start = at + 6;
    at = start + file.readUInt32LE(at + 2);
    segments.push(file.subarray(start, at));
  }
  return Buffer.concat(segments);
}

const hexBytes = (digits: Buffer): Buffer =>
  Buffer.from(digits.toString('latin1').replace(/[^0-9a-fA-F]/g, ''), 'hex');

/** The entries `/name length RD data ND`, whatever the words RD and ND are called. */
function readCharstrings(plain: Buffer, first: number, faults: string[]): Type1Font['charstrings'] {
  const charstrings: (Entry & { name: string })[] = [];
  const begin = plain.indexOf('begin', first);
  let isAstray = begin === -1;
  let misses = 0;
  for (let at = isAstray ? first + 1 : begin + 5; at !== -1 && misses < MAX_MISSES; ) {
    const entry = readEntry(plain, at, /^\s*(\/)([^\s/[\](){}<>%]*)\s+(\d{1,6})\s+[^\s\d/]\S* /);
    if (entry && isAstray) faults.push('something stands between charstrings');
    if (entry) charstrings.push({ ...entry, name: entry.label });
    if (charstrings.length >= MAX_ENTRIES) {
      faults.push('charstrings without end');
      break;
    }
    isAstray = !entry;
    if (!entry) misses += 1;
    at = entry ? entry.end : plain.indexOf('/', at + 1);
  }
  return charstrings;
}

/** The entries `dup number length RD data NP`. */
function readSubrs(plain: Buffer): Map<number, Entry> {
  const subrs = new Map<number, Entry>();
  const list = /\/Subrs\s+\d+\s+array/.exec(plain.toString('latin1'));
  if (!list) return subrs;
  for (let at = list.index + list[0].length; subrs.size < MAX_ENTRIES; ) {
    const entry = readEntry(plain, at, /^\s*(dup)\s+(\d{1,5})\s+(\d{1,6})\s+[^\s\d/]\S* /);
    if (!entry) break;
    subrs.set(Number(entry.label), entry);
    at = entry.end;
  }
  return subrs;
}

/** `pattern` tells how an entry begins: a mark, the label, the length of the data. */
function readEntry(plain: Buffer, at: number, pattern: RegExp): (Entry & { label: string }) | undefined {
  const found = pattern.exec(plain.toString('latin1', at, at + 300));
  if (!found) return undefined;
  const [whole, mark = '', label = '', length = '0'] = found;
  const data = { start: at + whole.length, end: at + whole.length + Number(length) };
  if (data.end > plain.length) return undefined;
  const closing = /^\s*(?:noaccess\s+)?[^\s/]+(?=[\s/])/.exec(
    plain.toString('latin1', data.end, data.end + 60),
  );
  if (!closing) return undefined;
  return { label, start: at + whole.indexOf(mark), end: data.end + closing[0].length, data };
}

/** Behind the end of line that belongs to a word. */
function lineEnd(plain: Buffer, at: number): number {
  if (plain[at] === CARRIAGE_RETURN && plain[at + 1] === LINE_FEED) return at + 2;
  return plain[at] === LINE_FEED || plain[at] === CARRIAGE_RETURN ? at + 1 : at;
}

/** The file without these entries. */
export function withoutEntries(
  file: Buffer,
  font: Type1Font,
  entries: readonly Entry[],
): [Buffer, Buffer, Buffer] {
  const kept: Buffer[] = [];
  let at = 0;
  for (const { start, end } of [...entries].sort((a, b) => a.start - b.start)) {
    kept.push(font.plain.subarray(at, start));
    at = Math.max(at, end);
  }
  kept.push(font.plain.subarray(at));
  return [file.subarray(0, font.from), encrypt(Buffer.concat(kept), FILE_KEY), file.subarray(font.to)];
}

function decrypt(bytes: Buffer, key: number): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let state = key;
  for (let at = 0; at < bytes.length; at += 1) {
    const cipher = bytes[at] as number;
    plain[at] = cipher ^ (state >> 8);
    state = ((cipher + state) * FACTOR + SUMMAND) & 0xffff;
  }
  return plain;
}

function encrypt(plain: Buffer, key: number): Buffer {
  const bytes = Buffer.allocUnsafe(plain.length);
  let state = key;
  for (let at = 0; at < plain.length; at += 1) {
    const cipher = (plain[at] as number) ^ (state >> 8);
    bytes[at] = cipher;
    state = ((cipher + state) * FACTOR + SUMMAND) & 0xffff;
  }
  return bytes;
}
