// Words of callers where they must not have power: keys and origins, names in headers, lines of the log, terminals, and
// properties that every object has.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { zipEntries } from '../../service/testing/oracles/archives.ts';
import { callTool } from '../agents.ts';
import {
  API_KEY,
  filePart,
  fixture,
  form,
  problemOf,
  type RunningService,
  startService,
} from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service?.remove());

const page = () => filePart(fixture('text-two-pages.pdf'));

const KEYED: readonly [method: string, path: string][] = [
  ['POST', '/api/v1/general/rotate-pdf'],
  ['POST', '/api/v1/pipeline'],
  ['POST', '/api/v1/uploads'],
  ['PUT', '/api/v1/uploads/x/chunks/0'],
  ['POST', '/api/v1/uploads/x/complete'],
  ['DELETE', '/api/v1/uploads/x'],
  ['GET', '/api/v1/info/status'],
  ['POST', '/mcp'],
];

test('keys on loopback: a caller on this very machine needs one like any other', async () => {
  const claims: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    { 'x-original-url': '/api/v1/info/health', 'x-rewrite-url': '/api/v1/info/health' },
    { authorization: 'Basic YWRtaW46YWRtaW4=', cookie: `X-API-KEY=${API_KEY}` },
    ...[
      'admin',
      'null',
      'undefined',
      '123456789',
      '*',
      '%00',
      API_KEY.slice(0, -1),
      `${API_KEY}x`,
      `${API_KEY},x`,
    ].map((key) => ({ 'x-api-key': key })),
  ];
  for (const [method, path] of KEYED) {
    for (const headers of claims) {
      const response = await fetch(`${service.url}${path}?X-API-KEY=${API_KEY}&api_key=${API_KEY}`, {
        method,
        headers,
      });
      assert.equal(response.status, 401, `${method} ${path} ${JSON.stringify(headers)}`);
    }
  }
});

test('cross-origin: pages of other sites may neither read answers nor speak to agents’ tools', async () => {
  const origins = ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://'];
  for (const origin of origins) {
    for (const [, path] of KEYED) {
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
      };
      const preflight = await fetch(`${service.url}${path}`, { method: 'OPTIONS', headers: asked });
      assert.equal(preflight.headers.get('access-control-allow-origin'), null, `${origin} ${path}`);
      assert.equal(preflight.headers.get('access-control-allow-headers'), null, `${origin} ${path}`);
    }
    const simple = await service.fetch('/api/v1/info/status', { headers: { origin } });
    assert.equal(simple.headers.get('access-control-allow-origin'), null);
    const headers = { origin, 'content-type': 'application/json' };
    assert.equal((await service.fetch('/mcp', { method: 'POST', headers, body: '{}' })).status, 403, origin);
  }
});

/** A request written byte by byte, and all of the answer. */
async function raw(head: string[], body: Buffer): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const lines = [
    ...head,
    'Host: localhost',
    `X-API-KEY: ${API_KEY}`,
    'Connection: close',
    `Content-Length: ${body.length}`,
  ];
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]));
  return Buffer.concat(await socket.toArray()).toString('latin1');
}

