// Who calls (interface 5): an API key in X-API-KEY, or as a bearer token, which is all that many clients and hosts of
// agents can send. A 401 names no WWW-Authenticate scheme: some clients start an OAuth dance at the word Bearer.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import { hashOf } from '../../state/key-secrets.ts';
import { ADMIN, allows } from '../../state/plans.ts';
import type { ApiKey, Keys } from '../../state/state.ts';

const LONGEST_SECRET = 256;

/** The key of a request, undefined when it brings none that is valid. */
export async function findKey(request: FastifyRequest, keys: Keys): Promise<ApiKey | undefined> {
  const secret = secretIn(request);
  return secret === undefined ? undefined : keys.find(secret);
}

/** The API key that a request brings, whether or not it is one. */
export function secretIn(request: FastifyRequest): string | undefined {
  const secret = request.headers['x-api-key'] || bearerToken(request);
  return typeof secret === 'string' && secret.length <= LONGEST_SECRET ? secret : undefined;
}

/** The one key that is kept nowhere: the operator's own for the administration of keys, BINDERY_ADMIN_KEY. */
export function findAdminKey(request: FastifyRequest, adminKey: string | null): ApiKey | undefined {
  const secret = secretIn(request);
  if (adminKey === null || secret === undefined) return undefined;
  return timingSafeEqual(hashOf(secret), hashOf(adminKey)) ? OPERATORS_KEY : undefined;
}

const OPERATORS_KEY: ApiKey = {
  id: 'key_of_operator',
  name: 'BINDERY_ADMIN_KEY',
  plan: 'unlimited',
  scopes: [ADMIN],
  createdAt: new Date(0),
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  seeded: true,
};

const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** Whether the request brought a key at all. */
export const bringsKey = (request: FastifyRequest): boolean =>
  Boolean(request.headers['x-api-key']) || bearerToken(request) !== undefined;

export function unauthorized(request: FastifyRequest): Problem {
  const { headers } = request;
  if (bringsKey(request)) {
    const carrier = headers['x-api-key'] ? 'X-API-KEY' : 'the Authorization header';
    return new Problem('unauthorized', `The API key in ${carrier} is unknown, expired or revoked.`);
  }
  return new Problem('unauthorized', `The X-API-KEY header is missing${keyElsewhere(request)}.`);
}

const OTHER_HEADERS = ['api-key', 'apikey', 'x-apikey', 'x-api-token', 'x-auth-token', 'x-access-token'];
const KEY_IN_QUERY = /[?&](?:x-)?(?:api[-_]?key|api[-_]?token|access[-_]?token|token|key)=/i;

/** Where callers put a key that is not read there. */
function keyElsewhere({ headers, url }: FastifyRequest): string {
  if (headers.authorization) return '; the Authorization header holds no bearer token';
  const other = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  if (other) return `; a key in ${other} is not read`;
  return KEY_IN_QUERY.test(url) ? '; a key in the address is not read, since addresses are logged' : '';
}

export function requireScope(key: ApiKey, group: string): void {
  if (allows(key.scopes, group)) return;
  if (group === ADMIN)
    throw new Problem('forbidden', 'This API key may not administer keys.', {
      hint: 'Use a key with the scope admin (bindery keys create --scopes admin), or the one in BINDERY_ADMIN_KEY.',
    });
  throw new Problem('forbidden', `This API key may not call the group ${group}.`, {
    hint: `Use a key with the scope ${group}; this one has ${key.scopes.join(', ')}.`,
  });
}

export const groupOf = (op: string): string => op.slice(0, op.indexOf('/'));
