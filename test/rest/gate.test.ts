import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service.remove());

const ROTATE = '/api/v1/general/rotate-pdf';
const pdf = () => form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });

test('a call without a key is 401 and offers no scheme', async () => {
  const response = await fetch(`${service.url}${ROTATE}`, { method: 'POST', body: pdf() });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('www-authenticate'), null);
  assert.equal(response.headers.get('x-ratelimit-limit'), null);
  const problem = await problemOf(response);
  assert.equal(problem.code, 'unauthorized');
  assert.equal(problem.reason, 'unauthorized');
  assert.match(problem.detail, /X-API-KEY/);
});

for (const key of ['wrong', 'x'.repeat(5000), 'Bearer abc', '\u00ff\u00fe']) {
  test(`the key ${JSON.stringify(key.slice(0, 12))} is 401`, async () => {
    const response = await service.fetch('/api/v1/info/status', { headers: { 'x-api-key': key } });
    assert.equal(response.status, 401);
    assert.equal((await problemOf(response)).code, 'unauthorized');
  });
}

test('every response has the common headers and a request id', async () => {
  for (const path of ['/api/v1/info/health', '/api/v1/info/status', '/nowhere', '/%zz', ROTATE]) {
    const response = await service.fetch(path);
    const { headers } = response;
    assert.equal(headers.get('cache-control'), 'private, no-store', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'", path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,128}$/, path);
  }
});

test("a sane request id is the caller's, another is replaced", async () => {
  const idOf = async (given: string) =>
    (await service.fetch('/api/v1/info/health', { headers: { 'x-request-id': given } })).headers.get(
      'x-request-id',
    );
  assert.equal(await idOf('trace-1.A_b'), 'trace-1.A_b');
  for (const given of ['a b', 'x'.repeat(129), '<script>']) assert.notEqual(await idOf(given), given);
});

test('an unknown path is 404 with a stable error title, keyed or not', async () => {
  for (const path of [
    '/nowhere',
    '/api/v1/general/nothing',
    '/api/v2/general/rotate-pdf',
    '/API/v1/general/rotate-pdf',
  ]) {
    const response = await service.fetch(path, { method: 'POST', body: pdf() });
    assert.equal(response.status, 404, path);
    assert.ok(response.headers.get('x-ratelimit-limit'), path);
    const problem = await problemOf(response);
    assert.equal(problem.code, 'not_found');
    assert.equal(problem.error, 'Not found');
  }
  assert.equal((await fetch(`${service.url}/nowhere`)).status, 404);
});

test('a known path with another method is 405 with Allow', async () => {
  const cases: [string, string, string][] = [
    ['GET', ROTATE, 'POST'],
    ['DELETE', ROTATE, 'POST'],
    ['PUT', '/api/v1/pipeline', 'POST'],
    ['POST', '/api/v1/info/status', 'GET, HEAD'],
    ['GET', '/api/v1/uploads/abc', 'DELETE'],
    ['POST', '/api/v1/uploads/abc/chunks/0', 'PUT'],
  ];
  for (const [method, path, allow] of cases) {
    const response = await service.fetch(path, { method });
    assert.equal(response.status, 405, path);
    assert.equal(response.headers.get('allow'), allow, path);
    assert.equal((await problemOf(response)).reason, 'method_not_allowed');
  }
});

test('a malformed path is 400', async () => {
  const response = await service.fetch('/api/v1/%zz');
  assert.equal(response.status, 400);
  assert.ok(response.headers.get('x-ratelimit-limit'));
  assert.equal((await problemOf(response)).reason, 'bad_request');
});

test('a segment of any length names nothing, like any other', async () => {
  const response = await service.fetch(`/api/v1/general/${'a'.repeat(9000)}`);
  assert.equal(response.status, 404);
  assert.ok(response.headers.get('x-ratelimit-limit'));
});

test('every method that HTTP knows is answered for what it is', async () => {
  for (const method of ['QUERY', 'PATCH', 'OPTIONS', 'PROPFIND', 'PURGE']) {
    const status = (await service.fetch('/api/v1/info/status', { method })).status;
    assert.equal(status, 405, method);
    assert.equal((await service.fetch('/nowhere', { method })).status, 404, method);
  }
});

test('a page of another origin at /mcp is refused, and counted where it brings a key', async () => {
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' };
  const response = await service.fetch('/mcp', { method: 'POST', headers, body: '{}' });
  assert.equal(response.status, 403);
  assert.ok(response.headers.get('x-ratelimit-remaining'));
});

test('a wrong key is blamed where it was sent', async () => {
  const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: '{}' });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('www-authenticate'), null);
  assert.match((await problemOf(response)).detail, /Authorization/);
});