const rawForm = (parts: [disposition: string, content: string | Buffer][]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([disposition, content]) => [
      Buffer.from(`--XX\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--XX--\r\n'),
  ]);
const ROTATE = ['POST /api/v1/general/rotate-pdf HTTP/1.1', 'Content-Type: multipart/form-data; boundary=XX'];
const bytes = readFileSync(fixture('text-two-pages.pdf'));

/** Names that would end a header, hide what they are, or speak to a terminal. */
const NAMES = [
  'a%0d%0aX-Injected: 1.pdf',
  'a\\r\\nX-Injected: 1.pdf',
  'a\nX-Injected: 1.pdf',
  'a"; filename="b.exe',
  'a\'; x="y.pdf',
  'a\u2028X-Injected: 1.pdf',
  'a\u0000b.pdf',
  '\u001b]0;title\u0007\u001b[2J\u001b]52;c;ZXZpbA==\u0007.pdf',
  '\u009b31m.pdf',
  'gpj\u202efdp.exe',
  'a\u2066b\u2069\u200f\u061c.pdf',
  '../../etc/passwd',
  '..\\..\\windows.pdf',
  '....//x.pdf',
  '\u{e0041}\u{e0042}.pdf',
];
/** Controls, line ends, and marks that turn or hide what follows. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

test('header injection: file names cannot add or end headers', async () => {
  for (const name of NAMES) {
    const quoted = name.replaceAll('"', '%22');
    for (const disposition of [
      `filename="${quoted}"`,
      `filename*=UTF-8''${encodeURIComponent(name)}`,
      `filename="${name}"`,
    ]) {
      const body = rawForm([[`name="fileInput"; ${disposition}`, bytes]]);
      const answer = await raw(ROTATE, body);
      const head = answer.slice(0, answer.indexOf('\r\n\r\n'));
      assert.match(head, /^HTTP\/1\.1 (?:200|400) /, disposition);
      for (const line of head.split('\r\n').slice(1)) {
        assert.match(line, /^[\w-]+: [\x20-\x7e]*$/, disposition);
        assert.doesNotMatch(line, /^x-injected/i);
      }
    }
  }
});

const nameIn = (response: Response): string =>
  decodeURIComponent(
    /filename\*=UTF-8''(\S+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '',
  );

test('name and terminal injection: names and problems carry no controls, no turned text and no paths', async () => {
  const plain = new Uint8Array(bytes);
  for (const name of NAMES) {
    const made = await service.post('general/rotate-pdf', form({ fileInput: filePart(plain, name) }));
    assert.equal(made.status, 200, await made.clone().text());
    const given = nameIn(made);
    assert.ok(given !== '' && !UNSEEN.test(given) && !/[/\\]/.test(given), JSON.stringify(given));
    const files = [filePart(plain, name), filePart(new TextEncoder().encode('no pdf'), name)];
    const refused = await problemOf(await service.post('general/merge-pdfs', form({ fileInput: files })));
    for (const text of Object.values(refused))
      assert.doesNotMatch(String(text), UNSEEN, JSON.stringify(text));
    const parts = await service.post('general/split-pages', form({ fileInput: filePart(plain, name) }));
    for (const entry of await zipEntries(Buffer.from(await parts.bytes())))
      assert.ok(!UNSEEN.test(entry.name) && !/[/\\]/.test(entry.name), JSON.stringify(entry.name));
    const unknown = await service.post(
      'general/rotate-pdf',
      form({ fileInput: page(), angle: name, [name]: 'x' }),
    );
    for (const text of Object.values(await problemOf(unknown)))
      assert.doesNotMatch(String(text), UNSEEN, JSON.stringify(text));
  }
});

test('log injection: every line of the log is one of ours, whatever callers write', async () => {
  const forged = '"}\n{"time":"2020-01-01T00:00:00.000Z","level":"error","message":"forged"}\n\u001b[31m';
  const url = encodeURIComponent(forged);
  await service.fetch(`/api/v1/${url}?q=${url}`, { headers: { 'user-agent': url, 'x-request-id': url } });
  await raw([`GET /x\u001b[31m HTTP/1.1`, 'X-Request-Id: a\u001b[31mb'], Buffer.alloc(0));
  await service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(new TextEncoder().encode('x'), forged) }),
  );
  await service.post('pipeline', form({ fileInput: page(), steps: JSON.stringify([{ op: forged }]) }));
  await service.post('convert/url/pdf', form({ urlInput: `https://nowhere.invalid/${forged}` }));
  await callTool(service, forged, { [forged]: forged });
  await callTool(service, 'pdf_upload', { filename: forged, url: 'https://nowhere.invalid/' });
  assert.equal((await service.fetch('/api/v1/info/status')).status, 200);
  for (const line of service.output().split('\n').filter(Boolean)) {
    assert.doesNotMatch(line, /\p{Cc}/u);
    if (/^(?:Bindery \d|API key:|Workbench:|Isolation:|Engines:|Note on)/.test(line)) continue;
    assert.notEqual(JSON.parse(line).message, 'forged', line);
  }
});

const POLLUTED = ['{"__proto__":{"polluted":"yes"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}'];

test('prototype pollution: names that every object has are names like any other', async () => {
  const json = (text: string) => JSON.stringify(JSON.parse(text));
  for (const text of POLLUTED) {
    await service.post(
      'form/fill',
      form({ fileInput: filePart(fixture('form-fields.pdf')), data: json(text) }),
    );
    await service.post('misc/update-metadata', form({ fileInput: page(), allRequestParams: json(text) }));
    await service.post(
      'general/edit-table-of-contents',
      form({ fileInput: page(), bookmarkData: `[${text}]` }),
    );
    await service.post(
      'pipeline',
      form({ fileInput: page(), steps: `[{"op":"rotate-pdf","params":${text}},${text}]` }),
    );
    await service.fetch('/api/v1/uploads', { method: 'POST', body: text });
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pdf_upload","arguments":${text}},"__proto__":{"polluted":"yes"}}`;
    await service.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: message,
    });
  }
  for (const field of [
    '__proto__',
    'constructor',
    'prototype',
    '__proto__[polluted]',
    'toString',
    'hasOwnProperty',
  ]) {
    const answer = await service.post(
      'general/rotate-pdf',
      form({ fileInput: page(), angle: '90', [field]: 'yes' }),
    );
    assert.ok(answer.status < 500, `${field}: ${await answer.text()}`);
    assert.equal((await service.fetch(`/api/v1/general/${field}`, { method: 'POST' })).status, 404, field);
    const step = JSON.stringify([{ op: field }]);
    assert.equal(
      (await service.post('pipeline', form({ fileInput: page(), steps: step }))).status,
      400,
      field,
    );
    assert.ok((await callTool(service, field, {})).isError, field);
    const described = await callTool(service, 'pdf_describe_operation', { operation: field });
    assert.ok(described.isError, field);
  }
  const counted = await service.post('analysis/page-count', form({ fileInput: page() }));
  assert.deepEqual(await counted.json(), { pageCount: 2 });
  const status = await (await service.fetch('/api/v1/info/status')).text();
  assert.doesNotMatch(status, /polluted/);
});

