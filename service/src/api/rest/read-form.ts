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
  throw malformed('The body must be a form: send it as multipart/form-data with its Content-Type header.');
}

function boundaryOf(contentType: string): string {
  const boundary = parameters(contentType).get('boundary') ?? '';
  if (boundary === '') throw malformed('The Content-Type multipart/form-data has no boundary parameter.');
  // RFC 2046: 1 to 70 characters; some clients go beyond, none needs more than this.
  if (boundary.length > 200) throw malformed('The boundary of the multipart body is too long.');
  return boundary;
}

const AMPERSAND = 38;

async function readUrlEncoded(request: IncomingMessage, options: FormOptions): Promise<ReadPart[]> {
  const body = await readBody(request, Math.min(options.maxBytes, FORM_LIMITS.textBytes), options.share);
  let fields = 1;
  for (const byte of body) if (byte === AMPERSAND) fields += 1;
  if (fields > FORM_LIMITS.fields) throw tooManyFields();
  const parts: ReadPart[] = [];
  for (const [name, text] of new URLSearchParams(body.toString('utf8'))) {
    checkName(name);
    if (Buffer.byteLength(text) > FORM_LIMITS.fieldBytes && !isUnread(name, options))
      throw fieldTooLong(name);
    const part = textPart(name, text);
    if (part) parts.push({ part });
  }
  return parts;
}
