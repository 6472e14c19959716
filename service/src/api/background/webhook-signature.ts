// Signatures of the Standard Webhooks convention (https://www.standardwebhooks.com), version v1: HMAC-SHA256 over id, time
// and body.
import { createHmac } from 'node:crypto';
import { invalidParameter } from '../../contract/problems.ts';

const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
/** What a key's own secret is made with: whoever has the key can make it, too, and from it nobody makes the key. */
const PURPOSE = 'bindery webhooks';

/** A caller's secret as base64, without its prefix. */
export function secretOf(given: string): string {
  const text = given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given;
  const { length } = /^[A-Za-z0-9+/_-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : [];
  if (length >= LEAST_BYTES && length <= MOST_BYTES) return text;
  throw invalidParameter(
    `webhookSecret must be ${LEAST_BYTES} to ${MOST_BYTES} bytes as base64, with or without ${PREFIX} before it.`,
  );
}

/** The secret that a key has by itself, as base64. */
export const secretOfKey = (apiKey: string): string =>
  createHmac('sha256', apiKey).update(PURPOSE).digest('base64');

/** The headers of one attempt. */
export function signedHeaders(
  id: string,
  secret: string,
  body: string,
  at: Date,
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