test('regular-expression denial of service: hostile expressions and values hold nobody else up', async () => {
  const attacks: [op: string, fields: Record<string, string>][] = [
    ...[
      '(a+)+$',
      '(a|a)*b',
      '(.*a){25}',
      '((a*)*)*b',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(?=a+)+',
      'x{1000}{1000}',
    ].map((expression): [string, Record<string, string>] => [
      'security/auto-redact',
      { listOfText: expression, useRegex: 'true' },
    ]),
    ['general/rotate-pdf', { pageNumbers: `${'1-'.repeat(30)}!` }],
    ['general/rotate-pdf', { pageNumbers: `${'1,'.repeat(20_000)}x` }],
    ['general/remove-pages', { pageNumbers: `${'2n+'.repeat(5000)}x` }],
    ['misc/add-stamp', { stampText: 'a', customColor: `#${'f'.repeat(50_000)}` }],
    ['misc/update-metadata', { creationDate: '2'.repeat(50_000) }],
    ['convert/url/pdf', { urlInput: `http://${'a.'.repeat(20_000)}` }],
  ];
  let slowest = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      const startedAt = performance.now();
      await fetch(`${service.url}/api/v1/info/health`);
      slowest = Math.max(slowest, performance.now() - startedAt);
      await new Promise((next) => setTimeout(next, 20));
    }
  })();
  const text = filePart(fixture('text-two-pages.pdf'));
  for (const [op, fields] of attacks) {
    const startedAt = Date.now();
    const answer = await service.post(op, form({ fileInput: text, ...fields }));
    assert.ok(answer.status < 500, `${op} ${JSON.stringify(fields).slice(0, 80)}: ${answer.status}`);
    assert.ok(Date.now() - startedAt < 20_000, `${op} ${JSON.stringify(fields).slice(0, 80)}`);
  }
  over = true;
  await watching;
  // On a machine that is busy; a loop that is held up stands for many seconds.
  assert.ok(slowest < 2000, `others waited ${slowest} ms`);
});
