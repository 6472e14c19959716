import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type AnswerFacts, Bindery, type BinderyError, type ErrorReason } from './index.ts';

// A server that fails as services behind a proxy do: the real one cannot be made to at will.
let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  request.resume();
  if (request.url?.endsWith('/page-count'))
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'one', 'x-extra': 'yes' })
      .end('{"pageCount":2}');
  else if (request.url?.endsWith('/csv')) response.writeHead(204, { 'x-request-id': 'two' }).end();
  else response.writeHead(503, { 'content-type': 'text/plain' }).end('busy');
});
let baseUrl: string;
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

const BYTES = { name: 'a.pdf', content: new Uint8Array([1]) };

test('JSON results have their status, headers and request id told; hooks hear of every request', async () => {
  const heard: string[] = [];
  const bindery = new Bindery({
    ...{ baseUrl, apiKey: 'secret-key' },
    hooks: {
      onRequest: ({ method, path }) => heard.push(`${method} ${path}`),
      onResponse: ({ status, requestId, ms }) => heard.push(`${status} ${requestId} ${ms >= 0}`),
    },
  });
  let answer: AnswerFacts | undefined;
  const told = (facts: AnswerFacts): void => {
    answer = facts;
  };
  const result = await bindery.analysis.pageCount(BYTES, {}, { onResponse: told });
  assert.equal(result.pageCount, 2);
  assert.deepEqual([answer?.status, answer?.requestId, answer?.headers.get('x-extra')], [200, 'one', 'yes']);
  assert.deepEqual(heard, ['POST analysis/page-count', '200 one true']);
});

test('nothing to return has the status and the request id of its answer', async () => {
  const error = (await new Bindery({ baseUrl, apiKey: 'k' }).convert
    .pdfToCsv(BYTES)
    .catch((thrown: unknown) => thrown)) as BinderyError;
  const reason: ErrorReason = error.reason;
  assert.deepEqual([reason, error.status, error.requestId], ['no_content', 204, 'two']);
});

test('how often a call is repeated can be said for each', async () => {
  const bindery = new Bindery({ baseUrl, apiKey: 'k', retries: 3 });
  asked = 0;
  await assert.rejects(bindery.general.rotatePdf(BYTES, { angle: 90 }, { retries: 0 }));
  assert.equal(asked, 1);
  asked = 0;
  await assert.rejects(bindery.general.rotatePdf(BYTES, { angle: 90 }, { retries: 1 }));
  assert.equal(asked, 2);
});
