// Pages of other origins may call the service from a browser only where the operator allowed their origin.
import type { FastifyInstance } from 'fastify';

const METHODS = 'GET, POST, PUT, DELETE';
/** The second line is what agents' clients send to /mcp, of this protocol revision and of older ones. */
const REQUEST_HEADERS = [
  ...['X-API-KEY', 'Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id', 'Prefer'],
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'],
].join(', ');
const PREFLIGHT_SECONDS = '600';
/** Keys travel in a header of their own, not as credentials of the browser, so every header may be read. */
const READABLE_HEADERS = '*';

export const ANY_ORIGIN = '*';

export const isAllowedOrigin = (origin: string, allowed: readonly string[]): boolean =>
  allowed.includes(ANY_ORIGIN) || allowed.includes(origin.toLowerCase());

export function allowOrigins(app: FastifyInstance, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowedOrigin(origin, allowed)) return done();
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', READABLE_HEADERS);
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    if (!isPreflight) return done();
    reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .code(204)
      .send();
  });
}
