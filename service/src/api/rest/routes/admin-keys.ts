// The administration of keys, for keys with the scope admin: made, listed, revoked, rotated, and how they were used.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { excessOf } from '../../../contract/bounded-json.ts';
import { KIB } from '../../../contract/limits.ts';
import { nearestName } from '../../../contract/nearest-name.ts';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import { ADMIN, isKeyName, isPlanName, isScope, PLAN_NAMES, SCOPES } from '../../../state/plans.ts';
import { type ApiKey, firstDay, type NewKey, USAGE_DAYS } from '../../../state/state.ts';
import { onceOver } from '../call.ts';
import { readBody } from '../forms/body.ts';
import { gate } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import type { ServerParts } from '../parts.ts';
import { sendJson } from '../send-json.ts';

const PATH = '/api/v1/admin/keys';
const BODY_BYTES = 64 * KIB;
const BODY_DEPTH = 4;
const DAY_SECONDS = 24 * 3600;
const LONGEST_LIFE_MS = 100 * 365 * DAY_SECONDS * 1000;
export const LONGEST_GRACE_SECONDS = 365 * DAY_SECONDS;
export const USUAL_GRACE_SECONDS = DAY_SECONDS;
export const USUAL_USAGE_DAYS = 30;

export function addAdminKeys(app: FastifyInstance, parts: ServerParts, held: HeldBytes): void {
  const { keys, usage } = parts.state;
  const onRequest = (verb: string) =>
    gate(parts, { operation: `admin/keys/${verb}`, group: ADMIN, maxBytes: BODY_BYTES });

  async function bodyOf(request: FastifyRequest, reply: FastifyReply, members: readonly string[]) {
    const share = held.share();
    onceOver(reply.raw, share.giveBack);
    return jsonObject(await readBody(request.raw, BODY_BYTES, share), members);
  }

  /** The key that the path names; which one it was stands in the audit log. */
  async function named(request: FastifyRequest): Promise<ApiKey> {
    const { id } = request.params as { id: string };
    const key = (await keys.list()).find((one) => one.id === id);
    if (key === undefined)
      throw new Problem('not_found', 'There is no key with this id.', {
        hint: `GET ${PATH} lists all keys with their ids.`,
      });
    request.call.target = key.id;
    return key;
  }

  app.get(PATH, { onRequest: onRequest('list') }, async (request, reply) =>
    sendJson(request, reply, 200, { keys: (await keys.list()).map((key) => described(key, new Date())) }),
  );

  app.post(PATH, { onRequest: onRequest('create') }, async (request, reply) => {
    const asked = newKey(await bodyOf(request, reply, ['name', 'plan', 'scopes', 'expiresAt']), new Date());
    const { key, secret } = await keys.create(asked);
    request.call.target = key.id;
    return sendJson(request, reply, 201, { key: described(key, new Date()), secret });
  });

  app.get(`${PATH}/:id`, { onRequest: onRequest('show') }, async (request, reply) =>
    sendJson(request, reply, 200, { key: described(await named(request), new Date()) }),
  );

  app.delete(`${PATH}/:id`, { onRequest: onRequest('revoke') }, async (request, reply) => {
    const { id } = await named(request);
    // Sent again it has the same end.
    await keys.revoke(id);
    return reply.code(204).send();
  });

  app.post(`${PATH}/:id/rotate`, { onRequest: onRequest('rotate') }, async (request, reply) => {
    const { graceSeconds = USUAL_GRACE_SECONDS } = await bodyOf(request, reply, ['graceSeconds']);
    if (!isWhole(graceSeconds, 0, LONGEST_GRACE_SECONDS))
      throw invalidParameter(`graceSeconds must be a whole number from 0 to ${LONGEST_GRACE_SECONDS}.`);
    const key = await named(request);
    const oldSecretUntil = new Date(Date.now() + graceSeconds * 1000);
    const secret = await keys.rotate(key.id, graceSeconds * 1000);
    if (secret === undefined) throw notRotated(key);
    return sendJson(request, reply, 200, {
      key: described(key, new Date()),
      secret,
      oldSecretUntil: oldSecretUntil.toISOString(),
    });
  });

  app.get(`${PATH}/:id/usage`, { onRequest: onRequest('usage') }, async (request, reply) => {
    const { days = USUAL_USAGE_DAYS } = request.query as { days?: string };
    const count = /^\d{1,3}$/.test(String(days)) ? Number(days) : Number.NaN;
    if (!isWhole(count, 1, USAGE_DAYS))
      throw invalidParameter(`days must be a whole number from 1 to ${USAGE_DAYS}.`);
    const { id } = await named(request);
    const operations = await usage.of(id, count);
    return sendJson(request, reply, 200, { key: id, since: firstDay(new Date(), count), operations });
  });
}

const isWhole = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function notRotated(key: ApiKey): Problem {
  const why = key.seeded
    ? 'The secret of this key is set by BINDERY_API_KEY: it is changed there.'
    : `This key is ${stateOf(key, new Date())}.`;
  return new Problem('bad_request', why, { hint: `Make a new key: POST ${PATH}.` });
}

function stateOf(key: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

const described = ({ seeded, ...key }: ApiKey, now: Date) => ({
  ...key,
  state: stateOf({ seeded, ...key }, now),
  setByOperator: seeded,
});

function newKey(body: Record<string, unknown>, now: Date): NewKey {
  const { name, plan = 'standard', scopes = ['*'], expiresAt = null } = body;
  const given = typeof name === 'string' ? name.trim().normalize('NFC') : '';
  if (!isKeyName(given))
    throw invalidParameter('name must be text of 1 to 100 characters without control characters.');
  if (typeof plan !== 'string' || !isPlanName(plan))
    throw invalidParameter(`plan must be one of ${PLAN_NAMES.join(', ')}.`);
  const words = Array.isArray(scopes) && scopes.length <= SCOPES.length ? scopes : [];
  if (words.length === 0 || !words.every((word) => typeof word === 'string' && isScope(word)))
    throw invalidParameter(`scopes must be a list of ${SCOPES.join(', ')}.`);
  return { name: given, plan, scopes: [...new Set(words as string[])], expiresAt: expiry(expiresAt, now) };
}

function expiry(given: unknown, now: Date): Date | null {
  if (given === null) return null;
  const isDate =
    typeof given === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(given);
  const time = isDate ? Date.parse(given) : Number.NaN;
  if (time > now.getTime() && time - now.getTime() <= LONGEST_LIFE_MS) return new Date(time);
  throw invalidParameter('expiresAt must be a date and time to come, such as 2030-12-31T00:00:00Z, or null.');
}

/** No body stands for no members. */
function jsonObject(body: Buffer, members: readonly string[]): Record<string, unknown> {
  if (body.length === 0) return {};
  const excess = excessOf(body, BODY_DEPTH);
  if (excess !== undefined) throw new Problem('bad_request', `The body ${excess}.`);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // Answered below, like JSON that is not an object.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('bad_request', 'The body must be a JSON object.', {
      hint: `It may have ${members.join(', ')}.`,
    });
  // A key that was to expire and does not is worse than one that is not made.
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown === undefined) return value as Record<string, unknown>;
  const near = nearestName(unknown, members);
  const advice = near ? `did you mean ${near}?` : `there are ${members.join(', ')}.`;
  throw invalidParameter(`There is no member ${JSON.stringify(unknown.slice(0, 64))}; ${advice}`);
}
