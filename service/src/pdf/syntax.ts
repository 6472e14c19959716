// PDF object syntax: text (one character per byte) to values and back.
import { Dict, Name, name, PdfString, type PdfValue, Ref } from './objects.ts';

const WHITE = new Set(['\0', '\t', '\n', '\f', '\r', ' ']);
const DELIMITERS = new Set(['(', ')', '<', '>', '[', ']', '{', '}', '/', '%']);
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Objects nest this deep at most; hostile files nest further. */
const MAX_DEPTH = 500;

/** Parses one object, as an engine prints it: well formed, without comments or streams. */
export function parseObject(source: string): PdfValue {
  const parser = new Parser(source);
  return parser.value(0);
}

class Parser {
  private at = 0;
  private readonly source: string;
  constructor(source: string) {
    this.source = source;
  }

  value(depth: number): PdfValue {
    if (depth > MAX_DEPTH) {
      this.at = this.source.length;
      return null;
    }
    this.skipWhite();
    const c = this.source[this.at];
    if (c === '/') return this.name();
    if (c === '(') return this.literal();
    if (c === '[') return this.array(depth);
    if (c === '<') return this.source[this.at + 1] === '<' ? this.dict(depth) : this.hex();
    return this.scalar();
  }

  private skipWhite(): void {
    while (WHITE.has(this.source[this.at] ?? '')) this.at += 1;
  }

  private word(): string {
    const start = this.at;
    while (this.at < this.source.length) {
      const c = this.source[this.at] as string;
      if (WHITE.has(c) || DELIMITERS.has(c)) break;
      this.at += 1;
    }
    return this.source.slice(start, this.at);
  }

  private name(): Name {
    this.at += 1;
    const raw = this.word();
    if (!raw.includes('#')) return name(raw);
    return name(
      raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }

  private scalar(): PdfValue {
    const word = this.word();
    if (word === '') {
      this.at += 1;
      return null;
    }
    if (word === 'true') return true;
    if (word === 'false') return false;
    const number = Number(word);
    if (Number.isNaN(number)) return null;
    if (!/^\d+$/.test(word)) return number;
    const reference = /^[ \n\r\t]+(\d+)[ \n\r\t]+R(?![A-Za-z0-9])/.exec(
      this.source.slice(this.at, this.at + 32),
    );
    if (!reference) return number;
    this.at += reference[0].length;
    return new Ref(number, Number(reference[1]));
  }

  private array(depth: number): PdfValue[] {
    this.at += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.skipWhite();
      if (this.at >= this.source.length) return items;
      if (this.source[this.at] === ']') {
        this.at += 1;
        return items;
      }
      items.push(this.value(depth + 1));
    }
  }

  private dict(depth: number): Dict {
    this.at += 2;
    const dict = new Dict();
    for (;;) {
      this.skipWhite();
      if (this.at >= this.source.length) return dict;
      if (this.source[this.at] === '>') {
        this.at += 2;
        return dict;
      }
      const key = this.value(depth + 1);
      const value = this.value(depth + 1);
      if (key instanceof Name && value !== null) dict.set(key.value, value);
    }
  }

  private hex(): PdfString {
    const end = this.source.indexOf('>', this.at);
    const digits = this.source.slice(this.at + 1, end === -1 ? undefined : end).replace(/[^0-9a-fA-F]/g, '');
    this.at = end === -1 ? this.source.length : end + 1;
    return new PdfString(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex'));
  }

  private literal(): PdfString {
    this.at += 1;
    let text = '';
    for (let open = 1; this.at < this.source.length; this.at += 1) {
      const c = this.source[this.at] as string;
      if (c === '(') open += 1;
      if (c === ')') {
        open -= 1;
        if (open === 0) {
          this.at += 1;
          break;
        }
      }
      if (c === '\\') {
        text += this.escape();
        continue;
      }
      text += c;
    }
    return new PdfString(Buffer.from(text, 'latin1'));
  }

  private escape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.source.slice(this.at + 1, this.at + 4));
    if (octal) {
      this.at += octal[0].length;
      return String.fromCharCode(Number.parseInt(octal[0], 8) & 0xff);
    }
    this.at += 1;
    const c = this.source[this.at] ?? '';
    if (c === '\n') return '';
    if (c === '\r') {
      if (this.source[this.at + 1] === '\n') this.at += 1;
      return '';
    }
    return ESCAPES[c] ?? c;
  }
}

export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(Math.abs(value) < 1e21 ? value : 0);
  if (!Number.isFinite(value)) return '0';
  // Exponents are not PDF syntax; six decimals are beyond what any device shows.
  return value.toFixed(6).replace(/\.?0+$/, '') || '0';
}

/** A name with its slash, escaped as PDF syntax asks. */
export function formatName(value: string): string {
  return `/${value.replace(/[^!-~]|[#()<>[\]{}/%]/g, (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;
}

export function formatValue(value: PdfValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof Name) return formatName(value.value);
  if (value instanceof PdfString) return `<${Buffer.from(value.bytes).toString('hex')}>`;
  if (value instanceof Ref) return `${value.key} R`;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`;
  return `<<${[...value].map(([key, inner]) => `${formatName(key)} ${formatValue(inner)}`).join(' ')}>>`;
}
