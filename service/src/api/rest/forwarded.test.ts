import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNetworkName } from '../../contract/networks.ts';
import { TrustedProxies } from './forwarded.ts';

type Headers = Record<string, string | string[]>;

const came = (proxies: string[], remoteAddress: string, headers: Headers) =>
  new TrustedProxies(proxies).forwarded({ headers, socket: { remoteAddress } as never });
const addressOf = (proxies: string[], remote: string, headers: Headers) =>
  came(proxies, remote, headers).address;

describe('the address of a caller', () => {
  const list = (value: string) => ({ 'x-forwarded-for': value });
  const cases: [what: string, proxies: string[], remote: string, headers: Headers, address: string][] = [
    ['nobody is trusted', [], '127.0.0.1', list('203.0.113.9'), '127.0.0.1'],
    ['the caller is no proxy', ['10.0.0.0/8'], '192.0.2.1', list('203.0.113.9'), '192.0.2.1'],
    ['one proxy', ['10.0.0.0/8'], '10.1.2.3', list('203.0.113.9'), '203.0.113.9'],
    [
      'a caller who wrote a list of its own',
      ['10.0.0.0/8'],
      '10.1.2.3',
      list('1.1.1.1, 203.0.113.9'),
      '203.0.113.9',
    ],
    ['two proxies', ['10.0.0.0/8'], '10.1.2.3', list('1.1.1.1, 203.0.113.9, 10.9.9.9'), '203.0.113.9'],
    ['all of them proxies', ['private'], '10.1.2.3', list('192.168.1.1, 10.9.9.9'), '192.168.1.1'],
    ['no list', ['loopback'], '::1', {}, '::1'],
    [
      'an IPv4 caller on a socket of both kinds',
      ['loopback'],
      '::ffff:127.0.0.1',
      list('203.0.113.9'),
      '203.0.113.9',
    ],
    ['a port', ['loopback'], '127.0.0.1', list('203.0.113.9:5123'), '203.0.113.9'],
    ['IPv6 with a port', ['loopback'], '127.0.0.1', list('[2001:db8::7]:5123'), '2001:db8::7'],
    ['what is no address', ['loopback'], '127.0.0.1', list('1.1.1.1, unknown'), '127.0.0.1'],
    ['words of a caller', ['loopback'], '127.0.0.1', list('1.1.1.1, "\u0000\n<b>'), '127.0.0.1'],
    [
      'Forwarded',
      ['loopback'],
      '127.0.0.1',
      { forwarded: 'for=1.1.1.1, For="[2001:db8::7]:1";proto=https' },
      '2001:db8::7',
    ],
    [
      'both kinds',
      ['loopback'],
      '127.0.0.1',
      { forwarded: 'for=1.1.1.1', ...list('203.0.113.9') },
      '203.0.113.9',
    ],
  ];
  for (const [what, proxies, remote, headers, address] of cases)
    test(what, () => assert.equal(addressOf(proxies, remote, headers), address));
});

test('the name and the protocol are those the outermost trusted proxy was called by', () => {
  const two = { 'x-forwarded-for': '203.0.113.9, 10.9.9.9' };
  const say = (headers: Headers, remote = '10.1.2.3') => {
    const { host, protocol } = came(['10.0.0.0/8'], remote, headers);
    return [host, protocol];
  };
  const named = { 'x-forwarded-host': 'evil.example, pdf.example.org', 'x-forwarded-proto': 'HTTPS' };
  assert.deepEqual(say({ 'x-forwarded-for': '203.0.113.9', ...named }), ['pdf.example.org', 'https']);
  assert.deepEqual(say(named), ['pdf.example.org', 'https']);
  assert.deepEqual(say(named, '192.0.2.1'), [undefined, undefined]);
  assert.deepEqual(say({ ...two, 'x-forwarded-host': 'evil, pdf.example.org, inner' }), [
    'pdf.example.org',
    undefined,
  ]);
  assert.deepEqual(say({ ...two, 'x-forwarded-host': 'pdf.example.org' }), ['pdf.example.org', undefined]);
  assert.deepEqual(say({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'gopher' }), [
    undefined,
    undefined,
  ]);
  assert.deepEqual(say({ forwarded: 'for=203.0.113.9;host="pdf.example.org:81";proto=https' }), [
    'pdf.example.org:81',
    'https',
  ]);
});

test('a list as long as headers can be costs nothing, and is not read to its end', () => {
  const long = {
    'x-forwarded-for': `1.1.1.1,${'10.0.0.1,'.repeat(1700)}10.0.0.1`,
    forwarded: '"='.repeat(8000),
  };
  const before = process.cpuUsage();
  for (let count = 0; count < 1000; count++)
    assert.equal(addressOf(['private'], '10.0.0.1', long), '10.0.0.1');
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 1_000_000, `${user + system} µs`);
});

test('what is no network is none', () => {
  for (const name of ['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1', 'loopback', 'private', '0.0.0.0/0'])
    assert.ok(isNetworkName(name), name);
  for (const name of [
    '',
    '*',
    'proxy.example',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0/8',
    '1.2.3.4/',
    '1.2.3.4/-1',
  ])
    assert.ok(!isNetworkName(name), name);
});
