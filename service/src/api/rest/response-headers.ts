// Headers every response carries.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Operations 1.7: "All responses: Cache-Control: private, no-store, X-Content-Type-Options: nosniff". */
export const COMMON_HEADERS = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id for a request, where it is fit to be written into logs; else a new one. */
export function requestIdFor(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}
