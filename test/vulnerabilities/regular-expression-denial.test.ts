// Regular-expression denial and its kin: whatever stands in a header, an address, a cookie, a part of a form, the JSON of
// an upload or the message of an agent, the process that serves everybody spends next to nothing on it. (Fields of
// operations: service/src/operations/bounded-checks.test.ts.)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { memoryOf } from '../processes.ts';
import { API_KEY, filePart, fixture, form, type RunningService, startService } from '../service.ts';

const MB = 1024 ** 2;
/** What one request may cost the main thread: for headers, and for bodies as large as they may be. */
const HEADER_MS = 100;
const BODY_MS = 300;
const GROWTH = 200 * MB;

let service: RunningService;
before(async () => {
  service = await startService({ env: { BINDERY_RATE_LIMIT: '100000' } });
  // What is loaded and compiled at first use is no cost of these requests.
  for (let i = 0; i < 3; i += 1) {
    await service.post(
      'general/rotate-pdf',
      form({ fileInput: filePart(fixture('everything.pdf')), angle: '90' }),
    );
    await mcp({ name: 'pdf_describe_operation', arguments: { operation: 'general/rotate-pdf' } });
  }
});
after(() => service?.remove());

/** Processor time of the thread that serves, in milliseconds. */
function spent(): number {
  const pid = service.apiPid();
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}

/** A busy machine makes work dearer at times; what is dear by itself is so always. */
async function costOf(work: () => Promise<number>, limitMs: number): Promise<{ ms: number; status: number }> {
  let best = { ms: Number.POSITIVE_INFINITY, status: 0 };
  for (let tries = 0; tries < 3 && best.ms > limitMs; tries += 1) {
    const begun = spent();
    const status = await work();
    const ms = spent() - begun;
    if (ms < best.ms) best = { ms, status };
  }
  return best;
}

async function cheap(cases: Iterable<[string, () => Promise<number>]>, limitMs: number): Promise<string> {
  const before = memoryOf(service.apiPid(), 'VmRSS');
  const dear: string[] = [];
  let most = { name: '', ms: 0 };
  let count = 0;
  for (const [name, work] of cases) {
    const { ms, status } = await costOf(work, limitMs);
    count += 1;
    if (ms > most.ms) most = { name, ms };
    if (ms > limitMs || status >= 500) dear.push(`${name}: ${Math.round(ms)} ms, status ${status}`);
  }
  assert.deepEqual(dear, []);
  const growth = memoryOf(service.apiPid(), 'VmRSS') - before;
  assert.ok(growth < GROWTH, `grew by ${growth} bytes`);
  return `${count} requests; dearest: ${most.name}, ${Math.round(most.ms)} ms; grew by ${Math.round(growth / MB)} MB`;
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const sent = request(
      { hostname, port, method, path, headers: { 'x-api-key': API_KEY, ...headers } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    // Refused before all of it was sent.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(400) : reject(error),
    );
    sent.end(body);
  });
}

