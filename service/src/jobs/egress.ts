// The way out, in the API process: requests to public addresses. A name is resolved once, every address it has is
// held against the rules, and the connection goes to one of these.
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import {
  EGRESS_LIMITS,
  type Egress,
  type FetchedAnswer,
  type OutboundFetch,
  type OutboundRequest,
} from '../contract/egress.ts';
import { Problem } from '../contract/problems.ts';
import { isPublicAddress } from './public-address.ts';

export interface EgressSettings {
  /** `host` or `host:port`: may be reached though not public. */
  allowHosts: readonly string[];
}

interface Address {
  address: string;
  family: number;
}

/** Where a body goes as it arrives; the next piece is read when this one is taken. False: no more of it. */
export type Take = (piece: Buffer) => Promise<boolean> | boolean;
export type AnswerHead = Pick<FetchedAnswer, 'status' | 'headers'>;

/** A body of any size, read as it is sent. */
export interface SentBody {
  size: number;
  open(): Readable | Promise<Readable>;
}

export interface OutboundSending {
  url: string;
  method: 'PUT' | 'POST';
  headers: Record<string, string>;
  body: SentBody;
  timeoutMs: number;
}

/** `signal`: whoever asked is gone. */
export interface CancellableEgress extends Egress {
  post(request: OutboundRequest, signal?: AbortSignal): ReturnType<Egress['post']>;
  fetch(request: OutboundFetch, signal?: AbortSignal): ReturnType<Egress['fetch']>;
  /** As `fetch`, for bodies that are not to be held; `begin` sees the head. */
  fetchInto(
    request: OutboundFetch,
    begin: (head: AnswerHead) => Take,
    signal?: AbortSignal,
  ): Promise<AnswerHead & { cut: boolean }>;
  /** Follows no redirection; of the answer only the head is looked at. */
  send(request: OutboundSending, signal?: AbortSignal): Promise<AnswerHead>;
  /** Throws what any request to this address would be refused with, before there is one. */
  require(url: string, signal?: AbortSignal): Promise<void>;
}

export function createEgress({ allowHosts }: EgressSettings): CancellableEgress {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));

  /** The one door: whatever is to be done with an address is done with what it was found to lead to. */
  async function reach<T>(
    asked: { url: string; timeoutMs: number },
    cancelled: AbortSignal | undefined,
    use: (url: URL, addresses: readonly Address[], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const url = readUrl(asked.url);
    const isAllowed = allowed.has(plainName(url.hostname)) || allowed.has(url.host);
    const signal = AbortSignal.any([AbortSignal.timeout(asked.timeoutMs), ...(cancelled ? [cancelled] : [])]);
    try {
      const addresses = await withSignal(resolve(url), signal);
      if (!isAllowed && !addresses.every(({ address }) => isPublicAddress(address))) throw notAllowed();
      return await use(url, addresses, signal);
    } catch (error) {
      throw error instanceof Problem ? error : unusable(url, signal.aborted ? signal.reason : error);
    }
  }

  const fetchInto: CancellableEgress['fetchInto'] = (asked, begin, cancelled) =>
    reach(asked, cancelled, (url, addresses, signal) => {
      const { method, headers, body, maxAnswerBytes } = asked;
      const sent = body && { size: body.length, open: () => body };
      return exchangeWith(url, addresses, { method, headers, body: sent, maxAnswerBytes, begin, signal });
    });

  const exchange: CancellableEgress['fetch'] = async (asked, cancelled) => {
    const pieces: Buffer[] = [];
    const { status, headers, cut } = await fetchInto(
      asked,
      () => (piece) => pieces.push(piece) > 0,
      cancelled,
    );
    return { status, headers, cut, body: Buffer.concat(pieces) };
  };

  return {
    fetchInto,
    send: (asked, cancelled) =>
      reach(asked, cancelled, (url, addresses, signal) =>
        exchangeWith(url, addresses, { ...asked, maxAnswerBytes: 0, begin: () => () => false, signal }),
      ),
    require: (url, cancelled) =>
      reach({ url, timeoutMs: EGRESS_LIMITS.timeoutMs }, cancelled, async () => {}),
    fetch: exchange,
    async post({ url, body, contentType, accept, maxAnswerBytes, timeoutMs }, cancelled) {
      const headers = { 'Content-Type': contentType, Accept: accept, 'User-Agent': 'Bindery' };
      // One byte more than wanted shows that there is too much.
      const asked = { url, body, headers, maxAnswerBytes: maxAnswerBytes + 1, timeoutMs };
      const answer = await exchange({ ...asked, method: 'POST' }, cancelled);
      // Redirects count as failures: where they lead was not asked for.
      if (answer.status !== 200) throw unusable(readUrl(url), `status ${answer.status}`);
      if (answer.body.length > maxAnswerBytes) throw unusable(readUrl(url), 'the answer is too large');
      const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
      return { contentType: type ?? '', body: answer.body };
    },
  };
}

