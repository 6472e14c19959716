// Who calls (interface 5): an API key in X-API-KEY. A 401 names no WWW-Authenticate scheme: some clients start an
// OAuth dance at the word Bearer.
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import { allows } from '../../state/plans.ts';
import type { ApiKey, Keys } from '../../state/state.ts';

const LONGEST_SECRET = 256;

/**
 * The key of a request, undefined when it brings none that is valid. `bearer`: agents' hosts can often send nothing
 * but an Authorization header.
 */
export async function findKey(
  request: FastifyRequest,
  keys: Keys,
  bearer = false,
): Promise<ApiKey | undefined> {
  const secret = secretIn(request, bearer);
  return secret === undefined ? undefined : keys.find(secret);
}

/** The API key that a request brings, whether or not it is one. */
export function secretIn(request: FastifyRequest, bearer: boolean): string | undefined {
  const secret = request.headers['x-api-key'] ?? (bearer ? bearerToken(request) : undefined);
  if (typeof secret !== 'string' || secret === '' || secret.length > LONGEST_SECRET) return undefined;
  return secret;
}

const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

export function unauthorized({ headers }: FastifyRequest, bearer = false): Problem {
  const carrier = headers['x-api-key']
    ? 'X-API-KEY'
    : bearer && headers.authorization
      ? 'the Authorization header'
      : undefined;
  return carrier === undefined
    ? new Problem('unauthorized', 'The X-API-KEY header is missing.')
    : new Problem('unauthorized', `The API key in ${carrier} is unknown, expired or revoked.`);
}

export function requireScope(key: ApiKey, group: string): void {
  if (allows(key.scopes, group)) return;
  throw new Problem('forbidden', `This API key may not call the group ${group}.`);
}

export const groupOf = (op: string): string => op.slice(0, op.indexOf('/'));
