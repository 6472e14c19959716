import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { answerClientError } from './problems.ts';

test('headers that drip are answered 408, rubbish 400', async () => {
  const server = createServer({ headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 });
  server.on('clientError', answerClientError).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answerTo = (sent: string): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(sent);
    return text(socket);
  };
  try {
    const slow = await answerTo('GET / HTTP/1.1\r\nHost: x\r\n');
    assert.match(slow, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(slow, /"reason":"request_timeout"/);
    assert.match(await answerTo('rubbish\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request\r\n/);
  } finally {
    server.close();
  }
});
