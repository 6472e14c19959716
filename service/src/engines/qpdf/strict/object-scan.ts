// Goes over the bytes of one object and finds whether it is lawful in every character, what it refers to, and the few
// things about it that decide how it is read on. No values are made: of most objects nobody asks for more.

/** Thrown where something is not beyond doubt. */
export class Doubt extends Error {}

export function sure<T>(value: T | undefined | false): T {
  if (value === undefined || value === false) throw new Doubt();
  return value;
}

/** What a byte is to the syntax. */
const REGULAR = 0;
const WHITE = 1;
const DELIMITER = 2;
const CLASSES = new Uint8Array(256);
for (const c of '\0\t\n\f\r ') CLASSES[c.charCodeAt(0)] = WHITE;
for (const c of '()<>[]{}/%') CLASSES[c.charCodeAt(0)] = DELIMITER;

/** The value of a hexadecimal digit, 255 for all else. */
const HEX = new Uint8Array(256).fill(255);
for (const [value, c] of [...'0123456789abcdef'].entries()) {
  HEX[c.charCodeAt(0)] = value;
  HEX[c.toUpperCase().charCodeAt(0)] = value;
}

/** What an object calls itself, as far as that decides anything. */
export const TYPES = ['', 'Page', 'Pages', 'Catalog', 'Metadata', 'ObjStm', 'XRef'] as const;
export type ObjectType = (typeof TYPES)[number];

/** Objects nest this deep at most; hostile files nest further. */
const MAX_DEPTH = 500;
/** Where looking through all keys of a dictionary takes longer than a table of them. */
const MANY_KEYS = 40;

export const isWhite = (byte: number | undefined): boolean => byte !== undefined && CLASSES[byte] === WHITE;

/** The next place that is not white. */
export function skipWhite(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place < bytes.length && CLASSES[bytes[place] as number] === WHITE) place += 1;
  return place;
}

/** Whether the word stands at the place. */
export function isAt(bytes: Uint8Array, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1)
    if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
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
const HASH = 35;
const DOT = 46;
const CAPITAL_R = 82;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

const NO_NAME = 17;

/** Of those keys of an object that decide how it is read on. */
const KEYS: ReadonlyMap<number, string> = new Map(
  ['Type', 'Length', 'Parent', 'Kids', 'Thumb', 'Filter', 'F'].map((key) => [hashOf(key), key]),
);

function hashOf(name: string): number {
  let hash = NO_NAME;
  for (let index = 0; index < name.length; index += 1)
    hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  return hash;
}

/** One scan after the other; what it found stands in the fields until the next. */
export class Scan {
  /** Where the object ends. */
  end = 0;
  /** Of each reference: number, generation, where it begins and ends. */
  readonly refs: number[] = [];
  /** Where each string begins and ends. */
  readonly strings: number[] = [];
  type: ObjectType = '';
  isDict = false;
  hasFilter = false;
  hasKids = false;
  /** Where the value of the dictionary's Parent stands; -1 where there is none. */
  parentAt = -1;
  /** Where that of its Thumb stands. */
  thumbAt = -1;
  /** The data lies in another file. */
  isElsewhere = false;
  /** Where the value of the dictionary's Length stands; -1 where there is none. */
  lengthAt = -1;

  private bytes: Uint8Array = new Uint8Array();
  private at = 0;
  /** The last name was written with escapes. */
  private isEscaped = false;
  /** Hashes of the keys of dictionaries that are open, inner ones last. */
  private readonly keys: number[] = [];

  /** The object at the place. Throws where there is doubt about it. */
  object(bytes: Uint8Array, at: number): void {
    this.bytes = bytes;
    this.at = at;
    this.refs.length = 0;
    this.strings.length = 0;
    this.keys.length = 0;
    this.type = '';
    this.hasFilter = false;
    this.hasKids = false;
    this.parentAt = -1;
    this.thumbAt = -1;
    this.isElsewhere = false;
    this.lengthAt = -1;
    this.isDict = bytes[at] === LESS && bytes[at + 1] === LESS;
    this.value(0);
    this.end = this.at;
    // A reference is no object.
    sure(this.refs[2] !== at);
  }

  private white(): void {
    const { bytes } = this;
    let { at } = this;
    while (at < bytes.length && CLASSES[bytes[at] as number] === WHITE) at += 1;
    this.at = at;
  }

  private value(depth: number): void {
    sure(depth <= MAX_DEPTH);
    const c = this.bytes[this.at];
    if (c === SLASH) this.name();
    else if (c === OPEN_ROUND) this.literal();
    else if (c === OPEN_SQUARE) this.array(depth);
    else if (c === LESS && this.bytes[this.at + 1] === LESS) this.dict(depth);
    else if (c === LESS) this.hex();
    else this.scalar();
  }

  /** Returns a hash of the name. */
  private name(): number {
    const { bytes } = this;
    let at = this.at + 1;
    let hash = NO_NAME;
    this.isEscaped = false;
    for (; at < bytes.length; at += 1) {
      let c = bytes[at] as number;
      if (CLASSES[c] !== REGULAR) break;
      if (c === HASH) {
        this.isEscaped = true;
        c = (HEX[bytes[at + 1] ?? 0] as number) * 16 + (HEX[bytes[at + 2] ?? 0] as number);
        sure(HEX[bytes[at + 1] ?? 0] !== 255 && HEX[bytes[at + 2] ?? 0] !== 255 && c !== 0);
        at += 2;
      }
      hash = (Math.imul(hash, 31) + c) | 0;
    }
    this.at = at;
    return hash;
  }

