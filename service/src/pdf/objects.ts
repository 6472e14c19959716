// PDF objects as plain values: what document logic reads and writes, whichever engine holds the file.

export class Name {
  /** Without the slash, escapes resolved, one character per byte. */
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string object: bytes. Text strings are read and made with text-strings.ts. */
export class PdfString {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class Ref {
  readonly number: number;
  readonly generation: number;
  #key: string | undefined;
  constructor(number: number, generation = 0) {
    this.number = number;
    this.generation = generation;
  }
  /** Kept once it is made: objects are found by it all the time. */
  get key(): string {
    this.#key ??= `${this.number} ${this.generation}`;
    return this.#key;
  }
  get id(): ObjectId {
    return idOf(this.number, this.generation);
  }
}

/** Tells the objects of a document apart as `key` does, and is faster to look up: nearly always the number alone. */
export type ObjectId = number | string;

export const idOf = (number: number, generation: number): ObjectId =>
  generation === 0 ? number : `${number} ${generation}`;

/** A dictionary; keys without the slash. */
export class Dict extends Map<string, PdfValue> {
  static of(entries: Record<string, PdfValue | undefined>): Dict {
    const dict = new Dict();
    for (const [key, value] of Object.entries(entries)) if (value !== undefined) dict.set(key, value);
    return dict;
  }

  /** Sets an entry, or takes it out where there is nothing to be said. */
  put(key: string, value: PdfValue | undefined): void {
    if (value === undefined) this.delete(key);
    else this.set(key, value);
  }
}

/** A stream's dictionary; the data stays with the engine until asked for. */
export class Stream {
  readonly dict: Dict;
  constructor(dict: Dict) {
    this.dict = dict;
  }
}

export type PdfValue = null | boolean | number | Name | PdfString | Ref | Dict | PdfValue[];
export type PdfObject = PdfValue | Stream;

const names = new Map<string, Name>();

/** The Name for common words is shared: name('Page'). */
export function name(value: string): Name {
  let made = names.get(value);
  if (!made) {
    made = new Name(value);
    if (names.size < 5000) names.set(value, made);
  }
  return made;
}

/** The name `/`: lawful, and seen in some signatures. */
export const isEmptyName = (value: unknown): boolean => value instanceof Name && value.value === '';

export const isName = (value: PdfObject | undefined, word: string): boolean =>
  value instanceof Name && value.value === word;

/** A copy whose containers are new and whose scalars and references are shared. */
export function cloneValue<T extends PdfValue>(value: T): T {
  if (Array.isArray(value)) return value.map(cloneValue) as T;
  if (value instanceof Dict) {
    const copy = new Dict();
    for (const [key, inner] of value as Dict) copy.set(key, cloneValue(inner));
    return copy as T;
  }
  return value;
}
