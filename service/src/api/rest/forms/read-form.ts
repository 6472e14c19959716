// The body of an operation: a form in either encoding.
import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import {
  checkName,
  FORM_LIMITS,
  type FormOptions,
  fieldTooLong,
  isUnread,
  malformed,
  type ReadPart,
  textPart,
  tooManyFields,
} from './form.ts';
import { MultipartReader } from './multipart.ts';
import { parameters } from './part-headers.ts';

export function readForm(request: IncomingMessage, options: FormOptions): Promise<ReadPart[]> {
  const type = request.headers['content-type'] ?? '';
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'multipart/form-data')
    return new MultipartReader(request, boundaryOf(type), options).read();
  if (mediaType === 'application/x-www-form-urlencoded') return readUrlEncoded(request, options);
  const sent = mediaType ? shown(mediaType) : 'no Content-Type';
  throw malformed(
    `The body must be a form: send it as multipart/form-data with its Content-Type header; got ${sent}.`,
    'Send each file and each field as a part; with curl: -F fileInput=@report.pdf -F name=value.',
  );
}

const LONGEST_SHOWN = 60;
const shown = (mediaType: string): string => mediaType.slice(0, LONGEST_SHOWN).replace(/[^\w/+.-]/g, '_');

function boundaryOf(contentType: string): string {
  const boundary = parameters(contentType).get('boundary') ?? '';
  if (boundary === '')
    throw malformed(
      'The Content-Type multipart/form-data has no boundary parameter.',
      'Leave the Content-Type header to your client: it writes the boundary into it.',
    );
  // RFC 2046: 1 to 70 characters; some clients go beyond, none needs more than this.
  if (boundary.length > 200) throw malformed('The boundary of the multipart body is too long.');
  return boundary;
}

const [AMPERSAND, EQUALS, PLUS, PERCENT, BLANK] = [38, 61, 43, 37, 32];

async function readUrlEncoded(request: IncomingMessage, options: FormOptions): Promise<ReadPart[]> {
  const most = Math.min(options.maxBytes, FORM_LIMITS.textBytes);
  const body = await readBody(request, most, options.share);
  const parts: ReadPart[] = [];
  let fields = 0;
  for (let from = 0; from < body.length; ) {
    const found = body.indexOf(AMPERSAND, from);
    const pair = body.subarray(from, found < 0 ? body.length : found);
    from += pair.length + 1;
    fields += 1;
    if (fields > FORM_LIMITS.fields) throw tooManyFields();
    if (pair.length === 0) continue;
    const equals = pair.indexOf(EQUALS);
    const name = decoded(equals < 0 ? pair : pair.subarray(0, equals));
    const text = equals < 0 ? '' : decoded(pair.subarray(equals + 1));
    checkName(name);
    if (Buffer.byteLength(text) > FORM_LIMITS.fieldBytes && !isUnread(name, options))
      throw fieldTooLong(name);
    const part = textPart(name, text);
    if (part) parts.push({ part });
  }
  return parts;
}

/** As URLSearchParams does, which holds everybody up for half a second over some megabytes of plus signs. */
function decoded(encoded: Buffer): string {
  const made = Buffer.alloc(encoded.length);
  let size = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const byte = encoded[at] as number;
    const escaped = byte === PERCENT ? 16 * digit(encoded[at + 1]) + digit(encoded[at + 2]) : Number.NaN;
    made[size] = escaped >= 0 ? escaped : byte === PLUS ? BLANK : byte;
    size += 1;
    if (escaped >= 0) at += 2;
  }
  return made.toString('utf8', 0, size);
}

/** Not a number where it is none of sixteen. */
function digit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN;
}