  private array(depth: number): void {
    const { bytes } = this;
    this.at += 1;
    for (;;) {
      this.white();
      if (bytes[this.at] === CLOSE_SQUARE) break;
      this.value(depth + 1);
    }
    this.at += 1;
  }

  private dict(depth: number): void {
    const { bytes, keys } = this;
    const firstKey = keys.length;
    let seen: Set<number> | undefined;
    this.at += 2;
    for (;;) {
      this.white();
      if (bytes[this.at] === GREATER) break;
      const keyAt = this.at;
      sure(bytes[keyAt] === SLASH);
      const hash = this.name();
      // Two keys that are not the same may be taken for it: then there is a doubt more.
      if (seen) sure(!seen.has(hash));
      else for (let index = firstKey; index < keys.length; index += 1) sure(keys[index] !== hash);
      keys.push(hash);
      seen?.add(hash);
      if (keys.length - firstKey === MANY_KEYS) seen = new Set(keys.slice(firstKey));
      this.white();
      if (depth === 0) this.note(hash, keyAt);
      this.value(depth + 1);
    }
    sure(bytes[this.at + 1] === GREATER);
    this.at += 2;
    keys.length = firstKey;
  }

  /** The value of the key stands here. */
  private note(hash: number, keyAt: number): void {
    const key = KEYS.get(hash);
    if (key === undefined || !(this.isEscaped || hasKey(this.bytes, keyAt, key))) return;
    const { bytes, at } = this;
    if (key === 'Type') this.type = typeAt(bytes, at);
    else if (key === 'Length') this.lengthAt = at;
    else if (key === 'Parent') this.parentAt = at;
    else if (key === 'Thumb') this.thumbAt = at;
    else if (key === 'Kids') this.hasKids = true;
    else if (key === 'Filter') this.hasFilter = true;
    else this.isElsewhere = true;
  }

  private hex(): void {
    const { bytes } = this;
    const from = this.at;
    let at = from + 1;
    for (; ; at += 1) {
      const c = bytes[at];
      if (c === GREATER) break;
      sure(c !== undefined && (HEX[c] !== 255 || CLASSES[c] === WHITE));
    }
    this.at = at + 1;
    this.strings.push(from, this.at);
  }

  private literal(): void {
    const { bytes } = this;
    const from = this.at;
    let at = from + 1;
    for (let open = 1; open > 0; at += 1) {
      const c = bytes[at];
      if (c === OPEN_ROUND) open += 1;
      else if (c === CLOSE_ROUND) open -= 1;
      else if (c === BACKSLASH) at += 1;
      // An end of line within a string reads as a line feed, if it is not escaped.
      else sure(c !== undefined && c !== CARRIAGE_RETURN);
    }
    sure(at <= bytes.length);
    this.at = at;
    this.strings.push(from, at);
  }

  private scalar(): void {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    let digits = 0;
    let dots = 0;
    if (bytes[at] === 43 || bytes[at] === 45) at += 1;
    for (; at < bytes.length; at += 1) {
      const c = bytes[at] as number;
      if (c >= 48 && c <= 57) digits += 1;
      else if (c === DOT) dots += 1;
      else break;
    }
    const next = bytes[at];
    if (next !== undefined && CLASSES[next] === REGULAR) {
      this.at = at;
      sure(at === from);
      this.word();
      return;
    }
    sure(digits > 0 && dots <= 1);
    this.at = at;
    if (digits === at - from && digits <= 10) this.reference(from, at);
  }

  private word(): void {
    const { bytes } = this;
    const from = this.at;
    let at = from;
    while (at < bytes.length && CLASSES[bytes[at] as number] === REGULAR) at += 1;
    const length = at - from;
    sure(
      (length === 4 && (isAt(bytes, from, 'true') || isAt(bytes, from, 'null'))) ||
        (length === 5 && isAt(bytes, from, 'false')),
    );
    this.at = at;
  }

  /** A whole number may begin a reference. */
  private reference(from: number, end: number): void {
    const { bytes } = this;
    const second = skipWhite(bytes, end);
    let at = second;
    let generation = 0;
    for (; isDigit(bytes[at]); at += 1) generation = generation * 10 + (bytes[at] as number) - 48;
    if (second === end || at === second || at - second > 5) return;
    const third = skipWhite(bytes, at);
    if (third === at || bytes[third] !== CAPITAL_R) return;
    const after = bytes[third + 1];
    if (after !== undefined && CLASSES[after] === REGULAR) return;
    let number = 0;
    for (let place = from; place < end; place += 1) number = number * 10 + (bytes[place] as number) - 48;
    this.at = third + 1;
    this.refs.push(number, generation, from, this.at);
  }
}

function hasKey(bytes: Uint8Array, keyAt: number, key: string): boolean {
  const after = bytes[keyAt + 1 + key.length];
  return isAt(bytes, keyAt + 1, key) && after !== undefined && CLASSES[after] !== REGULAR;
}

function typeAt(bytes: Uint8Array, at: number): ObjectType {
  if (bytes[at] !== SLASH) return '';
  return TYPES.find((type) => type !== '' && hasKey(bytes, at, type)) ?? '';
}
