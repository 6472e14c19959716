// A page on the network, loaded through the job's way out: each request of it, redirections and all that it is made
// of included, is asked for one by one.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import {
  EGRESS_LIMITS,
  type Egress,
  FETCH_METHODS,
  type FetchedAnswer,
  isHeaderOfPage,
} from '../../contract/egress.ts';
import { lookup } from '../../contract/lookup.ts';
import { Problem } from '../../contract/problems.ts';
import type { PageAnswer, PageRequest, Server } from './serving.ts';

export interface WebPage {
  server: Server;
  /** Rejects when the page itself cannot be had. */
  failure: Promise<never>;
}

/** About the connection, or about a packing that is undone. */
const NOT_PASSED =
  /^(?:alt-svc|connection|content-disposition|content-encoding|content-length|keep-alive|strict-transport-security|trailer|transfer-encoding|upgrade)$/i;
/** Of what is never seen on paper nothing is loaded. */
const UNSEEN = /^(?:audio|video)\//i;

export function webPage(egress: Egress, address: string, userAgent: string): WebPage {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let bytesLeft: number = EGRESS_LIMITS.pageBytes;
  let redirects = 0;
  let image: PageAnswer | undefined;
  let hasPage = false;

  const load = async (request: PageRequest): Promise<FetchedAnswer> => {
    const answer = await egress.fetch({
      url: withoutFragment(request.url),
      method: FETCH_METHODS.find((method) => method === request.method) ?? 'GET',
      headers: sentHeaders(request.headers, userAgent),
      body: request.body,
      // One byte more tells that there is too much.
      maxAnswerBytes: bytesLeft + 1,
      timeoutMs: EGRESS_LIMITS.timeoutMs,
    });
    if (answer.cut) throw new TooLarge();
    const body = unpacked(answer, bytesLeft);
    bytesLeft -= body.length;
    return { ...answer, body };
  };

  const loadPage = async (request: PageRequest): Promise<PageAnswer> => {
    const answer = await load(request);
    if (isRedirection(answer)) {
      redirects += 1;
      if (redirects > EGRESS_LIMITS.redirects)
        throw fetchFailed(`The address redirects more than ${EGRESS_LIMITS.redirects} times.`);
      // The browser asks for http and https only; what it would not even ask for is told here.
      if (!isWeb(URL.parse(headerOf(answer, 'location'), request.url)?.href ?? ''))
        throw new Problem('url_not_allowed', 'The address redirects to one that is neither http nor https.');
      return passed(answer);
    }
    checkPage(answer);
    hasPage = true;
    if (!/^image\/(?!svg)/i.test(typeOf(answer))) return passed(answer);
    image = passed(answer);
    return imageFrame(request.url);
  };

  return {
    failure: failed.promise,
    async server(request) {
      if (!isWeb(request.url) || !FETCH_METHODS.some((method) => method === request.method)) return undefined;
      if (request.body && request.body.length > EGRESS_LIMITS.requestBytes) return undefined;
      if (image && !request.isPage && request.url === address) return image;
      try {
        if (request.isPage) return await loadPage(request);
        const answer = await load(request);
        return UNSEEN.test(typeOf(answer)) ? undefined : passed(answer);
      } catch (error) {
        // "Disallowed sub-resources are left out"; so is where a page goes on to by itself.
        if (tooLarge(error) || (request.isPage && !hasPage)) failed.reject(error);
        return undefined;
      }
    },
  };
}

const isWeb = (url: string): boolean => /^https?:/i.test(url);

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

function sentHeaders(headers: Readonly<Record<string, string>>, userAgent: string): Record<string, string> {
  let room: number = EGRESS_LIMITS.headerBytes - 1000;
  const sent = Object.entries(headers).filter(([name, value]) => {
    if (/^(?:accept-encoding|user-agent)$/i.test(name) || !isHeaderOfPage(name, value)) return false;
    room -= name.length + value.length;
    return room > 0;
  });
  return { ...Object.fromEntries(sent), 'User-Agent': userAgent, 'Accept-Encoding': 'gzip, deflate, br' };
}

const headerOf = ({ headers }: FetchedAnswer, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

const typeOf = (answer: FetchedAnswer): string => headerOf(answer, 'content-type').trim();

const isRedirection = (answer: FetchedAnswer): boolean =>
  [301, 302, 303, 307, 308].includes(answer.status) && headerOf(answer, 'location') !== '';

/** Operations 3: "status 400 or above ... or neither HTML, text nor image". */
function checkPage(answer: FetchedAnswer): void {
  const { status, body } = answer;
  if (status >= 300 || status === 204 || status === 205)
    throw fetchFailed(`The address answered with status ${status}.`);
  const type = typeOf(answer);
  if (type !== '' && !/^(?:text|image)\/|^application\/xhtml\+xml\b/i.test(type))
    throw fetchFailed('The address holds neither HTML, text nor an image.');
  if (type === '' && body.subarray(0, 1024).includes(0))
    throw fetchFailed('The address does not tell what it holds, and it is neither HTML nor text.');
}

const passed = ({ status, headers, body }: FetchedAnswer): PageAnswer => ({
  status,
  headers: headers.filter(([name]) => !NOT_PASSED.test(name)),
  body,
});

/** The browser shows an image on black, in the middle of a window; on paper it stands at the top, as wide as fits. */
function imageFrame(url: string): PageAnswer {
  const source = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html = `<!doctype html><body style="margin:0"><img src="${source}" alt="" style="max-width:100%">`;
  return { status: 200, headers: [['Content-Type', 'text/html; charset=utf-8']], body: Buffer.from(html) };
}

const UNPACKERS: Readonly<Record<string, typeof gunzipSync>> = lookup({
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
});

function unpacked(answer: FetchedAnswer, most: number): Uint8Array {
  const coding = headerOf(answer, 'content-encoding').trim().toLowerCase();
  const unpack = Object.hasOwn(UNPACKERS, coding) ? UNPACKERS[coding] : undefined;
  try {
    const body =
      unpack && answer.body.length > 0 ? unpack(answer.body, { maxOutputLength: most + 1 }) : answer.body;
    if (body.length <= most) return body;
  } catch (error) {
    if (!tooLarge(error) && (error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw fetchFailed('The address answered with data that cannot be unpacked.', error);
  }
  throw new TooLarge();
}

const fetchFailed = (detail: string, cause?: unknown): Problem =>
  new Problem('url_fetch_failed', detail, cause === undefined ? {} : { cause });

class TooLarge extends Problem {
  constructor() {
    const most = EGRESS_LIMITS.pageBytes / 1024 ** 2;
    super('url_fetch_failed', `The page and what belongs to it are more than ${most} MB.`);
  }
}

const tooLarge = (error: unknown): boolean => error instanceof TooLarge;
