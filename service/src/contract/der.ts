// ASN.1 as signatures, certificates and key stores write it: read with every bound checked, BER's indefinite
// lengths and pieced strings included; written as DER.

/** Anything that is not the structure it should be; whoever reads answers it. */
export class MalformedDer extends Error {}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  /** BER: an octet string written in pieces. */
  piecedOctets: 0x24,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
} as const;

/** The tag of `[number]`, constructed or not. */
export const context = (number: number, constructed = true): number =>
  0x80 | (constructed ? 0x20 : 0) | number;

/** Hostile files nest without end. */
const MAX_DEPTH = 64;
const CONSTRUCTED = 0x20;

export class DerNode {
  /** The identifier octet; only low tag numbers occur here. */
  readonly tag: number;
  readonly content: Buffer;
  /** The whole element, header included. */
  readonly raw: Buffer;
  private readonly depth: number;
  private kids: DerNode[] | undefined;

  constructor(tag: number, content: Buffer, raw: Buffer, depth: number) {
    this.tag = tag;
    this.content = content;
    this.raw = raw;
    this.depth = depth;
  }

  get children(): readonly DerNode[] {
    this.kids ??= this.readChildren();
    return this.kids;
  }

  private readChildren(): DerNode[] {
    return [...this.eachChild()];
  }

  /** The children one by one, kept nowhere: lists may have very many. */
  *eachChild(): Generator<DerNode> {
    if (!(this.tag & CONSTRUCTED) || this.depth >= MAX_DEPTH)
      throw new MalformedDer('a constructed value is missing');
    for (let at = 0; at < this.content.length; ) {
      const { node, end } = readAt(this.content, at, this.depth + 1);
      yield node;
      at = end;
    }
  }

  child(index: number, tag?: number): DerNode {
    const kid = this.children[index];
    if (!kid) throw new MalformedDer(`part ${index} is missing`);
    return tag === undefined ? kid : kid.expect(tag);
  }

  /** The first child with this tag. */
  find(tag: number): DerNode | undefined {
    return this.children.find((kid) => kid.tag === tag);
  }

  expect(tag: number): this {
    if (this.tag !== tag) throw new MalformedDer(`tag ${this.tag} where ${tag} belongs`);
    return this;
  }

  /** The bytes of a string, put together where BER wrote it in pieces. */
  octets(): Buffer {
    if (!(this.tag & CONSTRUCTED)) return this.content;
    return Buffer.concat(this.children.map((piece) => piece.octets()));
  }

  oid(): string {
    return oidText(this.expect(TAG.oid).content);
  }

  /** A small whole number. */
  number(): number {
    const value = this.bigint();
    if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))
      throw new MalformedDer('a number is too large');
    return Number(value);
  }

  bigint(): bigint {
    if (this.tag !== TAG.integer && this.tag !== TAG.enumerated) throw new MalformedDer('no number');
    if (this.content.length === 0) throw new MalformedDer('an empty number');
    const value = BigInt(`0x${this.content.toString('hex')}`);
    return BigInt.asIntN(this.content.length * 8, value);
  }

  /** Bytes of a bit string, which must end with a whole byte. */
  bits(): Buffer {
    const bytes = this.expect(TAG.bitString).content;
    if (bytes.length === 0) throw new MalformedDer('an empty bit string');
    return bytes.subarray(1);
  }

  time(): Date {
    return timeOf(this);
  }
}

/** Reads the one element at the beginning; what follows it, such as padding, is let be. */
export function readDer(bytes: Uint8Array): DerNode {
  return readAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0).node;
}

function readAt(bytes: Buffer, at: number, depth: number): { node: DerNode; end: number } {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f || depth > MAX_DEPTH)
    throw new MalformedDer('the data ends too early');
  if (first === 0x80) return readIndefinite(bytes, at, tag, depth);
  const lengthBytes = first > 0x80 ? first - 0x80 : 0;
  if (lengthBytes > 5) throw new MalformedDer('a length is too large');
  let length = lengthBytes === 0 ? first : 0;
  for (let index = 0; index < lengthBytes; index += 1) length = length * 256 + (bytes[at + 2 + index] ?? 0);
  const start = at + 2 + lengthBytes;
  const end = start + length;
  if (end > bytes.length) throw new MalformedDer('the data ends too early');
  return { node: new DerNode(tag, bytes.subarray(start, end), bytes.subarray(at, end), depth), end };
}

