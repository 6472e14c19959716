// A server on loopback that answers as no honest one would.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileServer {
  url: string;
  /** What the next requests are answered with. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  requests: string[];
  close(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const server = createServer((request, response) => {
    hostile.requests.push(`${request.method} ${request.url} ${request.headers['x-api-key'] ?? ''}`);
    // The body is of no interest, but a client may wait until it is gone.
    request.resume();
    request.on('error', () => {});
    response.on('error', () => {});
    request.once('end', () => hostile.answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostile: HostileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (_request, response) => response.end(),
    requests: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hostile;
}

/** Title, clipboard, clearing, colours, C1 controls, bidi marks, zero width, lines, tags: each may not be seen. */
export const STEERING = [
  '\u001b]0;owned\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b[2J\u001b[H',
  '\u009b31m',
  '\u009d0;owned\u009c',
  '\u0008\u0008\u007f',
  '\u202e',
  '\u2066\u2069',
  '\u200b\u200d\u2060\ufeff',
  '\u2028\u2029\u0085',
  '\r\n\v\f',
  '\u{e0001}\u{e0041}',
].join('x');

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Lines may end. */
export const steers = (text: string): boolean => UNSEEN.test(text.replaceAll('\n', ''));

export const problem =
  (members: Record<string, unknown>, status = 400) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(members));
  };

export const result =
  (disposition: string, type = 'application/pdf', body = '%PDF-1.7\n') =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type, 'content-disposition': disposition });
    response.end(body);
  };

/** Sends until the caller goes away. */
export const endless =
  (status: number, type: string, piece: string) => (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type });
    const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
    const more = (): void => {
      while (!response.destroyed && response.write(bytes));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