const unusable = ({ host }: URL, cause: unknown): Problem =>
  new Problem('url_fetch_failed', `${host} ${mishap(cause)}.`, {
    hint: 'Check that the address is right and answers.',
    cause,
  });

const MISHAPS: readonly [codes: RegExp, words: string][] = [
  [/^(?:ENOTFOUND|EAI_)/, 'could not be found: its name leads to no address'],
  [/^ECONNREFUSED$/, 'refused the connection'],
  [/^E(?:HOST|NET)(?:UNREACH|DOWN)$/, 'cannot be reached'],
  [/^(?:ECONNRESET|EPIPE)$/, 'broke the connection off'],
  [/^ETIMEDOUT$/, 'did not answer in time'],
  [/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/, 'offered no trustworthy connection'],
];

/** What happened, in our own words. */
function mishap(cause: unknown): string {
  if (typeof cause === 'string') return `did not give a usable answer: ${cause}`;
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'did not answer in time';
  // Several addresses were tried, and each failed.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  const code = first instanceof Error ? String((first as NodeJS.ErrnoException).code) : '';
  return MISHAPS.find(([codes]) => codes.test(code))?.[1] ?? 'did not give a usable answer';
}

const notAllowed = (): Problem =>
  new Problem('url_not_allowed', 'The address is not a public http or https address.');

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw notAllowed();
  return url;
}

/** A dot at the end says that the name is complete, as every name here is. */
const plainName = (hostname: string): string => hostname.replace(/\.$/, '');

/** A literal address stands for itself. */
async function resolve({ hostname }: URL): Promise<Address[]> {
  const bare = plainName(hostname).replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  if (family !== 0) return [{ address: bare, family }];
  const found = await lookup(bare, { all: true, verbatim: true });
  if (found.length === 0) throw new Error(`${bare} has no address`);
  return found;
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Exchange {
  method: string;
  headers: Record<string, string>;
  body: { size: number; open(): Uint8Array | Readable | Promise<Readable> } | undefined;
  maxAnswerBytes: number;
  begin(head: AnswerHead): Take;
  signal: AbortSignal;
}

async function exchangeWith(
  url: URL,
  addresses: readonly Address[],
  { method, headers, body, maxAnswerBytes, begin, signal }: Exchange,
): Promise<AnswerHead & { cut: boolean }> {
  // The name is not asked for again: a second answer could be another one.
  const known: LookupFunction = (_name, options, found) => {
    const [first] = addresses;
    if (options.all) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family ?? 4);
  };
  const content = await body?.open();
  const { promise, resolve, reject } = Promise.withResolvers<AnswerHead & { cut: boolean }>();
  const length: Record<string, number> = body ? { 'Content-Length': body.size } : {};
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    { method, agent: false, lookup: known, signal, headers: { ...headers, ...length } },
    async (answer) => {
      const head = { status: answer.statusCode ?? 0, headers: pairs(answer.rawHeaders) };
      try {
        const cut = await receive(answer, maxAnswerBytes, begin(head));
        resolve({ ...head, cut });
      } catch (error) {
        reject(error);
      } finally {
        outgoing.destroy();
      }
    },
  );
  outgoing.on('error', reject);
  if (content === undefined || content instanceof Uint8Array) outgoing.end(content);
  else pipeline(content, outgoing, (error) => error && reject(error));
  return promise;
}

/** Whether there was more than is wanted or taken. */
async function receive(answer: AsyncIterable<Buffer>, most: number, take: Take): Promise<boolean> {
  let left = most;
  for await (const chunk of answer) {
    const piece = chunk.subarray(0, left);
    left -= piece.length;
    if (!(await take(piece)) || left === 0) return true;
  }
  return false;
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
