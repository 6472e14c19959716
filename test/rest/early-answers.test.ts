// An answer given before the body was read, on every route that takes one. Callers who send all before they read (raw
// sockets, Python's http.client, many embedded ones) must see the answer at once: neither a stall nor a reset.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { API_KEY, type RunningService, startService } from '../service.ts';

const CHUNK = 100_000;
const BODY = Buffer.alloc(6_000_000, 'x');
/** Of a machine that is busy; a stall takes ten seconds and more. */
const AT_ONCE_MS = 5000;

let service: RunningService;
let narrow: string;
let spent: string;
let open: string;
let complete: string;
let ticket: string;
let sizedTicket: string;
before(async () => {
  service = await startService({
    env: {
      BINDERY_MAX_REQUEST_BYTES: '2000000',
      BINDERY_MAX_UPLOAD_BYTES: '5000000',
      BINDERY_UPLOAD_CHUNK_BYTES: String(CHUNK),
      BINDERY_RATE_LIMIT: '1',
      BINDERY_RATE_WINDOW_MS: '86400000',
    },
  });
  narrow = await service.newKey({ plan: 'unlimited', scopes: 'misc' });
  spent = await service.newKey({ plan: 'standard' });
  await service.fetch('/api/v1/info/status', { headers: { 'x-api-key': spent } });
  open = await upload(3 * CHUNK);
  complete = await upload(10);
  const chunk = `/api/v1/uploads/${complete}/chunks/0`;
  await service.fetch(chunk, { method: 'PUT', body: Buffer.alloc(10, 'y') });
  await service.fetch(`/api/v1/uploads/${complete}/complete`, { method: 'POST' });
  ticket = await mcpTicket({ filename: 'a.pdf' });
  sizedTicket = await mcpTicket({ filename: 'a.pdf', size: 10 });
});
after(() => service.remove());

async function upload(size: number): Promise<string> {
  const body = JSON.stringify({ filename: 'a.pdf', size });
  const begun = await service.fetch('/api/v1/uploads', { method: 'POST', body });
  return ((await begun.json()) as { id: string }).id;
}

/** The path of an upload ticket of agents. */
async function mcpTicket(args: object): Promise<string> {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'pdf_upload', arguments: args },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await service.fetch('/mcp', { method: 'POST', headers, body: JSON.stringify(call) });
  const { result } = (await answer.json()) as { result: { structuredContent: { upload_url: string } } };
  return result.structuredContent.upload_url.slice(service.url.length);
}

interface Case {
  what: string;
  status: number;
  method?: string;
  path: () => string;
  key?: () => string;
  type?: string;
  headers?: string;
  /** Where the length of the body is not told before: what is refused for it otherwise. */
  untold?: number;
}
const FORM = 'multipart/form-data; boundary=XX';
const wrong = () => 'wrong-key';
const rotate = () => '/api/v1/general/rotate-pdf';

const CASES: Case[] = [
  { what: 'an operation without a valid key', status: 401, path: rotate, key: wrong },
  { what: 'an operation outside the scope of the key', status: 403, path: rotate, key: () => narrow },
  { what: 'an operation beyond the rate', status: 429, path: rotate, key: () => spent },
  { what: 'an operation with too large a body', status: 413, path: rotate },
  {
    what: 'an operation that is sent no form',
    status: 413,
    untold: 400,
    path: rotate,
    type: 'application/json',
  },
  { what: 'a packed body', status: 400, path: rotate, headers: 'Content-Encoding: gzip\r\n' },
  {
    what: 'a bad Idempotency-Key',
    status: 413,
    untold: 400,
    path: rotate,
    headers: 'Idempotency-Key: a b\r\n',
  },
  { what: 'an operation that is not there', status: 404, path: () => '/api/v1/general/nothing' },
  { what: 'a method that is not there', status: 405, method: 'PUT', path: rotate },
  { what: 'a path that is none', status: 400, path: () => '/%ff' },
  { what: 'a pipeline without a valid key', status: 401, path: () => '/api/v1/pipeline', key: wrong },
  { what: 'a pipeline with too large a body', status: 413, path: () => '/api/v1/pipeline' },
  { what: 'an upload begun without a valid key', status: 401, path: () => '/api/v1/uploads', key: wrong },
  { what: 'an upload begun with too much', status: 413, path: () => '/api/v1/uploads' },
  ...(
    [
      ['a chunk without a valid key', 401, 401, () => `${open}/chunks/0`, wrong],
      ['a chunk beyond the rate', 429, 429, () => `${open}/chunks/0`, () => spent],
      ['a chunk that is too large', 413, 413, () => `${open}/chunks/0`],
      ['a last chunk that is too large', 413, 413, () => `${open}/chunks/2`],
      ['a chunk that has no place', 413, 400, () => `${open}/chunks/3`],
      ['a chunk of an upload that is not there', 413, 404, () => 'nothing/chunks/0'],
      ['a chunk of an upload that is complete', 413, 413, () => `${complete}/chunks/0`],
    ] as const
  ).map(
    ([what, status, untold, path, key]): Case => ({
      what,
      status,
      untold,
      method: 'PUT',
      path: () => `/api/v1/uploads/${path()}`,
      ...(key ? { key } : {}),
    }),
  ),
  {
    what: 'the end of an upload that is not there',
    status: 413,
    untold: 404,
    path: () => '/api/v1/uploads/nothing/complete',
  },
  {
    what: 'an upload dropped',
    status: 413,
    untold: 204,
    method: 'DELETE',
    path: () => '/api/v1/uploads/nothing',
  },
  { what: 'a message of an agent without a valid key', status: 401, path: () => '/mcp', key: wrong },
  { what: 'a message of an agent that is too large', status: 413, path: () => '/mcp' },
  {
    what: 'a message of a page of another origin',
    status: 403,
    path: () => '/mcp',
    headers: 'Origin: https://other.example\r\n',
  },
  {
    what: 'a file of an agent without a ticket',
    status: 404,
    method: 'PUT',
    path: () => '/mcp/files/nothing',
  },
  { what: 'a file of an agent that is too large', status: 413, method: 'PUT', path: () => ticket },
  {
    what: 'a file of an agent that is larger than told',
    status: 413,
    method: 'PUT',
    path: () => sizedTicket,
  },
  { what: 'a question that needs no body', status: 200, method: 'GET', path: () => '/api/v1/info/status' },
  {
    what: 'a question without a valid key',
    status: 401,
    method: 'GET',
    path: () => '/api/v1/info/status',
    key: wrong,
  },
  { what: 'the state of health', status: 200, method: 'GET', path: () => '/api/v1/info/health' },
];

