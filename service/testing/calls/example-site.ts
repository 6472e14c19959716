// A site of one page, for tests of operations that load one, and a timestamp authority. It ends with the process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { timestampDesk } from '../signatures/pki.ts';

const PAGE = '<!doctype html><html lang="en"><title>Example</title><h1>Example</h1><p>A page.</p></html>';

let desk: ReturnType<typeof timestampDesk> | undefined;
process.once('exit', () => desk?.close());

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    desk ??= timestampDesk();
    const answer = desk.answer(Buffer.concat(await request.toArray()));
    response.setHeader('Content-Type', 'application/timestamp-reply').end(answer);
  } else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(PAGE);
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
server.unref();

export const EXAMPLE_HOST = `127.0.0.1:${(server.address() as AddressInfo).port}`;
export const EXAMPLE_ADDRESS = `http://${EXAMPLE_HOST}/`;
