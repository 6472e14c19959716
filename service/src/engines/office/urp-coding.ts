// How values travel in the UNO remote protocol (URP), the language LibreOffice is driven in from outside. Only what
// loading and storing documents needs. What is sent never uses the caches of the protocol; what is read must.

/** Numbers of kinds of types, as they travel. */
const TYPE_CLASS = {
  void: 0,
  boolean: 2,
  short: 4,
  long: 6,
  string: 12,
  any: 14,
  struct: 17,
  exception: 19,
  sequence: 20,
  interface: 22,
} as const;

/** Up to this number a type is told by the number alone. */
const LAST_SIMPLE_CLASS = TYPE_CLASS.any;
const NEW_IN_CACHE = 0x80;
/** "Do not remember": the index of what is in no cache. */
const NO_CACHE = 0xffff;
const LONG_LENGTH = 0xff;

export interface UnoType {
  typeClass: number;
  name: string;
}

export const interfaceType = (name: string): UnoType => ({ typeClass: TYPE_CLASS.interface, name });
export const exceptionType = (name: string): UnoType => ({ typeClass: TYPE_CLASS.exception, name });

export type PropertyValues = Record<string, Property>;
/** A whole number is a long unless it is said to be short: the receiver takes no other. */
export type Property = boolean | number | string | { short: number } | { properties: PropertyValues };

const PROPERTY_LIST: UnoType = {
  typeClass: TYPE_CLASS.sequence,
  name: '[]com.sun.star.beans.PropertyValue',
};

export class UrpEncoder {
  private readonly chunks: Buffer[] = [];

  bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  byte(value: number): this {
    this.chunks.push(Buffer.of(value));
    return this;
  }

  boolean(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  short(value: number): this {
    const chunk = Buffer.alloc(2);
    chunk.writeUInt16BE(value & 0xffff);
    this.chunks.push(chunk);
    return this;
  }

  long(value: number): this {
    const chunk = Buffer.alloc(4);
    chunk.writeInt32BE(value | 0);
    this.chunks.push(chunk);
    return this;
  }

  length(value: number): this {
    return value < LONG_LENGTH ? this.byte(value) : this.byte(LONG_LENGTH).long(value);
  }

  string(text: string): this {
    const encoded = Buffer.from(text, 'utf8');
    this.length(encoded.length).chunks.push(encoded);
    return this;
  }

  type({ typeClass, name }: UnoType): this {
    if (typeClass <= LAST_SIMPLE_CLASS) return this.byte(typeClass);
    return this.byte(typeClass | NEW_IN_CACHE)
      .short(NO_CACHE)
      .string(name);
  }

  /** The name of an object; an empty one is no object. */
  object(oid: string): this {
    return this.string(oid).short(NO_CACHE);
  }

  thread(tid: Buffer): this {
    this.length(tid.length).chunks.push(tid);
    return this.short(NO_CACHE);
  }

  properties(values: PropertyValues): this {
    const entries = Object.entries(values);
    this.length(entries.length);
    for (const [name, value] of entries) {
      // com.sun.star.beans.PropertyValue: name, handle, value, state.
      this.string(name).long(-1).any(value).long(0);
    }
    return this;
  }

  any(value: Property): this {
    if (typeof value === 'boolean') return this.byte(TYPE_CLASS.boolean).boolean(value);
    if (typeof value === 'number') return this.byte(TYPE_CLASS.long).long(value);
    if (typeof value === 'string') return this.byte(TYPE_CLASS.string).string(value);
    if ('short' in value) return this.byte(TYPE_CLASS.short).short(value.short);
    return this.type(PROPERTY_LIST).properties(value.properties);
  }

  void(): this {
    return this.byte(TYPE_CLASS.void);
  }
}

/** What the other side has told us to remember, for the life of a connection. */
export class UrpCaches {
  readonly types = new Map<number, UnoType>();
  readonly objects = new Map<number, string>();
  readonly threads = new Map<number, Buffer>();
}

export class UrpDecoder {
  private readonly block: Buffer;
  private readonly caches: UrpCaches;
  private at = 0;

  constructor(block: Buffer, caches: UrpCaches) {
    this.block = block;
    this.caches = caches;
  }

  byte(): number {
    this.at += 1;
    return this.block.readUInt8(this.at - 1);
  }

  short(): number {
    this.at += 2;
    return this.block.readUInt16BE(this.at - 2);
  }

  long(): number {
    this.at += 4;
    return this.block.readInt32BE(this.at - 4);
  }

  private raw(): Buffer {
    const first = this.byte();
    const length = first < LONG_LENGTH ? first : this.long();
    if (length < 0 || this.at + length > this.block.length) throw new RangeError('a length beyond the block');
    this.at += length;
    return this.block.subarray(this.at - length, this.at);
  }

  string(): string {
    return this.raw().toString('utf8');
  }

  type(): UnoType {
    const first = this.byte();
    const typeClass = first & ~NEW_IN_CACHE;
    if (typeClass <= LAST_SIMPLE_CLASS) return { typeClass, name: '' };
    const index = this.short();
    if ((first & NEW_IN_CACHE) === 0) return remembered(this.caches.types, index);
    const type = { typeClass, name: this.string() };
    if (index !== NO_CACHE) this.caches.types.set(index, type);
    return type;
  }

  object(): string {
    const oid = this.string();
    const index = this.short();
    if (oid === '') return index === NO_CACHE ? '' : remembered(this.caches.objects, index);
    if (index !== NO_CACHE) this.caches.objects.set(index, oid);
    return oid;
  }

  thread(): Buffer {
    const tid = this.raw();
    const index = this.short();
    if (tid.length === 0) return remembered(this.caches.threads, index);
    if (index !== NO_CACHE) this.caches.threads.set(index, tid);
    return tid;
  }

  /** The object in an any, empty where there is none. */
  anyObject(): string {
    return this.type().typeClass === TYPE_CLASS.interface ? this.object() : '';
  }

  /** Every exception begins with its message and its context; what follows depends on its type and ends the block. */
  exception(): { type: string; message: string } {
    const { name } = this.type();
    return { type: name, message: this.string() };
  }
}

function remembered<T>(cache: Map<number, T>, index: number): T {
  const value = cache.get(index);
  if (value === undefined) throw new RangeError('nothing is remembered under this index');
  return value;
}