/** BER: the content ends at two zero bytes; what is inside must be read to find them. */
function readIndefinite(
  bytes: Buffer,
  at: number,
  tag: number,
  depth: number,
): { node: DerNode; end: number } {
  if (!(tag & CONSTRUCTED)) throw new MalformedDer('a plain value has no length');
  let inner = at + 2;
  while (bytes[inner] !== 0 || bytes[inner + 1] !== 0) inner = readAt(bytes, inner, depth + 1).end;
  const end = inner + 2;
  return { node: new DerNode(tag, bytes.subarray(at + 2, inner), bytes.subarray(at, end), depth), end };
}

function oidText(bytes: Buffer): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER) throw new MalformedDer('an identifier is too large');
    if (byte & 0x80) continue;
    if (parts.length === 0) {
      const head = Math.min(2, Math.floor(value / 40));
      parts.push(head, value - head * 40);
    } else parts.push(value);
    value = 0;
  }
  return parts.join('.');
}

const TIME = /^(\d{2}|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(\d\d))?$/;

function timeOf(node: DerNode): Date {
  const match = TIME.exec(node.content.toString('latin1'));
  if (!match || (node.tag !== TAG.utcTime && node.tag !== TAG.generalizedTime))
    throw new MalformedDer('no time');
  const [
    ,
    yearText = '',
    month,
    day,
    hour,
    minute,
    second = '0',
    fraction = '',
    sign,
    zoneHours,
    zoneMinutes,
  ] = match;
  const short = Number(yearText);
  // RFC 5280: two digits mean 1950 to 2049.
  const year = yearText.length === 4 ? short : short >= 50 ? 1900 + short : 2000 + short;
  const utc = Date.UTC(
    year,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Math.floor(Number(`0.${fraction || '0'}`) * 1000),
  );
  const offset = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * 60_000;
  const date = new Date(sign === '-' ? utc + offset : utc - offset);
  if (Number.isNaN(date.getTime())) throw new MalformedDer('no time');
  return date;
}

/** One element: a header, and what is given after it. */
export function der(tag: number, ...content: Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  const sizes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) sizes.unshift(rest % 256);
  const header = length < 0x80 ? [tag, length] : [tag, 0x80 | sizes.length, ...sizes];
  return Buffer.concat([Uint8Array.from(header), ...content]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => der(TAG.sequence, ...parts);

/** DER sorts the members of a set by their bytes. */
export const set = (...parts: Uint8Array[]): Buffer =>
  der(TAG.set, ...parts.toSorted((a, b) => Buffer.compare(a, b)));

export const octetString = (bytes: Uint8Array): Buffer => der(TAG.octetString, bytes);
export const NULL = der(TAG.null);
export const TRUE = der(TAG.boolean, Uint8Array.of(0xff));

export function integer(value: bigint | number): Buffer {
  const number = BigInt(value);
  let hex = number.toString(16);
  if (hex.length % 2) hex = `0${hex}`;
  const bytes = Buffer.from(hex, 'hex');
  // A set first bit would mean a negative number.
  return der(TAG.integer, ...((bytes[0] ?? 0) & 0x80 ? [Uint8Array.of(0), bytes] : [bytes]));
}

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const digits = [part % 128];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) | 0x80);
    return digits;
  });
  return der(TAG.oid, Uint8Array.from(bytes));
}

/** RFC 5652: "dates through the year 2049 MUST be encoded as UTCTime". */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return der(
    isShort ? TAG.utcTime : TAG.generalizedTime,
    Buffer.from(isShort ? digits.slice(2) : digits, 'latin1'),
  );
}
