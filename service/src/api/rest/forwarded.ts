// Who calls, and under which name he reached us, where proxies stand in between. What a request says of its own way
// counts only as far as proxies that the operator trusts (BINDERY_TRUSTED_PROXIES) have written it: lists are read from
// the right, where the nearest one wrote, up to the first address that is none of theirs.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { networkCheck, plainAddress } from '../../contract/networks.ts';

/** How a request came to the outermost proxy that is trusted; without one, to us. */
export interface Forwarded {
  /** The caller's address. */
  address: string;
  /** The name and port it used, as its proxy says: a caller's text still. Undefined: as the Host header says. */
  host: string | undefined;
  protocol: 'http' | 'https' | undefined;
}

/** Proxies in a row; what stands further left is not read. */
const MOST_HOPS = 32;
const LONGEST_HOST = 300;

type Headers = FastifyRequest['headers'];

export class TrustedProxies {
  readonly #trusts: (address: string) => boolean;

  /** As `networkCheck` takes them. */
  constructor(networks: readonly string[]) {
    this.#trusts = networks.length === 0 ? () => false : networkCheck(networks);
  }

  forwarded({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): Forwarded {
    const nearest = plainAddress(socket.remoteAddress ?? '');
    if (!this.#trusts(nearest)) return { address: nearest, host: undefined, protocol: undefined };
    const way = wayOf(headers);
    let address = nearest;
    let hops = 0;
    for (const said of way.addresses) {
      hops += 1;
      const known = addressIn(said);
      if (known === undefined) break;
      address = known;
      if (!this.#trusts(known)) break;
    }
    const at = Math.max(1, hops);
    const protocol = fromRight(way.protocols, at)?.toLowerCase();
    return {
      address,
      host: fromRight(way.hosts, at)?.slice(0, LONGEST_HOST),
      protocol: protocol === 'https' || protocol === 'http' ? protocol : undefined,
    };
  }
}

/** What each proxy said, the nearest one first. */
interface Way {
  addresses: readonly string[];
  hosts: readonly string[];
  protocols: readonly string[];
}

/**
 * Where both kinds come, X-Forwarded-* counts: proxies that write it pass a Forwarded of the caller's own on, the other
 * way round hardly anywhere.
 */
function wayOf(headers: Headers): Way {
  const hosts = listIn(headers['x-forwarded-host']);
  const protocols = listIn(headers['x-forwarded-proto']);
  const addresses = listIn(headers['x-forwarded-for']);
  if (addresses.length + hosts.length + protocols.length > 0) return { addresses, hosts, protocols };
  const elements = listIn(headers.forwarded).map(pairsIn);
  const each = (name: string): string[] => elements.map((pairs) => pairs.get(name) ?? '');
  return { addresses: each('for'), hosts: each('host'), protocols: each('proto') };
}

/** The last items of a list first. Quoted commas are nothing that addresses and hosts have. */
function listIn(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const items: string[] = [];
  for (let end = text.length; end > 0 && items.length < MOST_HOPS; ) {
    const comma = text.lastIndexOf(',', end - 1);
    items.push(text.slice(comma + 1, end).trim());
    end = comma;
  }
  return items;
}

/** RFC 7239: for=192.0.2.60;proto=http;host="example.org:81". */
function pairsIn(element: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of element.split(';', 8)) {
    const equals = pair.indexOf('=');
    if (equals > 0)
      pairs.set(pair.slice(0, equals).trim().toLowerCase(), unquoted(pair.slice(equals + 1).trim()));
  }
  return pairs;
}

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

/** What the outermost trusted proxy said; where not every one has said something, the one before it. */
const fromRight = (said: readonly string[], hops: number): string | undefined =>
  said[Math.min(hops, said.length) - 1] || undefined;

/** With a port or without; undefined for `unknown`, `_hidden` and whatever else is no address. */
function addressIn(said: string): string | undefined {
  if (said.length > 60) return undefined;
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(said) ?? [];
  const [, dotted] = /^([\d.]+):\d{1,5}$/.exec(said) ?? [];
  const address = plainAddress(bracketed ?? dotted ?? said);
  return isIP(address) === 0 ? undefined : address;
}
