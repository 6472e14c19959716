// A page that the job holds, as if it stood on a host of its own: one that no name server knows.
import { posix } from 'node:path';
import { mediaTypeOf } from './media-types.ts';
import type { LocalPage } from './print.ts';
import type { PageAnswer, Server } from './serving.ts';

/** RFC 2606: names under `invalid` are never given to anybody. */
const ORIGIN = 'http://document.invalid';
const DEFAULT_PATH = 'index.html';

/** Beside what is refused anyway: connections that are no requests. */
const OWN_ONLY = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; webrtc 'block'";
const NO_SCRIPTS = "script-src 'none'; object-src 'none'; frame-src 'self' data:";

export const pathOf = ({ path = DEFAULT_PATH }: LocalPage): string => path;

export const addressOf = (page: LocalPage): string =>
  `${ORIGIN}/${pathOf(page).split('/').map(encodeURIComponent).join('/')}`;

export function localServer(page: LocalPage): Server {
  const { html, scripts, resource } = page;
  const path = pathOf(page);
  const policy = scripts ? OWN_ONLY : `${OWN_ONLY}; ${NO_SCRIPTS}`;
  return async ({ url, method }) => {
    const wanted = pathIn(url);
    if (wanted === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
    if (wanted === path) return answer(documentBytes(html), documentType(html), policy);
    const found = await resource?.(wanted);
    return found && answer(found.bytes, found.mediaType ?? mediaTypeOf(wanted), policy);
  };
}

const answer = (body: Uint8Array, type: string, policy: string): PageAnswer => ({
  status: 200,
  headers: [
    ['Content-Type', type],
    ['Content-Security-Policy', policy],
  ],
  body,
});

/** Undefined where an address is none of the page's own. */
function pathIn(address: string): string | undefined {
  const url = URL.parse(address);
  if (url?.origin !== ORIGIN) return undefined;
  try {
    return decodeURIComponent(url.pathname).replace(/^\/+/, '');
  } catch {
    return undefined;
  }
}

const documentBytes = (html: string | Uint8Array): Uint8Array =>
  typeof html === 'string' ? Buffer.from(html) : html;

const HEAD_BYTES = 4096;

/** A page that does not say how it is written is UTF-8 where it can be; else the browser guesses. */
function documentType(html: string | Uint8Array): string {
  if (typeof html === 'string') return 'text/html; charset=utf-8';
  const head = Buffer.from(html.buffer, html.byteOffset, Math.min(html.length, HEAD_BYTES)).toString(
    'latin1',
  );
  if (/charset|^\xff\xfe|^\xfe\xff/i.test(head) || !isUtf8(html)) return 'text/html';
  return 'text/html; charset=utf-8';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Links of a printed page to its own origin, made relative again: nobody else knows that origin. Each takes as many
 * bytes as before, so that the places of all objects stay true.
 */
export function withoutOrigin(pdf: Buffer, page: LocalPage): void {
  const start = Buffer.from(`/URI (${ORIGIN}/`);
  const here = posix.dirname(`/${pathOf(page)}`);
  for (let at = pdf.indexOf(start); at >= 0; at = pdf.indexOf(start, at + 1)) {
    const open = at + '/URI '.length;
    const close = endOfString(pdf, open);
    if (close === undefined) return;
    const target = pdf.toString('latin1', open + 1 + ORIGIN.length, close);
    const relative = posix.relative(here, target) || '.';
    const text = `(${relative}${target.endsWith('/') && relative !== '.' ? '/' : ''})`;
    const room = close + 1 - open;
    if (text.length <= room) pdf.write(text.padEnd(room), open, 'latin1');
  }
}

export const hasOrigin = (pdf: Buffer): boolean => pdf.includes(ORIGIN);

/** The closing bracket of a string that opens at `from`. */
function endOfString(pdf: Buffer, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < pdf.length; at += 1) {
    if (pdf[at] === 0x5c) at += 1;
    else if (pdf[at] === 0x28) depth += 1;
    else if (pdf[at] === 0x29) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
