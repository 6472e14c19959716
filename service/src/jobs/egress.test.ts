import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { createServer, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { OutboundRequest } from '../contract/egress.ts';
import { Problem } from '../contract/problems.ts';
import { createEgress } from './egress.ts';
import { readMessage } from './messages.ts';
import { isPublicAddress } from './public-address.ts';

test('private, local and special addresses are not public', () => {
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'not an address',
    '',
  ];
  for (const address of closed) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '172.32.0.1', '193.0.0.1', '2a00:1450::1', '2606:4700::1111'])
    assert.equal(isPublicAddress(address), true, address);
});

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const requestTo = (url: string): OutboundRequest => ({
  url,
  contentType: 'text/plain',
  accept: 'text/plain',
  body: Buffer.from('question'),
  maxAnswerBytes: 1000,
  timeoutMs: 500,
});

const problemOf = async (url: string, allowHosts: string[] = []): Promise<Problem | undefined> => {
  try {
    await createEgress({ allowHosts }).post(requestTo(url));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
};

const reasonOf = async (url: string, allowHosts: string[] = []): Promise<string> =>
  (await problemOf(url, allowHosts))?.reason ?? 'answered';

test('an allowed host is asked, and answers', async (t) => {
  const host = await listen(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.setHeader('Content-Type', 'text/plain').end(`${request.method} ${body}`);
  });
  const answer = await createEgress({ allowHosts: [host] }).post(requestTo(`http://${host}/x`));
  assert.equal(Buffer.from(answer.body).toString(), 'POST question');
  assert.equal(answer.contentType, 'text/plain');
});

test('nothing but public addresses is reached, whatever their spelling', async (t) => {
  let asked = 0;
  const host = await listen(t, (_, response) => {
    asked += 1;
    response.end();
  });
  const port = host.split(':')[1];
  const spellings = [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '0.0.0.0',
    '127.1',
  ];
  for (const spelling of spellings)
    assert.equal(await reasonOf(`http://${spelling}:${port}/`), 'url_not_allowed', spelling);
  for (const url of [`ftp://${host}/`, `http://user:word@${host}/`, 'file:///etc/passwd', 'nonsense'])
    assert.equal(await reasonOf(url, [host]), 'url_not_allowed', url);
  assert.equal(await reasonOf(`http://127.0.0.1:${port}/`, ['127.0.0.1:1']), 'url_not_allowed');
  assert.equal(asked, 0);
});

test('a refusal, a redirect, too much and silence are failures', async (t) => {
  const answers: RequestListener[] = [
    (_, response) => response.writeHead(500).end(),
    (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(),
    (_, response) => response.end('x'.repeat(2000)),
    (_, response) => response.destroy(),
    () => {},
  ];
  for (const answer of answers) {
    const host = await listen(t, answer);
    assert.equal(await reasonOf(`http://${host}/`, [host]), 'url_fetch_failed');
  }
  assert.equal(await reasonOf('http://no-such-host.invalid/'), 'url_fetch_failed');
});

test('a failure says what happened', async (t) => {
  const said = async (host: string) => (await problemOf(`http://${host}/`, [host]))?.detail;
  assert.match((await said('no-such-host.invalid')) ?? '', /^no-such-host\.invalid could not be found/);
  assert.match((await said('127.0.0.1:1')) ?? '', /refused the connection/);
  assert.match((await said(await listen(t, (_, response) => response.destroy()))) ?? '', /broke .* off/);
  assert.match((await said(await listen(t, () => {}))) ?? '', /did not answer in time/);
});

test('what a worker asks for is bounded', () => {
  const ask = (changes: Partial<OutboundRequest>) =>
    readMessage({ kind: 'ask', jobId: 'a', askId: 1, request: { ...requestTo('http://a/'), ...changes } });
  assert.ok(ask({}));
  assert.equal(ask({ body: Buffer.alloc(1024 ** 2) }), undefined);
  assert.equal(ask({ maxAnswerBytes: 1024 ** 3 }), undefined);
  assert.equal(ask({ timeoutMs: 10 ** 9 }), undefined);
  assert.equal(ask({ contentType: 'a\r\nHost: b' }), undefined);
  assert.equal(readMessage({ kind: 'ask', jobId: 'a', askId: 1, request: null }), undefined);
});

test('a name with one private address among public ones is refused, in any order', async (t) => {
  const addresses = [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  let asked = 0;
  const host = await listen(t, (_request, response) => {
    asked += 1;
    response.setHeader('Content-Type', 'text/plain').end('inside');
  });
  for (const found of [addresses, addresses.toReversed()]) {
    const resolver = t.mock.method(dns, 'lookup', async () => found);
    syncBuiltinESMExports();
    try {
      assert.equal(await reasonOf(`http://mixed.example:${host.split(':')[1]}/`), 'url_not_allowed');
    } finally {
      resolver.mock.restore();
      syncBuiltinESMExports();
    }
  }
  assert.equal(asked, 0);
});