const FORMS = ['told length', 'pieces', 'told length, not kept', 'pieces, not kept', 'HTTP/1.0'] as const;

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).pause();
  await new Promise((up) => socket.once('connect', up));
  return socket;
}

const sendAll = (socket: Socket, bytes: Buffer | string): Promise<void> =>
  new Promise((sent, broken) => socket.write(bytes, (error) => (error ? broken(error) : sent())));

/** Reads one answer with a length told before. */
async function answerOn(socket: Socket): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  let text = '';
  const onData = (bytes: Buffer): void => {
    text += bytes.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    if (end < 0 || text.length < end + 4 + length) return;
    socket.off('data', onData).pause();
    resolve({ status: Number(text.split(' ')[1]), text });
  };
  socket
    .on('data', onData)
    .once('error', reject)
    .once('end', () => reject(new Error(`ended after: ${text}`)));
  socket.resume();
  return promise;
}

const pieces = (body: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 65_536) {
    const part = body.subarray(at, at + 65_536);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};

for (const one of CASES) {
  test(`${one.status} at once for ${one.what}, to those who send before they read`, async () => {
    for (const form of FORMS) {
      const { method = 'POST', path, key = () => API_KEY, type = FORM, headers = '' } = one;
      const inPieces = form.startsWith('pieces');
      const isKept = form === 'told length' || form === 'pieces';
      const head = [
        `${method} ${path()} HTTP/${form === 'HTTP/1.0' ? '1.0' : '1.1'}`,
        'Host: localhost',
        `X-API-KEY: ${key()}`,
        `Content-Type: ${type}`,
        inPieces ? 'Transfer-Encoding: chunked' : `Content-Length: ${BODY.length}`,
        ...(isKept || form === 'HTTP/1.0' ? [] : ['Connection: close']),
      ].join('\r\n');
      const socket = await connected();
      try {
        const startedAt = Date.now();
        await sendAll(socket, `${head}\r\n${headers}\r\n`);
        await sendAll(socket, inPieces ? pieces(BODY) : BODY);
        const { status, text } = await answerOn(socket);
        const took = Date.now() - startedAt;
        assert.ok(took < AT_ONCE_MS, `${form}: took ${took} ms`);
        assert.equal(status, inPieces ? (one.untold ?? one.status) : one.status, `${form}: ${text}`);
        if (!isKept) continue;
        await sendAll(socket, 'GET /api/v1/info/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
        assert.equal((await answerOn(socket)).status, 200, `${form}: the connection serves on`);
      } finally {
        socket.destroy();
      }
    }
  });
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const curl = (args: string[]): string =>
  execFileSync('curl', ['-s', '-m', '9', '-o', '/dev/null', ...args], { encoding: 'utf8' });

test('curl and Python see 413 for a chunk that is too large, whether its length was told or not', (t) => {
  const absent = ['curl', 'python3'].filter((program) => !has(program));
  if (absent.length > 0) return t.skip(`not installed: ${absent.join(', ')}`);
  const file = join(service.dataDir, 'body.bin');
  writeFileSync(file, BODY);
  const path = `/api/v1/uploads/${open}/chunks/0`;
  for (const more of [[], ['-H', 'Transfer-Encoding: chunked'], ['-H', 'Expect:'], ['-0']]) {
    const args = ['-w', '%{http_code}', '-H', `X-API-KEY: ${API_KEY}`, '-T', file, ...more];
    assert.equal(curl([...args, `${service.url}${path}`]), '413', more.join(' '));
  }
  const program = `
import http.client, sys
host, path, key, file = sys.argv[1:]
for chunked in (False, True):
    connection = http.client.HTTPConnection(host, timeout=9)
    whole = open(file, 'rb').read()
    headers = {'X-API-KEY': key}
    if chunked:
        headers['Transfer-Encoding'] = 'chunked'
    body = (whole[i:i + 65536] for i in range(0, len(whole), 65536)) if chunked else whole
    connection.request('PUT', path, body, headers, encode_chunked=chunked)
    print(connection.getresponse().status, end=' ')
`;
  const args = ['-c', program, new URL(service.url).host, path, API_KEY, file];
  assert.equal(execFileSync('python3', args, { encoding: 'utf8' }), '413 413 ');
});

test('fetch sees 413 for a chunk that is too large, and the upload goes on', async () => {
  const path = `/api/v1/uploads/${open}/chunks/0`;
  const stream = new Blob([BODY]).stream();
  const init: RequestInit & { duplex: 'half' } = { method: 'PUT', body: stream, duplex: 'half' };
  assert.equal((await service.fetch(path, init)).status, 413);
  const right = await service.fetch(path, { method: 'PUT', body: BODY.subarray(0, CHUNK) });
  assert.equal(right.status, 204);
});
