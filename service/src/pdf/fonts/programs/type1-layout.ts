// Where things lie in a Type 1 font program: PostScript, the second half of it encrypted (Adobe Type 1 Font Format).

const FILE_KEY = 55665;
const OUTLINE_KEY = 4330;
const [FACTOR, SUMMAND] = [52845, 22719];
const MAX_ENTRIES = 65535;
const DEFAULT_LEAD = 4;

export interface Entry {
  /** The whole entry in the decrypted half: its name or number, length, data and what ends it. */
  start: number;
  end: number;
  data: { start: number; end: number };
}

export interface Type1Layout {
  /** Where the encrypted half begins and ends in the file. */
  from: number;
  to: number;
  /** That half, decrypted. */
  plain: Buffer;
  outlines: (Entry & { name: string })[];
  /** Shared pieces of outlines, by number; none where they are not written as usual. */
  pieces: ReadonlyMap<number, Entry>;
  /** Bytes of no meaning at the beginning of each outline; below 0: outlines are not encrypted. */
  lead: number;
}

export function readType1(file: Buffer): Type1Layout | undefined {
  const word = file.indexOf('eexec');
  if (word === -1) return undefined;
  let from = word + 5;
  while (from < file.length && /\s/.test(String.fromCharCode(file.readUInt8(from)))) from += 1;
  // Written in hexadecimal digits, which no PDF needs to.
  if (/^[0-9a-fA-F\s]{8}/.test(file.toString('latin1', from, from + 8))) return undefined;
  const plain = decrypt(file.subarray(from), FILE_KEY);
  const first = plain.indexOf('/CharStrings');
  // Fonts for two kinds of devices hold their outlines twice.
  if (first === -1 || plain.indexOf('/CharStrings', first + 1) !== -1) return undefined;
  const lead = /\/lenIV\s+(-?\d+)/.exec(plain.toString('latin1', 0, first))?.[1];
  const outlines = readOutlines(plain, first);
  const close = plain.indexOf('closefile', outlines?.at(-1)?.end ?? 0);
  if (!outlines || outlines.length === 0 || close === -1) return undefined;
  const end = lineEnd(plain, close + 'closefile'.length);
  return {
    from,
    to: from + end,
    plain: plain.subarray(0, end),
    outlines,
    pieces: readPieces(plain.subarray(0, first)),
    lead: Number(lead ?? DEFAULT_LEAD),
  };
}

/** The entries `/name length RD data ND`, whatever the words RD and ND are called. */
function readOutlines(plain: Buffer, first: number): Type1Layout['outlines'] | undefined {
  const outlines: Type1Layout['outlines'] = [];
  const begin = plain.indexOf('begin', first);
  if (begin === -1) return undefined;
  for (let at = begin + 5; outlines.length < MAX_ENTRIES; ) {
    const entry = readEntry(plain, at, /^\s*(\/)([^\s/[\](){}<>%]*)\s+(\d{1,6})\s+[^\s\d/]\S* /);
    if (!entry) return outlines;
    outlines.push({ ...entry, name: entry.label });
    at = entry.end;
  }
  return undefined;
}

/** The entries `dup number length RD data NP`. */
function readPieces(plain: Buffer): Map<number, Entry> {
  const pieces = new Map<number, Entry>();
  const list = /\/Subrs\s+\d+\s+array/.exec(plain.toString('latin1'));
  if (!list) return pieces;
  for (let at = list.index + list[0].length; pieces.size < MAX_ENTRIES; ) {
    const entry = readEntry(plain, at, /^\s*(dup)\s+(\d{1,5})\s+(\d{1,6})\s+[^\s\d/]\S* /);
    if (!entry) break;
    pieces.set(Number(entry.label), entry);
    at = entry.end;
  }
  return pieces;
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
  if (plain[at] === 0x0d && plain[at + 1] === 0x0a) return at + 2;
  return plain[at] === 0x0a || plain[at] === 0x0d ? at + 1 : at;
}

/** The program of an outline or a piece. */
export function programOf({ plain, lead }: Type1Layout, { data }: Entry): Uint8Array {
  const bytes = plain.subarray(data.start, data.end);
  return lead < 0 ? bytes : decrypt(bytes, OUTLINE_KEY).subarray(lead);
}

/** The file without these entries. */
export function without(
  file: Buffer,
  layout: Type1Layout,
  entries: readonly Entry[],
): [Buffer, Buffer, Buffer] {
  const kept: Buffer[] = [];
  let at = 0;
  for (const { start, end } of [...entries].sort((a, b) => a.start - b.start)) {
    kept.push(layout.plain.subarray(at, start));
    at = Math.max(at, end);
  }
  kept.push(layout.plain.subarray(at));
  return [file.subarray(0, layout.from), encrypt(Buffer.concat(kept), FILE_KEY), file.subarray(layout.to)];
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
