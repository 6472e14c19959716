// The way out, in the API process: one request to a public address. The name is resolved once, every address it has
// is held against the rules, and the connection goes to one of these.
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Egress, OutboundAnswer, OutboundRequest } from '../contract/egress.ts';
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

export function createEgress({ allowHosts }: EgressSettings): Egress {
  const allowed = new Set(allowHosts.map((host) => host.toLowerCase()));
  return {
    async post(request) {
      const url = readUrl(request.url);
      const isAllowed = allowed.has(url.hostname) || allowed.has(url.host);
      const signal = AbortSignal.timeout(request.timeoutMs);
      try {
        const addresses = await withSignal(resolve(url), signal);
        if (!isAllowed && !addresses.every(({ address }) => isPublicAddress(address))) throw notAllowed();
        return await send(url, addresses, request, signal);
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw new Problem('url_fetch_failed', `${url.host} did not give a usable answer in time.`, {
          hint: 'Check that the address is right and answers.',
          cause: error,
        });
      }
    },
  };
}

const notAllowed = (): Problem =>
  new Problem('url_not_allowed', 'The address is not a public http or https address.');

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw notAllowed();
  return url;
}

/** A literal address stands for itself. */
async function resolve({ hostname }: URL): Promise<Address[]> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  if (family !== 0) return [{ address: bare, family }];
  const found = await lookup(bare, { all: true, verbatim: true });
  if (found.length === 0) throw new Error(`${bare} has no address`);
  return found;
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function send(
  url: URL,
  addresses: readonly Address[],
  { body, contentType, accept, maxAnswerBytes }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  // The name is not asked for again: a second answer could be another one.
  const known: LookupFunction = (_name, options, found) => {
    const [first] = addresses;
    if (options.all) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family ?? 4);
  };
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  const outgoing = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    {
      method: 'POST',
      agent: false,
      lookup: known,
      signal,
      headers: {
        'Content-Type': contentType,
        'Content-Length': body.length,
        Accept: accept,
        'User-Agent': 'Bindery',
      },
    },
    (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= maxAnswerBytes) return;
        reject(new Error('the answer is too large'));
        outgoing.destroy();
      });
      answer.on('error', reject);
      answer.on('end', () => {
        // Redirects count as failures: where they lead was not asked for.
        if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
        else resolve({ contentType: answer.headers['content-type'] ?? '', body: Buffer.concat(chunks) });
      });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
