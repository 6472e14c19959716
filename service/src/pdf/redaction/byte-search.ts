// Words in data of any kind, by their bytes: as Latin-1, UTF-8 and UTF-16, in either letter case.

export interface Bytes {
  start: number;
  end: number;
}

/** Fewer bytes stand somewhere by chance. */
const LEAST_BYTES = 5;
/** Patterns are told apart by so many bytes at their beginning. */
const HEAD = 4;

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

export class ByteSearch {
  private readonly byHead = new Map<number, Buffer[]>();
  /** Heads by some of their bits: most places are passed over by one look. */
  private readonly mayBegin = new Uint8Array(1 << 16);

  constructor(words: readonly string[]) {
    for (const pattern of new Set(words.flatMap(patternsOf))) {
      const bytes = Buffer.from(pattern, 'latin1').map((byte) => FOLDED[byte] ?? byte) as Buffer;
      if (bytes.length < LEAST_BYTES) continue;
      const head = bytes.readUInt32BE(0);
      this.byHead.set(head, [...(this.byHead.get(head) ?? []), bytes]);
      this.mayBegin[bitsOf(head)] = 1;
    }
  }

  /** Places that may overlap; one pass, whatever the number of words. */
  find(data: Uint8Array): Bytes[] {
    const found: Bytes[] = [];
    if (this.byHead.size === 0) return found;
    const { mayBegin } = this;
    let head = 0;
    for (let at = 0; at < data.length; at += 1) {
      head = (head << 8) | (FOLDED[data[at] as number] as number);
      if (mayBegin[bitsOf(head)] === 0 || at < HEAD - 1) continue;
      const start = at - HEAD + 1;
      for (const pattern of this.byHead.get(head >>> 0) ?? [])
        if (stands(pattern, data, start)) found.push({ start, end: start + pattern.length });
    }
    return found;
  }
}

const bitsOf = (head: number): number => Math.imul(head, 0x9e3779b1) >>> 16;

function stands(pattern: Uint8Array, data: Uint8Array, start: number): boolean {
  if (start + pattern.length > data.length) return false;
  for (let at = HEAD; at < pattern.length; at += 1)
    if (FOLDED[data[start + at] as number] !== pattern[at]) return false;
  return true;
}

/** One character per byte. */
function patternsOf(word: string): string[] {
  const trimmed = word.trim().replace(/\s+/g, ' ');
  if (trimmed === '') return [];
  return [trimmed.toLowerCase(), trimmed.toUpperCase(), trimmed].flatMap((text) => {
    const little = Buffer.from(text, 'utf16le');
    const wide = [little, Buffer.from(little).swap16(), Buffer.from(text, 'utf8')].map((bytes) =>
      bytes.toString('latin1'),
    );
    return /^[\u0000-\u00ff]*$/.test(text) ? [...wide, text] : wide;
  });
}
