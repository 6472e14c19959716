// As much of CMS SignedData (RFC 5652, 5.1) as PDF/A asks about: how many certificates and signers there are.

export interface SignedData {
  certificates: number;
  signers: number;
}

interface Value {
  tag: number;
  from: number;
  to: number;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const CERTIFICATES = 0xa0;
const MAX_VALUES = 10_000;

/** Undefined where the bytes are no SignedData. */
export function readSignedData(bytes: Uint8Array): SignedData | undefined {
  const info = read(bytes, 0, bytes.length);
  const explicit = info?.tag === SEQUENCE ? inner(bytes, info)[1] : undefined;
  const signed = explicit?.tag === CERTIFICATES ? inner(bytes, explicit)[0] : undefined;
  if (signed?.tag !== SEQUENCE) return undefined;
  const parts = inner(bytes, signed);
  const certificates = parts.find(({ tag }) => tag === CERTIFICATES);
  const signers = parts.at(-1);
  if (parts.length < 4 || signers?.tag !== SET) return undefined;
  return {
    certificates: certificates ? inner(bytes, certificates).filter(({ tag }) => tag === SEQUENCE).length : 0,
    signers: inner(bytes, signers).length,
  };
}

function inner(bytes: Uint8Array, { from, to }: Value): Value[] {
  const found: Value[] = [];
  for (let at = from; at < to && found.length < MAX_VALUES; ) {
    const value = read(bytes, at, to);
    // Two zeros end a value whose length was not told.
    if (!value || (value.tag === 0 && value.to === value.from)) break;
    found.push(value);
    at = value.to + trailer(bytes, at);
  }
  return found;
}

const isIndefinite = (bytes: Uint8Array, at: number): boolean => bytes[at + 1] === 0x80;
const trailer = (bytes: Uint8Array, at: number): number => (isIndefinite(bytes, at) ? 2 : 0);

/** A value in DER, or in BER with its length left open. */
function read(bytes: Uint8Array, at: number, end: number, depth = 0): Value | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || at + 2 > end || depth > 40) return undefined;
  if (first < 0x80) return within({ tag, from: at + 2, to: at + 2 + first }, end);
  if (first > 0x80) {
    const count = first & 0x7f;
    if (count > 4 || at + 2 + count > end) return undefined;
    const length = bytes.subarray(at + 2, at + 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
    return within({ tag, from: at + 2 + count, to: at + 2 + count + length }, end);
  }
  let next = at + 2;
  for (let count = 0; count < MAX_VALUES && next + 2 <= end; count += 1) {
    if (bytes[next] === 0 && bytes[next + 1] === 0) return { tag, from: at + 2, to: next };
    const value = read(bytes, next, end, depth + 1);
    if (!value) return undefined;
    next = value.to + trailer(bytes, next);
  }
  return undefined;
}

const within = (value: Value, end: number): Value | undefined => (value.to <= end ? value : undefined);
