import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SignedAddresses } from './signed-addresses.ts';

const addresses = new SignedAddresses(Buffer.from('a secret'));
const later = () => new Date(Date.now() + 60_000);
const partsOf = (address: string) => {
  const url = new URL(address);
  return [url.searchParams.get('until') ?? '', url.searchParams.get('signature') ?? ''] as const;
};

test('an address is good for its verb and its file until it expires', () => {
  const address = addresses.make('http://host', 'get', 'abc', later());
  assert.ok(address.startsWith('http://host/mcp/files/abc?'));
  const [until, signature] = partsOf(address);
  assert.equal(addresses.isGood('get', 'abc', until, signature), true);
  assert.equal(addresses.isGood('put', 'abc', until, signature), false);
  assert.equal(addresses.isGood('get', 'abd', until, signature), false);
});

test('another time, another secret or a spoiled signature is no permission', () => {
  const [until, signature] = partsOf(addresses.make('http://host', 'get', 'abc', later()));
  assert.equal(addresses.isGood('get', 'abc', String(Number(until) + 1), signature), false);
  assert.equal(addresses.isGood('get', 'abc', until, `${signature}A`), false);
  assert.equal(addresses.isGood('get', 'abc', until, ''), false);
  assert.equal(new SignedAddresses(Buffer.from('other')).isGood('get', 'abc', until, signature), false);
});

test('an address that has expired, or whose time is no number, is refused', () => {
  const [until, signature] = partsOf(addresses.make('http://h', 'get', 'abc', new Date(Date.now() - 2000)));
  assert.equal(addresses.isGood('get', 'abc', until, signature), false);
  for (const odd of ['', '-1', '1e12', '9'.repeat(13), 'Infinity'])
    assert.equal(addresses.isGood('get', 'abc', odd, signature), false, odd);
});
