// A content stream, operation by operation (ISO 32000-1, 7.8.2). Never fails: what is no PDF is passed over, as
// readers do.
import { Dict, name, PdfString, type PdfValue } from './objects.ts';

export interface Operation {
  operator: string;
  operands: PdfValue[];
  /** Where it stands in the bytes: from its first operand to behind its operator. */
  start: number;
  end: number;
  /** Where the data of an inline image stands. */
  data?: { start: number; end: number };
}

const WHITE = 1;
const DELIMITER = 2;
const NUMERIC = 3;
const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;
for (const c of '0123456789+-.') CLASSES[c.charCodeAt(0)] = NUMERIC;

const MAX_OPERANDS = 100_000;
const MAX_DEPTH = 50;

const CLOSE_ARRAY = Symbol('] or >>');
type Token = PdfValue | typeof CLOSE_ARRAY | { operator: string };

export class ContentReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** An inline image comes as one operation, BI, with its dictionary; `end` is behind EI. */
  next(): Operation | undefined {
    let operands: PdfValue[] = [];
    let start = -1;
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length) return undefined;
      const from = this.at;
      const token = this.token(0);
      if (token === CLOSE_ARRAY) continue;
      if (start === -1) start = from;
      if (!isOperator(token)) {
        if (operands.length < MAX_OPERANDS) operands.push(token);
        continue;
      }
      const { operator } = token;
      if (operator !== 'BI') return { operator, operands, start, end: this.at };
      operands = [this.inlineDict()];
      const dataStart = Math.min(this.at + 1, this.bytes.length);
      this.at = this.imageEnd(dataStart);
      return {
        operator,
        operands,
        start,
        end: this.at,
        data: { start: dataStart, end: Math.max(dataStart, this.at - 2) },
      };
    }
  }

  private skipWhite(): void {
    const { bytes } = this;
    for (;;) {
      const c = bytes[this.at];
      if (c === undefined) return;
      if (c === 0x25) this.skipComment();
      else if (CLASSES[c] === WHITE) this.at += 1;
      else return;
    }
  }

  private skipComment(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 0x0a && this.bytes[this.at] !== 0x0d)
      this.at += 1;
  }

  /** Stands on a character that is no white space. */
  private token(depth: number): Token {
    const c = this.bytes[this.at] ?? 0;
    const kind = CLASSES[c];
    if (kind === NUMERIC) return this.number();
    if (kind !== DELIMITER) return this.word();
    if (c === 0x2f) return name(this.nameText());
    if (c === 0x28) return this.literal();
    if (c === 0x5b) return this.array(depth);
    if (c === 0x3c) return this.bytes[this.at + 1] === 0x3c ? this.dict(depth) : this.hex();
    this.at += c === 0x3e && this.bytes[this.at + 1] === 0x3e ? 2 : 1;
    return CLOSE_ARRAY;
  }

  private number(): number {
    const { bytes } = this;
    const start = this.at;
    while (CLASSES[bytes[this.at] ?? 0x20] === NUMERIC) this.at += 1;
    const text = latin1(bytes, start, this.at);
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    // `--5` and `1.2.3` are written by careless producers; a sign inside ends the number.
    const sound = /^[+-]*(\d*\.?\d*)/.exec(text)?.[1] ?? '';
    return (Number(sound) || 0) * (text.startsWith('-') ? -1 : 1);
  }

  private wordEnd(from: number): number {
    let end = from;
    while (end < this.bytes.length) {
      const kind = CLASSES[this.bytes[end] as number];
      if (kind === WHITE || kind === DELIMITER) break;
      end += 1;
    }
    return end;
  }

  private word(): PdfValue | { operator: string } {
    const end = this.wordEnd(this.at);
    const word = latin1(this.bytes, this.at, end);
    this.at = end;
    if (word === 'true') return true;
    if (word === 'false') return false;
    return word === 'null' ? null : { operator: word };
  }

  private nameText(): string {
    const end = this.wordEnd(this.at + 1);
    const raw = latin1(this.bytes, this.at + 1, end);
    this.at = end;
    if (!raw.includes('#')) return raw;
    return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  private literal(): PdfString {
    const { bytes } = this;
    const made: number[] = [];
    this.at += 1;
    for (let open = 1; this.at < bytes.length; this.at += 1) {
      const c = bytes[this.at] as number;
      if (c === 0x5c) {
        this.escape(made);
        continue;
      }
      if (c === 0x28) open += 1;
      if (c === 0x29) {
        open -= 1;
        if (open === 0) {
          this.at += 1;
          break;
        }
      }
      // An end of line within a string counts as \n, however it is written.
      if (c === 0x0d) {
        if (bytes[this.at + 1] === 0x0a) this.at += 1;
        made.push(0x0a);
      } else made.push(c);
    }
    return new PdfString(Uint8Array.from(made));
  }

  /** Stands on the backslash; leaves the reader on the last character of the escape. */
  private escape(made: number[]): void {
    const { bytes } = this;
    this.at += 1;
    const c = bytes[this.at] ?? 0;
    if (c >= 0x30 && c <= 0x37) {
      let value = 0;
      let digits = 0;
      for (; digits < 3; digits += 1) {
        const digit = (bytes[this.at + digits] ?? 0) - 0x30;
        if (digit < 0 || digit > 7) break;
        value = value * 8 + digit;
      }
      this.at += digits - 1;
      made.push(value & 0xff);
      return;
    }
    if (c === 0x0d) {
      if (bytes[this.at + 1] === 0x0a) this.at += 1;
      return;
    }
    if (c !== 0x0a) made.push(ESCAPES.get(c) ?? c);
  }

  private hex(): PdfString {
    const { bytes } = this;
    const made: number[] = [];
    let half = -1;
    this.at += 1;
    for (; this.at < bytes.length && bytes[this.at] !== 0x3e; this.at += 1) {
      const digit = Number.parseInt(String.fromCharCode(bytes[this.at] as number), 16);
      if (Number.isNaN(digit)) continue;
      if (half === -1) half = digit;
      else {
        made.push(half * 16 + digit);
        half = -1;
      }
    }
    if (half !== -1) made.push(half * 16);
    this.at += 1;
    return new PdfString(Uint8Array.from(made));
  }

  private array(depth: number): PdfValue[] {
    this.at += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length || depth > MAX_DEPTH) return items;
      const before = this.at;
      const token = this.token(depth + 1);
      if (token === CLOSE_ARRAY) return items;
      if (isOperator(token)) {
        // An array that is never closed ends where an operator stands.
        this.at = before;
        return items;
      }
      items.push(token);
    }
  }

  private dict(depth: number): Dict {
    this.at += 2;
    return this.entries(depth, () => false);
  }

  /** Keys and values up to the closing mark, or the word that ends an inline image's dictionary. */
  private entries(depth: number, isEnd: (word: string) => boolean): Dict {
    const dict = new Dict();
    let key: string | undefined;
    for (;;) {
      this.skipWhite();
      if (this.at >= this.bytes.length || depth > MAX_DEPTH) return dict;
      if (key === undefined && this.bytes[this.at] === 0x2f) {
        key = this.nameText();
        continue;
      }
      const before = this.at;
      const token = this.token(depth + 1);
      if (token === CLOSE_ARRAY) return dict;
      if (isOperator(token)) {
        if (!isEnd(token.operator)) this.at = before;
        return dict;
      }
      if (key !== undefined) dict.set(key, token);
      key = undefined;
    }
  }

  private inlineDict(): Dict {
    return this.entries(0, (word) => word === 'ID');
  }

  /** Behind the lone EI after which readable content follows. */
  private imageEnd(from: number): number {
    const { bytes } = this;
    for (let at = from; at + 1 < bytes.length; at += 1) {
      if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
      if (CLASSES[bytes[at - 1] ?? 0x20] === WHITE && this.looksLikeContent(at + 2)) return at + 2;
    }
    return bytes.length;
  }

  private looksLikeContent(from: number): boolean {
    if (from >= this.bytes.length) return true;
    const first = CLASSES[this.bytes[from] as number];
    if (first !== WHITE) return false;
    const until = Math.min(this.bytes.length, from + 16);
    for (let at = from; at < until; at += 1) {
      const c = this.bytes[at] as number;
      if (c > 0x7e || (c < 0x20 && CLASSES[c] !== WHITE)) return false;
    }
    return true;
  }
}

const ESCAPES = new Map<number, number>([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

const isOperator = (token: Token): token is { operator: string } =>
  typeof token === 'object' && token !== null && 'operator' in token;

function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 64) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  let text = '';
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at] as number);
  return text;
}
