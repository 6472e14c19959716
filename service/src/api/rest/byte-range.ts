// Part of an answer (RFC 9110, 14): one range of bytes, or all of them.
import type { IncomingMessage } from 'node:http';

export interface ByteRange {
  from: number;
  length: number;
}

/** Undefined: all of it is to be sent. `unsatisfiable`: nothing of it lies where the caller asks. */
export function byteRangeOf(
  { headers }: IncomingMessage,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const { range } = headers;
  const ifRange = headers['if-range'];
  // What the caller has a part of is not this, or is known by a date that we do not tell.
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  // Several ranges may be answered by all of it.
  const [, first, last] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(size, Number(last));
    return length === 0 ? 'unsatisfiable' : { from: size - length, length };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'unsatisfiable';
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  return { from: Number(first), length: end - Number(first) };
}
