// The letters of content streams (ISO 32000-1, 7.2 and 7.8.2): what the tolerant reader and the strict scanner have
// in common.
import { PdfString } from '../objects.ts';

export const WHITE = 1;
export const DELIMITER = 2;
export const NUMERIC = 3;
export const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;
for (const c of '0123456789+-.') CLASSES[c.charCodeAt(0)] = NUMERIC;

const ESCAPES = new Map<number, number>([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** The value of a hexadecimal digit, 255 for all else. */
const HEX = new Uint8Array(256).fill(255);
for (const [value, c] of [...'0123456789abcdef'].entries()) {
  HEX[c.charCodeAt(0)] = value;
  HEX[c.toUpperCase().charCodeAt(0)] = value;
}

export class ContentLexer {
  protected readonly bytes: Uint8Array;
  protected at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  protected skipComment(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 0x0a && this.bytes[this.at] !== 0x0d)
      this.at += 1;
  }

  protected wordEnd(from: number): number {
    let end = from;
    while (end < this.bytes.length) {
      const kind = CLASSES[this.bytes[end] as number];
      if (kind === WHITE || kind === DELIMITER) break;
      end += 1;
    }
    return end;
  }

  /** Stands on the slash. */
  protected nameText(): string {
    const end = this.wordEnd(this.at + 1);
    const raw = latin1(this.bytes, this.at + 1, end);
    this.at = end;
    if (!raw.includes('#')) return raw;
    return raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  /** Stands on the opening bracket. A string that is never closed ends with the stream. */
  protected literal(): PdfString {
    return this.plainLiteral() ?? this.escapedLiteral();
  }

  /** Most strings are written without anything that means something else. */
  private plainLiteral(): PdfString | undefined {
    const { bytes } = this;
    const from = this.at + 1;
    for (let at = from; at < bytes.length; at += 1) {
      const c = bytes[at];
      if (c === 0x5c || c === 0x28 || c === 0x0d) return undefined;
      if (c !== 0x29) continue;
      this.at = at + 1;
      return new PdfString(bytes.subarray(from, at));
    }
    return undefined;
  }

  private escapedLiteral(): PdfString {
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
    return new PdfString(new Uint8Array(made));
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

  /** Stands on the opening bracket. A string that is never closed ends with the stream. */
  protected hex(): PdfString {
    const { bytes } = this;
    const end = bytes.indexOf(0x3e, this.at);
    const to = end === -1 ? bytes.length : end;
    const made = new Uint8Array((to - this.at) >> 1);
    let digits = 0;
    for (let at = this.at + 1; at < to; at += 1) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit === 255) continue;
      const place = digits >> 1;
      made[place] = digits & 1 ? (made[place] as number) + digit : digit << 4;
      digits += 1;
    }
    this.at = to + 1;
    return new PdfString(made.subarray(0, (digits + 1) >> 1));
  }

  /** Behind the lone EI after which readable content follows; undefined where there is none. */
  protected imageEnd(from: number): number | undefined {
    const { bytes } = this;
    for (let at = from; at + 1 < bytes.length; at += 1) {
      if (bytes[at] !== 0x45 || bytes[at + 1] !== 0x49) continue;
      if (CLASSES[bytes[at - 1] ?? 0x20] === WHITE && this.looksLikeContent(at + 2)) return at + 2;
    }
    return undefined;
  }

  private looksLikeContent(from: number): boolean {
    if (from >= this.bytes.length) return true;
    if (CLASSES[this.bytes[from] as number] !== WHITE) return false;
    const until = Math.min(this.bytes.length, from + 16);
    for (let at = from; at < until; at += 1) {
      const c = this.bytes[at] as number;
      if (c > 0x7e || (c < 0x20 && CLASSES[c] !== WHITE)) return false;
    }
    return true;
  }
}

export function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 64) return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  let text = '';
  for (let at = from; at < to; at += 1) text += String.fromCharCode(bytes[at] as number);
  return text;
}
