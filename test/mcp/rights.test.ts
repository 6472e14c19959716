// What a key may do over /mcp, and no more: batches, addresses that outlive their key, words of a caller in addresses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createKey, revokeKey } from '../../service/src/keys.ts';
import { API_KEY, fixture, problemOf, type RunningService, startService } from '../service.ts';

const RATE = 30;
let service: RunningService;
let folder: string;
before(async () => {
  service = await startService({
    env: {
      BINDERY_SERVER_NAMES: '*',
      BINDERY_RATE_LIMIT: String(RATE),
      BINDERY_RATE_WINDOW_MS: '86400000',
    },
  });
  folder = mkdtempSync(join(tmpdir(), 'bindery-rights-'));
});
after(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' };
const send = (body: unknown, key = API_KEY) =>
  service.fetch('/mcp', {
    method: 'POST',
    headers: { ...JSON_ONLY, 'x-api-key': key },
    body: JSON.stringify(body),
  });

interface Ticket {
  file_id: string;
  upload_url: string;
  curl: string;
}
interface Answer {
  result: { structuredContent: Record<string, unknown> };
}
async function called<T>(name: string, args: object, key = API_KEY): Promise<T> {
  const { result } = (await (await send(toolCall(1, name, args), key)).json()) as Answer;
  return result.structuredContent as T;
}

const batch = (size: number) =>
  Array.from({ length: size }, (_, n) => toolCall(n, 'pdf_find', { query: 'rotate' }));
const remaining = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'));

test('a batch counts as the calls it holds', async () => {
  const key = await service.newKey({});
  const first = await send(batch(12), key);
  assert.equal(first.status, 200, await first.clone().text());
  assert.equal(((await first.json()) as unknown[]).length, 12);
  assert.equal(remaining(first), RATE - 12);
  assert.equal((await send(batch(15), key)).status, 200);
  const beyond = await send(batch(15), key);
  assert.equal(beyond.status, 429, 'three calls are left');
  assert.equal((await problemOf(beyond)).reason, 'rate_limited');
  assert.ok(Number(beyond.headers.get('retry-after')) > 0);
});

test('a batch holds so many messages and no more', async () => {
  const refused = await send(batch(21));
  assert.equal(refused.status, 400);
  const problem = await problemOf(refused);
  assert.equal(problem.reason, 'invalid_parameter');
  assert.match(problem.detail, /hold 20 messages, but 21/);
  assert.equal((await send(batch(20))).status, 200);
  // Nested ones are no way around: they are no messages.
  const nested = (await (await send([batch(20), batch(20)])).json()) as unknown;
  assert.doesNotMatch(JSON.stringify(nested), /structuredContent/);
});

test('signed addresses end with their key: revoked, expired', async () => {
  const made = async (expires: string) =>
    createKey(service, { name: 'of a test', plan: 'unlimited', scopes: '*', expires });
  const lasting = await made('never');
  const passing = await made('4s');
  for (const { key, secret } of [lasting, passing]) {
    const ticket = await called<Ticket>('pdf_upload', { filename: 'a.pdf' }, secret);
    const kept = await called<{ file_id: string }>(
      'pdf_upload',
      { filename: 'b.txt', content_base64: Buffer.from('kept').toString('base64') },
      secret,
    );
    const { file } = await called<{ file: { download_url: string } }>(
      'pdf_download',
      { file_id: kept.file_id },
      secret,
    );
    const before = await fetch(file.download_url);
    assert.deepEqual([before.status, await before.text()], [200, 'kept']);
    if (key.id === lasting.key.id) await revokeKey(service, key.id);
    else await new Promise((next) => setTimeout(next, Number(key.expiresAt) - Date.now() + 20));
    assert.equal((await fetch(file.download_url)).status, 404);
    const put = await fetch(ticket.upload_url, { method: 'PUT', body: 'too late' });
    assert.equal(put.status, 404);
    assert.equal((await problemOf(put)).reason, 'upload_not_found');
  }
});

/** A ticket asked for under a Host header of one's choice, which fetch does not allow. */
async function ticketUnder(host: string | undefined, more: Record<string, string> = {}, filename = 'a.pdf') {
  const { promise, resolve, reject } = Promise.withResolvers<Ticket>();
  const headers = { ...JSON_ONLY, ...more, 'x-api-key': API_KEY, ...(host === undefined ? {} : { host }) };
  const sent = request(`${service.url}/mcp`, { method: 'POST', headers }, async (response) => {
    const text = (await response.setEncoding('utf8').toArray()).join('');
    try {
      resolve((JSON.parse(text) as Answer).result.structuredContent as unknown as Ticket);
    } catch {
      reject(new Error(`${response.statusCode} ${text}`));
    }
  });
  sent.on('error', reject).end(JSON.stringify(toolCall(1, 'pdf_upload', { filename })));
  return promise;
}

test('a Host header that is none reaches neither addresses nor shell lines', async () => {
  const bound = new URL(service.url).host;
  const hostile = [
    "x'$(touch pwned)'",
    'x;id',
    'a b',
    '$(id)',
    '`id`',
    'x|y',
    'user@evil.example',
    'evil.example/path',
    'evil.example?',
    'evil.example#',
    'evil.example\\x',
    '[::1',
    '[::1]]',
    '[zz]',
    'a:99999',
    'a:1:2',
    '-oProxyCommand',
    '..',
    '"',
    '<script>',
    'a,b',
    'x'.repeat(300),
    '\u00e4.example',
  ];
  for (const host of hostile) {
    const { upload_url: url, curl } = await ticketUnder(host);
    assert.equal(new URL(url).host, bound, host);
    assert.ok(url.startsWith(`${service.url}/mcp/files/`), host);
    assert.match(curl, /^curl -g -T 'a\.pdf' '[^']+'$/, host);
  }
  for (const host of [
    'pdf.example.org',
    'pdf.example.org:8443',
    '[::1]:8080',
    '127.0.0.1:1',
    'localhost',
    'a.b.',
  ])
    assert.ok((await ticketUnder(host)).upload_url.startsWith(`http://${host}/mcp/files/`), host);
});

test('X-Forwarded headers are not believed', async () => {
  const forwarded = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '10.0.0.1',
    forwarded: 'host=evil.example;proto=https',
    'x-original-host': 'evil.example',
  };
  const { upload_url: url } = await ticketUnder(new URL(service.url).host, forwarded);
  assert.ok(url.startsWith(`${service.url}/mcp/`), url);
});

test('the line for a shell does what it says, whatever the file is called', async () => {
  for (const name of ["it's $(touch pwned) `id`;#.pdf", '-rf', '{a,b}[1-3].pdf', '"quoted".pdf', '!!.pdf']) {
    copyFileSync(fixture('text-two-pages.pdf'), join(folder, name));
    const { curl, file_id: id } = await ticketUnder(undefined, {}, name);
    const said = execFileSync('/bin/sh', ['-c', curl], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    assert.equal(JSON.parse(said).file_id, id, name);
    assert.throws(() => execFileSync('test', ['-e', join(folder, 'pwned')]));
  }
});
