// Terms in attached files that are text: plain, marked up, or a message with parts in other codings.
import { cleanText } from './clean-text.ts';
import type { Terms } from './terms.ts';
import { encodingOf, holds, isReadable } from './text-streams.ts';
import { cleanXml } from './xml-cleaning.ts';

export interface AttachedText {
  text: string;
  /** Back to the file's own encoding. */
  bytesOf(text: string): Uint8Array;
}

/** Undefined where the bytes are no text. */
export function attachedText(bytes: Uint8Array): AttachedText | undefined {
  const encoding = encodingOf(bytes);
  if (encoding !== 'utf-8') {
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    return isReadable(text) ? { text, bytesOf: (made) => utf16(made, encoding === 'utf-16be') } : undefined;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return isPlain(text) ? { text, bytesOf: (made) => Buffer.from(made, 'utf8') } : undefined;
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    // Its marks have no code there.
    return isPlain(text) ? { text, bytesOf: (made) => Buffer.from(narrow(made), 'latin1') } : undefined;
  }
}

/** Nothing but text: what has bytes of other kinds anywhere is read as what it is, or not at all. */
const isPlain = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

const CODES = new Map(
  Array.from({ length: 32 }, (_, at) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)),
    String.fromCharCode(0x80 + at),
  ]),
);
const narrow = (text: string): string =>
  text.replace(/[^\u0000-\u007f\u00a0-\u00ff]/g, (letter) => CODES.get(letter) ?? '#');

/** Whether a term stands in the text, however markup and codings cut it. */
export const textHolds = (text: string, terms: Terms): boolean =>
  holds(text, terms) || plainForms(text).some((form) => holds(form, terms));

/** The text without its terms; undefined where that cannot be done without harm. */
export function withoutTerms(text: string, terms: Terms): string | undefined {
  const xml = cleanXml(text, terms);
  const cleaned = xml === 'no-xml' || xml === undefined ? cleanText(text, terms) : xml;
  return cleaned === undefined || textHolds(cleaned, terms) ? undefined : cleaned;
}

/** What people read of a text that is marked up. */
function plainForms(text: string): string[] {
  const forms: string[] = [];
  // A mark that is never closed must not make the search long.
  if (/<[a-z!/?]/i.test(text)) for (const gap of ['', ' ']) forms.push(text.replace(/<[^<>]*>/g, gap));
  if (text.startsWith('{\\rtf')) forms.push(plainRtf(text));
  if (isMessage(text)) forms.push(unquote(text), ...base64Parts(text).map((part) => part.toString('utf8')));
  return forms;
}

const plainRtf = (text: string): string =>
  text
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) =>
      new TextDecoder('windows-1252').decode(Uint8Array.of(Number.parseInt(hex, 16))),
    )
    .replace(/\\u(-?\d{1,5}) ?\??/g, (_, code: string) => String.fromCharCode(Number(code) & 0xffff))
    .replace(/\\[a-z]+-?\d* ?|[{}]|\r?\n/gi, '');

/** With parts in codings of their own (RFC 2045). */
export const isMessage = (text: string): boolean => /^content-transfer-encoding:/im.test(text);

/** Quoted-printable (RFC 2045, 6.7). */
const unquote = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'utf8',
  ).toString('utf8');

/** Lines of Base64 that follow each other. */
function base64Parts(text: string): Buffer[] {
  const parts: string[] = [];
  let open = false;
  for (const line of text.split(/\r?\n/)) {
    const isCoded = /^[a-z0-9+/]{4,}={0,2}$/i.test(line);
    if (isCoded && open) parts.push(`${parts.pop()}${line}`);
    else if (isCoded) parts.push(line);
    open = isCoded;
  }
  return parts.map((part) => Buffer.from(part, 'base64'));
}

/** Files of other kinds in a message: what they hold cannot be told by reading it as text. */
export const filesInMessage = (text: string): Buffer[] =>
  isMessage(text) ? base64Parts(text).filter((part) => attachedText(part) === undefined) : [];
