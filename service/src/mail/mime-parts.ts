// A message taken apart into its parts (RFC 5322, RFC 2045, RFC 2046). Boundaries that are not named, or not the ones
// that are there, are found all the same.
import { decodeTransfer } from './mail-text.ts';
import { parametersOf } from './mime-parameters.ts';

export interface MimePart {
  /** Each with the lines that continue it, as it was sent. */
  headers: readonly Header[];
  /** Lower case. */
  type: string;
  /** Of its type; each character a byte. */
  params: ReadonlyMap<string, string>;
  /** As it travelled; of a part with parts what stands around them is gone. */
  body: Buffer;
  children?: MimePart[];
  /** The message that this part carries. */
  message?: MimePart;
}

export interface Header {
  /** Lower case. */
  name: string;
  raw: Buffer;
}

const MAX_DEPTH = 100;
/** A message that is nested deeper stays a file. */
const MAX_MESSAGES = 8;
const MAX_PARTS = 20_000;
const MAX_HEADER_BYTES = 2 * 1024 * 1024;

/** Undefined where there is more of it than anybody would send. */
export function readParts(bytes: Buffer): MimePart | undefined {
  let count = 0;

  function part(from: Buffer, usualType: string, depth: number, messages: number): MimePart | undefined {
    count += 1;
    if (count > MAX_PARTS || depth > MAX_DEPTH) return undefined;
    const { headers, body } = split(from);
    if (!headers) return undefined;
    const { type, params } = contentType(headers, usualType);
    const read: MimePart = { headers, type, params, body };
    if (messages < MAX_MESSAGES && isShownMessage(read)) {
      const message = part(decodeTransfer(body, encodingOf(read)), 'text/plain', depth + 1, messages + 1);
      if (!message) return undefined;
      read.message = message;
    }
    if (!type.startsWith('multipart/')) return read;
    const children: MimePart[] = [];
    for (const range of ranges(body, params.get('boundary'))) {
      const child = part(
        range,
        type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
        depth + 1,
        messages,
      );
      if (!child) return undefined;
      children.push(child);
    }
    return children.length > 0 ? { ...read, children } : { ...read, type: 'text/plain', params: new Map() };
  }

  return part(bytes, 'text/plain', 0, 0);
}

/** The value of the first of its name, unfolded; each character a byte. */
export const headerBytes = ({ headers }: MimePart, wanted: string): string =>
  headerValue(headers.find(({ name }) => name === wanted));

export const encodingOf = (part: MimePart): string =>
  /base64|quoted-printable|[\w-]+/.exec(headerBytes(part, 'content-transfer-encoding').toLowerCase())?.[0] ??
  '';

export const dispositionOf = (part: MimePart): string =>
  /^[^\s;]+/.exec(headerBytes(part, 'content-disposition').toLowerCase())?.[0] ?? '';

const isShownMessage = (part: MimePart): boolean =>
  part.type === 'message/rfc822' && dispositionOf(part) !== 'attachment';

function split(from: Buffer): { headers?: Header[]; body: Buffer } {
  const headers: Header[] = [];
  let start = 0;
  for (let at = 0; at < from.length; ) {
    const { end, next } = lineAt(from, at);
    if (at > MAX_HEADER_BYTES) return { body: from };
    if (end === at) return { headers, body: from.subarray(next) };
    const goesOn = headers.length > 0 && (from[at] === 0x20 || from[at] === 0x09);
    if (goesOn) headers.pop();
    else start = at;
    const raw = from.subarray(start, end);
    headers.push({ name: nameOf(raw), raw });
    at = next;
  }
  return { headers, body: from.subarray(from.length) };
}

function lineAt(from: Buffer, at: number): { end: number; next: number } {
  const feed = from.indexOf(0x0a, at);
  const next = feed < 0 ? from.length : feed + 1;
  const stop = feed < 0 ? from.length : feed;
  return { end: stop > at && from[stop - 1] === 0x0d ? stop - 1 : stop, next };
}

const nameOf = (raw: Buffer): string =>
  raw
    .toString('latin1', 0, Math.max(0, raw.subarray(0, 200).indexOf(0x3a)))
    .trim()
    .toLowerCase();

export const headerValue = (header: Header | undefined): string =>
  header
    ? header.raw
        .toString('latin1')
        .slice(header.raw.indexOf(0x3a) + 1)
        .replace(/\r?\n/g, '')
        .trim()
    : '';

function contentType(headers: Header[], usual: string): Pick<MimePart, 'type' | 'params'> {
  const value = headerValue(headers.find(({ name }) => name === 'content-type'));
  return { type: /^[^\s;]+/.exec(value)?.[0].toLowerCase() ?? usual, params: parametersOf(value) };
}

/** What stands between the boundaries; where none is named, or not the one that is there, it is told from the lines. */
function ranges(body: Buffer, named: string | undefined): Buffer[] {
  const found = named ? between(body, named) : [];
  if (found.length > 0) return found;
  const lines = body.toString('latin1', 0, 100_000);
  const guessed = /(?:^|\n)--([^\s][^\r\n]{0,200}?)[ \t]*\r?\ncontent-[a-z-]+[ \t]*:/i.exec(lines)?.[1];
  return guessed ? between(body, guessed) : [];
}

function between(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const parts: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    const { end, next } = lineAt(body, at);
    const rest = body.toString('latin1', at + mark.length, Math.min(end, at + mark.length + 100));
    if (!/^(?:--)?[ \t]*$/.test(rest)) continue;
    if (start >= 0) parts.push(body.subarray(start, Math.max(start, endBefore(body, at))));
    if (rest.startsWith('--')) return parts;
    if (parts.length > MAX_PARTS) return parts;
    start = next;
  }
  if (start >= 0) parts.push(body.subarray(start));
  return parts;
}

/** The end of a line belongs to the boundary after it. */
const endBefore = (body: Buffer, at: number): number => (body[at - 2] === 0x0d ? at - 2 : at - 1);
