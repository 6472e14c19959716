import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { secretOf, secretOfKey, signedHeaders } from './webhook-signature.ts';

test('the published library takes what we sign, and nothing that was changed', () => {
  const body = JSON.stringify({ id: 'é', status: 'succeeded' });
  for (const secret of [`whsec_${randomBytes(24).toString('base64')}`, randomBytes(64).toString('base64')]) {
    const headers = signedHeaders('msg_1', secretOf(secret), body, new Date());
    const library = new Webhook(secret);
    assert.deepEqual(library.verify(body, headers), JSON.parse(body));
    assert.throws(() => library.verify(`${body} `, headers));
    assert.throws(() => library.verify(body, { ...headers, 'webhook-id': 'msg_2' }));
    assert.throws(() => new Webhook(randomBytes(24).toString('base64')).verify(body, headers));
  }
});

test("a key's own secret is what its holder makes of the key", () => {
  const own = createHmac('sha256', 'the-api-key').update('bindery webhooks').digest('base64');
  assert.equal(secretOfKey('the-api-key'), own);
  assert.equal(secretOf(own), own);
});

test('secrets that are too short, too long or no base64 are refused', () => {
  const wrong = [
    '',
    'whsec_',
    'short',
    randomBytes(23).toString('base64'),
    randomBytes(65).toString('base64'),
  ];
  for (const secret of [...wrong, 'not base64 at all, but long enough to be', 'x'.repeat(10_000)])
    assert.throws(() => secretOf(secret), /invalid_parameter: webhookSecret must be 24 to 64 bytes/, secret);
});
