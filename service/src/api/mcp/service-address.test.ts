import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { doubtOfAddress, serviceAddress } from './service-address.ts';

const asked = (host: string | undefined, localAddress = '127.0.0.1', baseUrl: string | null = null) =>
  serviceAddress(
    {
      headers: { host },
      protocol: 'http',
      socket: { localAddress, localPort: 8080 },
    } as unknown as FastifyRequest,
    { baseUrl } as Config,
  );

test('the operator says it; else the caller came by it; else the connection ends there', () => {
  assert.equal(asked('evil.example', '127.0.0.1', 'https://pdf.example'), 'https://pdf.example');
  assert.equal(asked('pdf.example:8443'), 'http://pdf.example:8443');
  assert.equal(asked('[::1]:8080'), 'http://[::1]:8080');
  assert.equal(asked(undefined), 'http://127.0.0.1:8080');
  assert.equal(asked(undefined, '::ffff:10.0.0.1'), 'http://10.0.0.1:8080');
  assert.equal(asked(undefined, '::1'), 'http://[::1]:8080');
});

test('a Host header that is more than a host is not repeated', () => {
  for (const host of ['a b', 'a/b', "a'; rm -rf /", 'user@host', 'host:99999', 'a\nb', '$(id)', '"'])
    assert.equal(asked(host), 'http://127.0.0.1:8080', host);
});

test('a service that others call says at its start that nobody told it how', () => {
  const alone = { host: '127.0.0.1', baseUrl: null, trustedProxies: [], serverNames: [] };
  assert.equal(doubtOfAddress(alone), undefined);
  assert.match(doubtOfAddress({ ...alone, host: '0.0.0.0' }) ?? '', /BINDERY_BASE_URL/);
  assert.match(doubtOfAddress({ ...alone, serverNames: ['pdf.example'] }) ?? '', /BINDERY_TRUSTED_PROXIES/);
  assert.equal(doubtOfAddress({ ...alone, host: '0.0.0.0', baseUrl: 'https://pdf.example' }), undefined);
  assert.equal(doubtOfAddress({ ...alone, host: '0.0.0.0', trustedProxies: ['private'] }), undefined);
});
