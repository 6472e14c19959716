// PDF object syntax: text (one character per byte) to values and back.
import { lookup } from '../../contract/lookup.ts';
import { Problem } from '../../contract/problems.ts';
import { Dict, Name, name, PdfString, type PdfValue, Ref } from '../objects.ts';

/** What a byte is to the syntax. */
const REGULAR = 0;
const WHITE = 1;
const DELIMITER = 2;
const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;

const ESCAPES: Record<string, string> = lookup({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' });

/** Objects nest this deep at most; hostile files nest further. */
const MAX_DEPTH = 500;

/** Parses one object, as an engine prints it: well formed, without comments or streams. */
export function parseObject(source: string): PdfValue {
  return new Parser(source, 0).value(0);
}

/** A reference in a text, and where it stands. */
export interface PlacedRef {
  ref: Ref;
  from: number;
  to: number;
}

export interface Parsed {
  value: PdfValue;
  end: number;
  /** Beyond doubt: lawful in every character, without comments, no key twice. */
  sound: boolean;
  refs: PlacedRef[];
}

/** Parses the object that stands at a place of a file. */
export function parseObjectAt(source: string, at: number): Parsed {
  const parser = new Parser(source, at);
  const value = parser.value(0);
  return { value, end: parser.at, sound: parser.sound, refs: parser.refs };
}

/** The next place that is not white. */
export function skipWhite(source: string, at: number): number {
  let place = at;
  while (CLASSES[source.charCodeAt(place)] === WHITE) place += 1;
  return place;
}

const SLASH = 47;
const OPEN_ROUND = 40;
const CLOSE_ROUND = 41;
const OPEN_SQUARE = 91;
const CLOSE_SQUARE = 93;
const LESS = 60;
const GREATER = 62;
const BACKSLASH = 92;
const CARRIAGE_RETURN = 13;
const CAPITAL_R = 82;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const INTEGER = /^\d{1,10}$/;

class Parser {
  at: number;
  sound = true;
  readonly refs: PlacedRef[] = [];
  private readonly source: string;
  constructor(source: string, at: number) {
    this.source = source;
    this.at = at;
  }

  value(depth: number): PdfValue {
    if (depth > MAX_DEPTH) {
      this.at = this.source.length;
      return this.fault(null);
    }
    this.at = skipWhite(this.source, this.at);
    const c = this.source.charCodeAt(this.at);
    if (c === SLASH) return this.name();
    if (c === OPEN_ROUND) return this.literal();
    if (c === OPEN_SQUARE) return this.array(depth);
    if (c === LESS) return this.source.charCodeAt(this.at + 1) === LESS ? this.dict(depth) : this.hex();
    return this.scalar();
  }

  private fault<T>(value: T): T {
    this.sound = false;
    return value;
  }

  private word(): string {
    const start = this.at;
    while (this.at < this.source.length && CLASSES[this.source.charCodeAt(this.at)] === REGULAR) this.at += 1;
    return this.source.slice(start, this.at);
  }

  private name(): Name {
    this.at += 1;
    const raw = this.word();
    if (!raw.includes('#')) return name(raw);
    if (/#(?![0-9a-fA-F]{2})|#00/.test(raw)) this.sound = false;
    return name(
      raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }

  private scalar(): PdfValue {
    const from = this.at;
    const whole = this.whole();
    if (whole >= 0) return this.reference(whole, from) ?? whole;
    const word = this.word();
    if (word === '') {
      this.at += 1;
      return this.fault(null);
    }
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    // Without the sign of zero.
    const number = Number(word) + 0;
    if (Number.isNaN(number)) return this.fault(null);
    if (INTEGER.test(word)) return this.reference(number, from) ?? number;
    if (!NUMBER.test(word)) this.sound = false;
    return number;
  }

  /** Goes over a whole number of up to nine digits, which most numbers are; -1 where something else stands. */
  private whole(): number {
    const { source } = this;
    let { at } = this;
    let value = 0;
    let c = source.charCodeAt(at);
    for (; c >= 48 && c <= 57; c = source.charCodeAt(at)) {
      value = value * 10 + c - 48;
      at += 1;
    }
    if (at === this.at || at - this.at > 9 || CLASSES[c] === REGULAR) return -1;
    this.at = at;
    return value;
  }

  /** A whole number may begin a reference. */
  private reference(number: number, from: number): Ref | undefined {
    const { at, source } = this;
    const second = skipWhite(source, at);
    this.at = second;
    const generation = second > at ? this.whole() : -1;
    const third = skipWhite(source, this.at);
    const isReference =
      generation >= 0 &&
      this.at - second <= 5 &&
      third > this.at &&
      source.charCodeAt(third) === CAPITAL_R &&
      CLASSES[source.charCodeAt(third + 1)] !== REGULAR;
    this.at = isReference ? third + 1 : at;
    if (!isReference) return undefined;
    const ref = new Ref(number, generation);
    this.refs.push({ ref, from, to: this.at });
    return ref;
  }

  private array(depth: number): PdfValue[] {
    this.at += 1;
    const items: PdfValue[] = [];
    for (;;) {
      this.at = skipWhite(this.source, this.at);
      if (this.at >= this.source.length) return this.fault(items);
      if (this.source.charCodeAt(this.at) === CLOSE_SQUARE) {
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
      this.at = skipWhite(this.source, this.at);
      if (this.at >= this.source.length) return this.fault(dict);
      if (this.source.charCodeAt(this.at) === GREATER) {
        if (this.source.charCodeAt(this.at + 1) !== GREATER) this.sound = false;
        this.at += 2;
        return dict;
      }
      const key = this.value(depth + 1);
      const value = this.value(depth + 1);
      if (!(key instanceof Name) || dict.has(key.value)) this.sound = false;
      if (key instanceof Name && value !== null) dict.set(key.value, value);
    }
  }

  private hex(): PdfString {
    const end = this.source.indexOf('>', this.at);
    const digits = this.source.slice(this.at + 1, end === -1 ? undefined : end);
    this.at = end === -1 ? this.source.length : end + 1;
    if (end === -1 || /[^0-9a-fA-F\s\0]/.test(digits)) this.sound = false;
    const clean = /^[0-9a-fA-F]*$/.test(digits) ? digits : digits.replace(/[^0-9a-fA-F]/g, '');
    return new PdfString(Buffer.from(clean.length % 2 ? `${clean}0` : clean, 'hex'));
  }

  private literal(): PdfString {
    this.at += 1;
    const { source } = this;
    let text = '';
    let from = this.at;
    for (let open = 1; this.at < source.length; this.at += 1) {
      const c = source.charCodeAt(this.at);
      if (c === OPEN_ROUND) open += 1;
      else if (c === CLOSE_ROUND) {
        open -= 1;
        if (open > 0) continue;
        text += source.slice(from, this.at);
        this.at += 1;
        return new PdfString(Buffer.from(text, 'latin1'));
      } else if (c === BACKSLASH) {
        text += source.slice(from, this.at) + this.escape();
        from = this.at + 1;
      } else if (c === CARRIAGE_RETURN) {
        // ISO 32000-1, 7.3.4.2: an end of line within a string reads as a line feed.
        this.sound = false;
      }
    }
    return this.fault(new PdfString(Buffer.from(text + source.slice(from), 'latin1')));
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

const NEEDS_ESCAPE = /[^!-~]|[#()<>[\]{}/%]/;
const NEED_ESCAPES = new RegExp(NEEDS_ESCAPE, 'g');

/** A name with its slash, escaped as PDF syntax asks. */
export function formatName(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return `/${value}`;
  return `/${value.replace(NEED_ESCAPES, (c) => `#${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;
}

export const formatValue = (value: PdfValue): string => format(value, undefined, 0);

/** What stands in the place of a reference; null for one that leads nowhere. */
export type OtherRef = (ref: Ref) => Ref | null;

/** The value with other references in it; entries of dictionaries that lead nowhere are left out. */
export const formatWithRefs = (value: PdfValue, other: OtherRef): string => format(value, other, 0);

function format(value: PdfValue, other: OtherRef | undefined, depth: number): string {
  if (value instanceof Ref) {
    const meant = other ? other(value) : value;
    return meant ? `${meant.key} R` : 'null';
  }
  if (value instanceof Name) return formatName(value.value);
  if (typeof value === 'number') return formatNumber(value);
  if (value instanceof PdfString) return `<${Buffer.from(value.bytes).toString('hex')}>`;
  if (value === null || typeof value === 'boolean') return String(value);
  if (depth > MAX_DEPTH) throw new Problem('invalid_pdf', 'An object of the document nests too deep.');
  return Array.isArray(value) ? formatArray(value, other, depth + 1) : formatDict(value, other, depth + 1);
}

function formatArray(array: readonly PdfValue[], other: OtherRef | undefined, depth: number): string {
  let text = '';
  for (const item of array) text += `${text === '' ? '' : ' '}${format(item, other, depth)}`;
  return `[${text}]`;
}

function formatDict(dict: Dict, other: OtherRef | undefined, depth: number): string {
  let text = '';
  for (const [key, item] of dict) {
    const shown = format(item, other, depth);
    if (other && shown === 'null') continue;
    text += `${text === '' ? '' : ' '}${formatName(key)} ${shown}`;
  }
  return `<<${text}>>`;
}
