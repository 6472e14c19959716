// PDF syntax as it is written, character by character: what a reader that mends as it reads never tells.

export type SyntaxFault =
  | 'odd-hex'
  | 'bad-hex'
  /** Strings, names, numbers and collections that some part forbids; `value` tells how long or large. */
  | 'string'
  | 'name'
  | 'integer'
  | 'real'
  | 'tiny-real'
  | 'array'
  | 'dict';

export interface FoundFault {
  fault: SyntaxFault;
  value: number;
  at: number;
}

export interface Word {
  word: string;
  start: number;
  end: number;
}

const WHITE = 1;
const DELIMITER = 2;
const NUMERIC = 3;
const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;
for (const c of '0123456789+-.') CLASSES[c.charCodeAt(0)] = NUMERIC;

export const isWhite = (byte: number | undefined): boolean => byte !== undefined && CLASSES[byte] === WHITE;
export const isEol = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;
const isHex = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x46) || (c >= 0x61 && c <= 0x66);

/** The strictest limits of any part: what is within them needs no second look. */
const LONG_STRING = 32_767;
const LONG_NAME = 127;
const LARGE_INTEGER = 2_147_483_647;
const LARGE_REAL = 32_767;
const TINY_REAL = 1.175e-38;
const LONG_ARRAY = 8191;
const LARGE_DICT = 4095;
const MAX_FAULTS = 10_000;

/** Reads tokens and keeps a list of what is odd about them. */
export class RawSyntax {
  readonly faults: FoundFault[] = [];
  at: number;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private readonly open: number[] = [];

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** The next word that is no object: an operator or keyword; numbers, names, strings and brackets are passed. */
  nextWord(): Word | undefined {
    const { bytes } = this;
    while (this.at < this.end) {
      const c = bytes[this.at] as number;
      const kind = CLASSES[c];
      if (kind === WHITE) this.at += 1;
      else if (kind === DELIMITER) this.scanDelimiter(c);
      else {
        const start = this.at;
        this.skipRegular();
        this.count();
        if (kind !== NUMERIC) return { word: this.text(start, this.at), start, end: this.at };
        this.number(start);
      }
    }
    return undefined;
  }

  private text(from: number, to: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, Math.min(to - from, 64)).toString(
      'latin1',
    );
  }

  private skipRegular(): void {
    while (this.at < this.end) {
      const kind = CLASSES[this.bytes[this.at] as number];
      if (kind === WHITE || kind === DELIMITER) return;
      this.at += 1;
    }
  }

  private report(fault: SyntaxFault, value: number, at: number): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ fault, value, at });
  }

  /** One more item of the collection that is open. */
  private count(): void {
    const { open } = this;
    if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) + 1;
  }

  private number(start: number): void {
    // Ten characters hold no number beyond the limits, unless they are a tiny one.
    const length = this.at - start;
    if (length < 6) return;
    const text = this.text(start, this.at);
    const value = Number(text);
    if (!Number.isFinite(value)) return;
    if (!text.includes('.')) {
      if (Math.abs(value) > LARGE_INTEGER && value !== -LARGE_INTEGER - 1)
        this.report('integer', value, start);
    } else if (Math.abs(value) > LARGE_REAL) this.report('real', value, start);
    else if (value !== 0 && Math.abs(value) < TINY_REAL) this.report('tiny-real', value, start);
  }

  private scanDelimiter(c: number): void {
    const start = this.at;
    if (c === 0x25) {
      while (this.at < this.end && !isEol(this.bytes[this.at])) this.at += 1;
      return;
    }
    if (c === 0x2f) {
      this.at += 1;
      this.skipRegular();
      this.count();
      this.name(start);
      return;
    }
    if (c === 0x28) {
      this.literal();
      return;
    }
    const doubled = this.bytes[start + 1] === c;
    if (c === 0x3c && !doubled) {
      this.hex();
      return;
    }
    this.at += (c === 0x3c || c === 0x3e) && doubled ? 2 : 1;
    if (c === 0x5b || c === 0x3c) {
      this.count();
      this.open.push(0);
    } else if (c === 0x5d || c === 0x3e) {
      const items = this.open.pop() ?? 0;
      if (c === 0x5d && items > LONG_ARRAY) this.report('array', items, start);
      if (c === 0x3e && items / 2 > LARGE_DICT) this.report('dict', items / 2, start);
    }
  }

  private name(start: number): void {
    if (this.at - start - 1 <= LONG_NAME) return;
    const raw = this.bytes.subarray(start + 1, this.at);
    let length = raw.length;
    for (let at = 0; at + 2 < raw.length; at += 1)
      if (raw[at] === 0x23 && isHex(raw[at + 1] ?? 0) && isHex(raw[at + 2] ?? 0)) length -= 2;
    if (length > LONG_NAME) this.report('name', length, start);
  }

  private literal(): void {
    const { bytes } = this;
    const start = this.at;
    let depth = 0;
    let length = -1;
    for (; this.at < this.end; this.at += 1) {
      const c = bytes[this.at];
      length += 1;
      if (c === 0x5c) this.at += 1;
      else if (c === 0x28) depth += 1;
      else if (c === 0x29) {
        depth -= 1;
        if (depth > 0) continue;
        this.at += 1;
        break;
      }
    }
    this.count();
    if (length > LONG_STRING) this.report('string', length, start);
  }

  private hex(): void {
    const { bytes } = this;
    const start = this.at;
    let digits = 0;
    let sound = true;
    for (this.at += 1; this.at < this.end && bytes[this.at] !== 0x3e; this.at += 1) {
      const c = bytes[this.at] as number;
      if (isHex(c)) digits += 1;
      else if (CLASSES[c] !== WHITE) sound = false;
    }
    this.at += 1;
    this.count();
    if (digits % 2 === 1) this.report('odd-hex', digits, start);
    if (!sound) this.report('bad-hex', digits, start);
    if (digits / 2 > LONG_STRING) this.report('string', digits / 2, start);
  }
}
