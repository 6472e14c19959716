// Who calls (interface 5): an API key in X-API-KEY. A 401 names no WWW-Authenticate scheme: some clients start an
// OAuth dance at the word Bearer.
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import { allows } from '../../state/plans.ts';
import type { ApiKey, Keys } from '../../state/state.ts';

const LONGEST_SECRET = 256;

/** The key of a request, undefined when it brings none that is valid. */
export async function findKey(request: FastifyRequest, keys: Keys): Promise<ApiKey | undefined> {
  const secret = request.headers['x-api-key'];
  if (typeof secret !== 'string' || secret === '' || secret.length > LONGEST_SECRET) return undefined;
  return keys.find(secret);
}

export function unauthorized(request: FastifyRequest): Problem {
  return request.headers['x-api-key']
    ? new Problem('unauthorized', 'The API key in X-API-KEY is unknown, expired or revoked.')
    : new Problem('unauthorized', 'The X-API-KEY header is missing.');
}

export function requireScope(key: ApiKey, group: string): void {
  if (allows(key.scopes, group)) return;
  throw new Problem('forbidden', `This API key may not call the group ${group}.`);
}

export const groupOf = (op: string): string => op.slice(0, op.indexOf('/'));
