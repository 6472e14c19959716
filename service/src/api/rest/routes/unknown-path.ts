// No such path: 404; a known path with another method: 405 with Allow.
import type { FastifyInstance } from 'fastify';
import { nearestName } from '../../../contract/nearest-name.ts';
import { Problem } from '../../../contract/problems.ts';
import type { ServerParts } from '../parts.ts';
import { sendProblem } from '../problems.ts';
import { countKeyed } from '../rate-limit.ts';

export interface KnownMethods {
  (path: string): readonly string[];
  /** Paths that are the same for everybody. */
  known(): readonly KnownPath[];
}

/** Learns the methods of every route as it is added; call it before adding any. */
export function watchMethods(app: FastifyInstance): KnownMethods {
  const exact = new Map<string, Set<string>>();
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // A route for everything says nothing about what is known.
    if (url.includes('*')) return;
    const methods = methodsOf(url);
    for (const one of [method].flat()) methods.add(one.toUpperCase());
  });
  function methodsOf(url: string): Set<string> {
    const known = exact.get(url) ?? patterns.get(url)?.methods;
    if (known) return known;
    const methods = new Set<string>();
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
    if (url.includes(':')) patterns.set(url, { pattern, methods });
    else exact.set(url, methods);
    return methods;
  }
  const methodsFor = (path: string): readonly string[] => {
    const known = exact.get(path);
    if (known) return [...known].sort();
    for (const { pattern, methods } of patterns.values()) if (pattern.test(path)) return [...methods].sort();
    return [];
  };
  let listed: KnownPath[] | undefined;
  return Object.assign(methodsFor, {
    known: () => {
      listed ??= [...exact].map(([path, methods]) => ({
        path,
        method: methods.has('POST') ? 'POST' : 'GET',
      }));
      return listed;
    },
  });
}

export function addUnknownPath(app: FastifyInstance, parts: ServerParts, methodsFor: KnownMethods): void {
  app.setNotFoundHandler(async (request, reply) => {
    await countKeyed(request, reply, parts);
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = methodsFor(path);
    if (allowed.length === 0) return sendProblem(request, reply, notFound(path, methodsFor.known()));
    reply.header('allow', allowed.join(', '));
    const detail = `This path answers to ${allowed.join(' and ')} only.`;
    return sendProblem(request, reply, new Problem('method_not_allowed', detail));
  });
}

function notFound(path: string, known: readonly KnownPath[]): Problem {
  const near = nearestPath(path, known);
  const advice = near ? `; did you mean ${near.method} ${near.path}?` : '.';
  return new Problem('not_found', `There is nothing at this path${advice}`);
}

interface KnownPath {
  path: string;
  method: string;
}

const PREFIX = /^\/+(?:api\/)?(?:v1\/)?/;
/** Longer ones are no slip, and not worth the time. */
const LONGEST_COMPARED_PATH = 80;
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The path that was meant: without its prefix or its group, with a wrong one, or with letters wrong. */
export function nearestPath(asked: string, known: readonly KnownPath[]): KnownPath | undefined {
  if (asked.length > LONGEST_COMPARED_PATH) return undefined;
  const bare = asked
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '')
    .replace(PREFIX, '');
  if (bare === '') return undefined;
  const byBare = new Map(known.map((one) => [one.path.replace(PREFIX, ''), one]));
  const exact = byBare.get(bare);
  if (exact) return exact;
  const sameEnd = known.filter(({ path }) => lastOf(path) === lastOf(bare));
  if (sameEnd.length === 1) return sameEnd[0];
  const near = nearestName(bare, [...byBare.keys()]);
  if (near !== undefined) return byBare.get(near);
  const nearEnd = nearestName(lastOf(bare), [...new Set(known.map(({ path }) => lastOf(path)))]);
  const withEnd = known.filter(({ path }) => lastOf(path) === nearEnd);
  return withEnd.length === 1 ? withEnd[0] : undefined;
}