async function mcp(params: unknown): Promise<number> {
  const message =
    typeof params === 'string'
      ? params
      : JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return send(
    'POST',
    '/mcp',
    { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    message,
  );
}

/** One header; Node takes 16 KB of them. */
const LONG = 12_000;
const UNITS = [
  'a',
  ' ',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '-',
  '/',
  '*',
  '%',
  "'",
  '(',
  '[',
  'a=',
  '; ',
  ';a',
  ';a=',
  '; =',
  ' ;',
  'a,',
  '";',
  '\\"',
  'x "',
  '0',
  '.',
  ':',
];
const long = (unit: string, size = LONG): string => unit.repeat(Math.floor(size / unit.length));

test('headers', async (t) => {
  const names = [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-disposition',
    'content-encoding',
    'cookie',
    'expect',
    'forwarded',
    'host',
    'idempotency-key',
    'if-none-match',
    'mcp-protocol-version',
    'mcp-session-id',
    'origin',
    'prefer',
    'range',
    'referer',
    'user-agent',
    'x-api-key',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-request-id',
  ];
  const cases = function* (): Generator<[string, () => Promise<number>]> {
    for (const name of names) {
      for (const unit of UNITS) {
        const value = `a${long(unit)}b`;
        for (const [method, path] of [
          ['GET', '/api/v1/info/health'],
          ['POST', '/mcp'],
        ] as const)
          yield [`${name}: ${JSON.stringify(unit)}, ${path}`, () => send(method, path, { [name]: value })];
      }
    }
    for (const unit of UNITS) {
      for (const type of [
        'multipart/form-data',
        'multipart/form-data; boundary',
        'application/x-www-form-urlencoded;',
      ])
        yield [
          `content-type ${type} ${JSON.stringify(unit)}`,
          () => send('POST', '/api/v1/general/rotate-pdf', { 'content-type': `${type}${long(unit)}x` }, 'a'),
        ];
    }
  };
  t.diagnostic(await cheap(cases(), HEADER_MS));
});

test('paths and query strings', async (t) => {
  const cases = function* (): Generator<[string, () => Promise<number>]> {
    for (const unit of [...UNITS, 'a&', '&', 'a[', ']', '%2', '%00', '__proto__&', '../', '//']) {
      const text = long(unit).replaceAll(/[^\x21-\x7e]/g, '+');
      for (const path of [
        `/api/v1/${text}`,
        `/mcp/files/${text}?until=${text.slice(0, 1000)}`,
        `/${text}`,
        `/api/v1/uploads/${text}/chunks/1`,
      ])
        yield [`${path.slice(0, 60)}`, () => send('GET', path.slice(0, LONG), {})];
      const url = `/api/v1/general/rotate-pdf?${text}`;
      yield [
        `${url.slice(0, 60)}`,
        () => send('POST', url, { 'content-type': 'application/x-www-form-urlencoded' }, ''),
      ];
    }
  };
  t.diagnostic(await cheap(cases(), HEADER_MS));
});

test('headers and names of parts of a form', async (t) => {
  const cases = function* (): Generator<[string, () => Promise<number>]> {
    const type = { 'content-type': 'multipart/form-data; boundary=B' };
    const post = (body: string) => () => send('POST', '/api/v1/general/rotate-pdf', type, body);
    for (const unit of UNITS) {
      const text = long(unit);
      for (const header of [
        `Content-Disposition: form-data; name="${text}"`,
        `Content-Disposition: form-data; name=a; filename=${text}`,
        `Content-Disposition: form-data; name=a; filename*=utf-8''${text}`,
        `Content-Disposition: form-data${text}`,
        `Content-Disposition: form-data; name=a\r\nContent-Type: text/plain${text}`,
        `Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: ${text}`,
      ])
        yield [`${JSON.stringify(header.slice(0, 90))}`, post(`--B\r\n${header}\r\n\r\nx\r\n--B--\r\n`)];
    }
    for (const name of ['a[', '[', ']', ' ', '@upload', '__proto__', '"', 'fileInput[']) {
      const part = (i: number) =>
        `--B\r\nContent-Disposition: form-data; name="${long(name, 180)}${i}"\r\n\r\n\r\n`;
      const parts = Array.from({ length: 9_000 }, (_, i) => part(i)).join('');
      yield [`9000 names of ${JSON.stringify(name)}`, post(`${parts}--B--\r\n`)];
    }
  };
  t.diagnostic(await cheap(cases(), BODY_MS));
});

const listOf = (item: string, size: number): string => `[${long(`${item},`, size)}${item}]`;
function manyKeys(size: number): string {
  const entries: string[] = [];
  for (let bytes = 0; bytes < size; bytes += 12) entries.push(`"k${entries.length}":1`);
  return `{${entries.join(',')}}`;
}

test('forms of the other encoding, and the JSON of uploads', async (t) => {
  const cases = function* (): Generator<[string, () => Promise<number>]> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const unit of ['&', 'a&', '=&', 'a=1&', '%', '%00', '+', 'a[b]=1&', '__proto__=1&'])
      yield [
        `4 MB of ${unit}`,
        () => send('POST', '/api/v1/general/rotate-pdf', type, long(unit, 4 * MB - 10)),
      ];
    const json = { 'content-type': 'application/json' };
    for (const body of [
      long('[', 60_000),
      listOf('1', 60_000),
      manyKeys(60_000),
      `{"filename":"${long('\\u0000', 60_000)}"}`,
      `{"__proto__":${manyKeys(50_000)}}`,
    ])
      yield [`upload ${body.slice(0, 20)}`, () => send('POST', '/api/v1/uploads', json, body)];
  };
  t.diagnostic(await cheap(cases(), BODY_MS));
});

