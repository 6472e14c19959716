// No such path: 404; a known path with another method: 405 with Allow.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../contract/problems.ts';
import type { ServerParts } from '../parts.ts';
import { sendProblem } from '../problems.ts';
import { countKeyed } from '../rate-limit.ts';

/** Learns the methods of every route as it is added; call it before adding any. */
export function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
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
  return (path) => {
    const known = exact.get(path);
    if (known) return [...known].sort();
    for (const { pattern, methods } of patterns.values()) if (pattern.test(path)) return [...methods].sort();
    return [];
  };
}

export function addUnknownPath(
  app: FastifyInstance,
  parts: ServerParts,
  methodsFor: (path: string) => readonly string[],
): void {
  app.setNotFoundHandler(async (request, reply) => {
    await countKeyed(request, reply, parts);
    const allowed = methodsFor(request.url.split('?', 1)[0] ?? '');
    if (allowed.length === 0) return sendProblem(request, reply, notFound());
    reply.header('allow', allowed.join(', '));
    const detail = `This path answers to ${allowed.join(' and ')} only.`;
    return sendProblem(request, reply, new Problem('method_not_allowed', detail));
  });
}

const notFound = (): Problem => new Problem('not_found', 'There is nothing at this path.');