test('a body with a Content-Encoding is refused in so many words', async () => {
  const headers = { 'content-encoding': 'gzip' };
  const response = await service.post('general/rotate-pdf', pdf(), headers);
  assert.equal(response.status, 400);
  assert.match((await problemOf(response)).detail, /Content-Encoding/);
});

test('fields that an operation does not know are ignored, however long they are', async () => {
  const given = pdf();
  given.append('zz', 'x'.repeat(3_000_000));
  given.append('yy', 'x'.repeat(3_000_000));
  assert.equal((await service.post('general/rotate-pdf', given)).status, 200);
  const chained = form({
    fileInput: filePart(fixture('text-two-pages.pdf')),
    steps: '[{"op":"rotate-pdf"}]',
    angle: 'x'.repeat(2_000_000),
  });
  assert.equal((await service.post('pipeline', chained)).status, 200);
  const known = pdf();
  known.set('angle', 'x'.repeat(2_000_000));
  const refused = await service.post('general/rotate-pdf', known);
  assert.equal((await problemOf(refused)).reason, 'invalid_parameter');
});

test('bodies that are no form are 400 and say what is expected', async () => {
  const bodies: RequestInit[] = [
    {},
    { body: '{}', headers: { 'content-type': 'application/json' } },
    { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=a' } },
    { body: 'x', headers: { 'content-type': 'not a media type' } },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
  ];
  for (const init of bodies) {
    const response = await service.fetch(ROTATE, { method: 'POST', ...init });
    assert.equal(response.status, 400);
    const problem = await problemOf(response);
    assert.equal(problem.reason, 'bad_request');
    assert.match(problem.detail, /multipart/);
    assert.equal(problem.error, problem.detail);
  }
});

/** What a server writes back to bytes that are hardly HTTP. */
function rawAnswer(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

const NOT_HTTP: Record<string, string> = {
  'headers too large': `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
  'no HTTP at all': 'HELLO\r\n\r\n',
  'a wrong chunk size': `POST ${ROTATE} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: whole-service-test-key\r\nContent-Type: multipart/form-data; boundary=a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
};
for (const [what, bytes] of Object.entries(NOT_HTTP)) {
  test(`${what} is answered by a problem document`, async () => {
    const answer = await rawAnswer(bytes);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(answer, /content-type: application\/problem\+json\r\n/i);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { reason: string };
    assert.equal(body.reason, 'bad_request');
  });
}

test('a request without Host, or with an expectation we do not know, is served like any other', async () => {
  for (const header of ['X-None: 1', 'Host: localhost\r\nExpect: wonders']) {
    const answer = await rawAnswer(
      `GET /api/v1/info/health HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/, header);
  }
});

test('a key calls only the groups of its scopes, by the pipeline too', async () => {
  const key = await service.newKey({ scopes: 'misc,pipeline' });
  const headers = { 'x-api-key': key };
  const direct = await service.post('general/rotate-pdf', pdf(), headers);
  assert.equal(direct.status, 403);
  assert.ok(direct.headers.get('x-ratelimit-remaining'));
  const problem = await problemOf(direct);
  assert.equal(problem.code, 'forbidden');
  assert.match(problem.detail, /general/);

  const steps = JSON.stringify([{ op: 'general/rotate-pdf', params: { angle: 90 } }]);
  const files = () => form({ fileInput: filePart(fixture('text-two-pages.pdf')), steps });
  const chained = await service.post('pipeline', files(), headers);
  assert.equal(chained.status, 403);
  assert.deepEqual((({ reason, step, op }) => ({ reason, step, op }))(await problemOf(chained)), {
    reason: 'forbidden',
    step: 0,
    op: 'general/rotate-pdf',
  });

  const noPipeline = await service.newKey({ scopes: 'general' });
  assert.equal((await service.post('pipeline', files(), { 'x-api-key': noPipeline })).status, 403);
  assert.equal((await service.post('general/rotate-pdf', pdf(), { 'x-api-key': noPipeline })).status, 200);
});
