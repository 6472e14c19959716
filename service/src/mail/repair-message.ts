// What writers of messages leave out or write in ways of their own, put as the reader of messages understands it.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { decodeTransfer, decodeUtf7, guessedCharset, isKnown, isUtf7, unflowed } from './mail-text.ts';
import {
  encodingOf,
  headerOf,
  isAttached,
  type MimePart,
  readParts,
  setHeader,
  writeParts,
} from './mime-parts.ts';
import { withSignedContent } from './signed-content.ts';

export interface RepairedMessage {
  bytes: Uint8Array;
  /** Where the bodies in HTML lie, for what they name by relative addresses. */
  bases: string[];
}

/** Keeps the date of a message within a message from being written anew, in another zone. */
export const DATE_MARK = '\u2063';
/** RFC 2557: the base of what has none. */
export const NO_BASE = 'thismessage:/';
const LOCATION = 'location:';
const IN_PLACE = 'in-place.';

export function repairMessage(bytes: Uint8Array): RepairedMessage {
  const read = readParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!read) return { bytes, bases: [] };
  const whole = withSignedContent(read);
  const bases: string[] = [];
  // What was sent and came back is proof: it stays a file as it is.
  if (allParts(whole).some(({ type }) => REPORT.test(type))) withoutMessages(whole);
  const parts = allParts(whole);
  const headerCharset =
    parts.map(({ params }) => params.get('charset') ?? '').find(isOther) ?? 'windows-1252';
  const named = referredTo(parts);
  for (const part of parts) {
    mendHeaders(part, headerCharset);
    if (part.message) markDate(part.message);
    if (part.children) placePictures(part, part.children, named);
    else if (/^text\/(?:plain|html|calendar)$/.test(part.type) && !isAttached(part)) mendText(part);
  }
  locate(whole, NO_BASE, bases);
  return { bytes: writeParts(whole), bases };
}

/** The address that a part of this description lies at. */
export const locationOf = (description: string | undefined): string | undefined =>
  description?.startsWith(LOCATION) ? decodeURIComponent(description.slice(LOCATION.length)) : undefined;

/** Shown where it stood, but not by the words of its writer. */
export const isPlaced = (contentId: string | undefined): boolean => contentId?.startsWith(IN_PLACE) === true;

function allParts(part: MimePart): MimePart[] {
  const below = [...(part.children ?? []), ...(part.message ? [part.message] : [])];
  return [part, ...below.flatMap(allParts)];
}

const REPORT = /^message\/(?:delivery-status|feedback-report)$/;

function withoutMessages(whole: MimePart): void {
  for (const part of allParts(whole)) delete part.message;
}

const isOther = (charset: string): boolean =>
  charset !== '' && !/^(?:utf-?8|us-ascii)$/i.test(charset) && isKnown(charset);

const WORD_IN_UTF7 = /=\?(?:unicode-1-1-)?utf-?7\?([qb])\?([^?]*)\?=/gi;

function mendHeaders(part: MimePart, charset: string): void {
  for (const header of part.headers) {
    if (!isUtf8(header.raw)) header.raw = Buffer.from(new TextDecoder(charset).decode(header.raw));
    if (!header.raw.includes('=?')) continue;
    const text = header.raw.toString();
    const plain = text.replace(WORD_IN_UTF7, (_, coding: string, word: string) => {
      const bytes =
        coding.toLowerCase() === 'b'
          ? decodeTransfer(Buffer.from(word), 'base64')
          : decodeTransfer(Buffer.from(word.replaceAll('_', '=20')), 'quoted-printable');
      return decodeUtf7(bytes.toString('latin1')).replace(/[\r\n]/g, ' ');
    });
    if (plain !== text) header.raw = Buffer.from(plain);
  }
}

function markDate(message: MimePart): void {
  const date = headerOf(message, 'date');
  if (/^[ -~]+$/.test(date)) setHeader(message, 'date', `${date}${DATE_MARK}`);
}

function mendText(part: MimePart): void {
  const said = part.params.get('charset') ?? '';
  const isFlowed = part.type === 'text/plain' && /^flowed$/i.test(part.params.get('format') ?? '');
  const bytes = decodeTransfer(part.body, encodingOf(part));
  const guessed = guessedCharset(bytes, said, part.type === 'text/html');
  const charset = guessed ?? said;
  if (!isUtf7(said) && !(isFlowed && isKnown(charset))) {
    if (guessed !== undefined) setType(part, guessed);
    return;
  }
  const text = isUtf7(said) ? decodeUtf7(bytes.toString('latin1')) : new TextDecoder(charset).decode(bytes);
  const mended = isFlowed ? unflowed(text, /^yes$/i.test(part.params.get('delsp') ?? '')) : text;
  setType(part, 'utf-8');
  setHeader(part, 'content-transfer-encoding', 'base64');
  part.body = Buffer.from(Buffer.from(mended).toString('base64').replace(/.{76}/g, '$&\r\n'));
}

/** Of the other parameters only these mean something to the reader. */
function setType(part: MimePart, charset: string): void {
  const kept = ['name', 'method'].flatMap((key) => {
    const value = part.params.get(key);
    return value === undefined ? [] : [`; ${key}="${utf8(value).replace(/["\\\r\n]/g, ' ')}"`];
  });
  setHeader(part, 'content-type', `${part.type}; charset="${charset}"${kept.join('')}`);
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** The ids that bodies in HTML name. */
function referredTo(parts: readonly MimePart[]): ReadonlySet<string> {
  const ids = parts
    .filter(({ type }) => type === 'text/html')
    .flatMap((part) => [
      ...decodeTransfer(part.body, encodingOf(part))
        .toString('latin1')
        .matchAll(/cid:([^"'\s>)]{1,500})/gi),
    ]);
  return new Set(ids.map(([, id = '']) => id));
}

const SHOWN = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/;

/** Pictures that stand between bodies in HTML, as some programs send them, are shown there. */
function placePictures(part: MimePart, children: MimePart[], named: ReadonlySet<string>): void {
  if (part.type !== 'multipart/mixed' || !children.some(({ type }) => type === 'text/html')) return;
  part.children = children.flatMap((child) => {
    const id = headerOf(child, 'content-id').replace(/^<|>$/g, '');
    const isInline = /^inline\b/i.test(headerOf(child, 'content-disposition'));
    if (!SHOWN.test(child.type) || !isInline || named.has(id) || named.has(encodeURIComponent(id)))
      return [child];
    const own = `${IN_PLACE}${randomUUID()}`;
    setHeader(child, 'content-id', `<${own}>`);
    return [htmlPart(`<p><img src="cid:${own}"></p>`), child];
  });
}

const htmlPart = (html: string): MimePart => ({
  headers: [{ name: 'content-type', raw: Buffer.from('Content-Type: text/html; charset=utf-8') }],
  type: 'text/html',
  params: new Map(),
  body: Buffer.from(html),
});

/** RFC 2557: where parts lie, each address within that of the part around it. */
function locate(part: MimePart, around: string, bases: string[]): void {
  const said = headerOf(part, 'content-location').replace(/\s+/g, '');
  const here = (said && URL.parse(said, headerOf(part, 'content-base') || around)?.href) || around;
  if (part.type === 'text/html' && !bases.includes(here)) bases.push(here);
  else if (said && !part.children && !part.message)
    setHeader(part, 'content-description', `${LOCATION}${encodeURIComponent(here)}`);
  for (const child of part.children ?? []) locate(child, here, bases);
  if (part.message) locate(part.message, NO_BASE, bases);
}