test('messages and arguments of agents', async (t) => {
  const size = 3.9 * MB;
  const cases = function* (): Generator<[string, () => Promise<number>]> {
    const upload = (content: string) => ({
      name: 'pdf_upload',
      arguments: { filename: 'a.pdf', content_base64: content },
    });
    for (const unit of [' ', 'A', '=', 'A ', '\n', '!', 'AAAA===='])
      yield [`base64 of ${JSON.stringify(unit)}`, () => mcp(upload(long(unit, 1.9 * MB)))];
    for (const unit of ['/', ' ', 'a', ';', '; ']) {
      yield [
        `media_type ${unit}`,
        () => mcp({ name: 'pdf_upload', arguments: { filename: 'a', media_type: long(unit, MB) } }),
      ];
      yield [
        `url ${unit}`,
        () => mcp({ name: 'pdf_upload', arguments: { filename: 'a', url: `https://${long(unit, MB)}` } }),
      ];
      yield [
        `file ${unit}`,
        () => mcp({ name: 'pdf_pages', arguments: { operation: 'rotate-pdf', file: long(unit, MB) } }),
      ];
      yield [
        `operation ${unit}`,
        () => mcp({ name: 'pdf_pages', arguments: { operation: long(unit, MB), file: 'x' } }),
      ];
      yield [`name ${unit}`, () => mcp({ name: long(unit, MB), arguments: {} })];
      yield [
        `uri ${unit}`,
        () =>
          mcp(
            JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              method: 'resources/read',
              params: { uri: `pdf://file/${long(unit, MB)}` },
            }),
          ),
      ];
    }
    const call = (name: string, args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
    for (const value of [
      listOf('1', size),
      listOf('""', size),
      listOf('{}', size),
      listOf('[]', size),
      manyKeys(size),
      `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`,
    ]) {
      const what = value.slice(0, 12);
      yield [
        `files ${what}`,
        () => mcp(call('pdf_pages', `{"operation":"merge-pdfs","files":{"fileInput":${value}}}`)),
      ];
      yield [`files of ${what}`, () => mcp(call('pdf_pages', `{"operation":"merge-pdfs","files":${value}}`))];
      yield [
        `parameters ${what}`,
        () => mcp(call('pdf_pages', `{"operation":"rotate-pdf","file":"x","parameters":${value}}`)),
      ];
      yield [
        `a parameter ${what}`,
        () =>
          mcp(call('pdf_form', `{"operation":"delete-fields","file":"x","parameters":{"names":${value}}}`)),
      ];
      yield [`steps ${what}`, () => mcp(call('pdf_pipeline', `{"file":"x","steps":${value}}`))];
      yield [
        `a step ${what}`,
        () => mcp(call('pdf_pipeline', `{"file":"x","steps":[{"op":"rotate-pdf","params":${value}}]}`)),
      ];
      yield [`a message ${what}`, () => mcp(value)];
      yield [
        `_meta ${what}`,
        () =>
          mcp(
            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pdf_pages","_meta":${value},"arguments":{}}}`,
          ),
      ];
    }
  };
  t.diagnostic(await cheap(cases(), BODY_MS));
});
