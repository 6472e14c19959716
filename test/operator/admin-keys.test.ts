// Keys administered over HTTP; what the audit log tells of it; operations that are turned off.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const ADMIN_KEY = 'the-key-of-the-operator';
let service: RunningService;
const auditFile = () => join(service.dataDir, 'audit.jsonl');
before(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-admin-'));
  service = await startService({
    dataDir,
    env: {
      BINDERY_ADMIN_KEY: ADMIN_KEY,
      BINDERY_AUDIT_LOG: join(dataDir, 'audit.jsonl'),
      BINDERY_DISABLED_OPERATIONS: 'convert/url/pdf, filter',
    },
  });
});
after(() => service.remove());

interface Key {
  id: string;
  state: string;
  scopes: string[];
  lastUsedAt: string | null;
}
interface Answer {
  key: Key;
  keys: Key[];
  secret: string;
  oldSecretUntil: string;
  reason: string;
  detail: string;
  operations: { operation: string; calls: number; failed: number; bytesIn: number; bytesOut: number }[];
}

async function admin(path: string, init: RequestInit & { key?: string } = {}): Promise<[number, Answer]> {
  const { key = ADMIN_KEY, ...rest } = init;
  const response = await fetch(`${service.url}/api/v1/admin/keys${path}`, {
    ...rest,
    headers: { 'x-api-key': key },
  });
  const text = await response.text();
  return [response.status, (text === '' ? {} : JSON.parse(text)) as Answer];
}
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
const rotated = (key: string, operation = 'general/rotate-pdf') =>
  service.post(operation, form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' }), {
    'x-api-key': key,
  });

test('a key is made, works, is rotated with an overlap, tells its use, and is revoked', async () => {
  const [created, { key, secret }] = await admin('', post({ name: 'ci', scopes: ['general', 'analysis'] }));
  assert.deepEqual([created, key.state, key.scopes], [201, 'active', ['general', 'analysis']]);
  assert.equal((await rotated(secret)).status, 200);
  assert.equal((await rotated(secret, 'misc/compress-pdf')).status, 403);

  const [, next] = await admin(`/${key.id}/rotate`, post({ graceSeconds: 3600 }));
  assert.ok(Date.parse(next.oldSecretUntil) - Date.now() > 3_500_000);
  assert.deepEqual([(await rotated(secret)).status, (await rotated(next.secret)).status], [200, 200]);
  const [, last] = await admin(`/${key.id}/rotate`, post({ graceSeconds: 0 }));
  assert.deepEqual([(await rotated(secret)).status, (await rotated(last.secret)).status], [401, 200]);

  const [, listed] = await admin('');
  const own = listed.keys.find(({ id }) => id === key.id);
  assert.ok(own?.lastUsedAt);
  assert.ok(!JSON.stringify(listed).includes(secret.slice(4)));

  const used = async (): Promise<Answer['operations']> => {
    for (let count = 0; count < 100; count++) {
      const [, { operations }] = await admin(`/${key.id}/usage?days=1`);
      if (operations.some(({ calls }) => calls === 4)) return operations;
      await new Promise((later) => setTimeout(later, 100));
    }
    return [];
  };
  const [rotations, compressions] = (await used()).sort((a, b) => b.calls - a.calls);
  assert.equal(rotations?.operation, 'general/rotate-pdf');
  assert.deepEqual([rotations?.calls, rotations?.failed], [4, 0]);
  assert.ok((rotations?.bytesIn ?? 0) > 4000 && (rotations?.bytesOut ?? 0) > 4000);
  assert.deepEqual([compressions?.operation, compressions?.failed], ['misc/compress-pdf', 1]);

  for (let count = 0; count < 2; count++)
    assert.equal((await admin(`/${key.id}`, { method: 'DELETE' }))[0], 204);
  assert.equal((await rotated(last.secret)).status, 401);
  assert.equal((await admin(`/${key.id}`))[1].key.state, 'revoked');
  const [status, { detail }] = await admin(`/${key.id}/rotate`, post({}));
  assert.deepEqual([status, detail], [400, 'This key is revoked.']);
});

test('only an admin may: neither the key of callers nor one for all operations', async () => {
  const all = await service.newKey({ scopes: '*' });
  for (const key of [service.key, all]) {
    const [status, { reason }] = await admin('', { key });
    assert.deepEqual([status, reason], [403, 'forbidden']);
  }
  assert.equal((await admin('', { key: 'nobody-has-this-key' }))[0], 401);
  const scoped = await service.newKey({ scopes: 'admin' });
  assert.equal((await admin('', { key: scoped }))[0], 200);
  assert.equal((await rotated(scoped)).status, 403);
  assert.equal((await rotated(ADMIN_KEY)).status, 401, 'it administers and does nothing else');
});

describe('what cannot be a key is refused by its member', () => {
  const cases: [body: unknown, detail: RegExp][] = [
    [{}, /^name must be/],
    [{ name: 'a\nb' }, /^name must be/],
    [{ name: 'n', plan: 'constructor' }, /^plan must be one of standard, unlimited/],
    [{ name: 'n', scopes: [] }, /^scopes must be/],
    [{ name: 'n', scopes: ['*', 'root'] }, /^scopes must be/],
    [{ name: 'n', expiresAt: '2001-01-01T00:00:00Z' }, /^expiresAt must be/],
    [{ name: 'n', expiresAt: '30d' }, /^expiresAt must be/],
    [{ name: 'n', expires_at: null }, /"expires_at"; did you mean expiresAt/],
    [[1], /must be a JSON object/],
  ];
  for (const [body, detail] of cases)
    test(JSON.stringify(body), async () => {
      const [status, problem] = await admin('', post(body));
      assert.equal(status, 400);
      assert.match(problem.detail, detail);
    });
  test('and what there is not, is not found', async () => {
    assert.equal((await admin('/key_nobody'))[0], 404);
    assert.equal((await admin('/key_nobody', { method: 'DELETE' }))[0], 404);
    assert.match((await admin('/key_nobody/usage?days=0'))[1].detail, /^days must be/);
  });
});

test('the audit log tells who did what, and nothing of documents', async () => {
  const name = 'a-name-that-is-nobodys-business.pdf';
  const sent = form({ fileInput: filePart(fixture('text-two-pages.pdf'), name), angle: '90' });
  await service.post('general/rotate-pdf', sent, { 'x-request-id': 'told-in-the-audit' });
  await service.fetch('/api/v1/info/ready');
  await new Promise((later) => setTimeout(later, 200));
  assert.ok(existsSync(auditFile()));
  const text = readFileSync(auditFile(), 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = lines.find(({ requestId }) => requestId === 'told-in-the-audit');
  assert.deepEqual(
    { ...told, time: 0, key: 0, bytesIn: 0, bytesOut: 0, ms: 0 },
    {
      ...{ time: 0, requestId: 'told-in-the-audit', client: '127.0.0.1', key: 0, keyName: 'BINDERY_API_KEY' },
      ...{ method: 'POST', operation: 'general/rotate-pdf', outcome: 'done', status: 200 },
      ...{ bytesIn: 0, bytesOut: 0, ms: 0 },
    },
  );
  assert.ok(Number(told?.bytesIn) > 1000 && Number(told?.bytesOut) > 1000);
  const made = lines.find(({ operation }) => operation === 'admin/keys/create');
  assert.match(String(made?.target), /^key_/);
  assert.ok(lines.some(({ outcome, status, key }) => outcome === 'refused' && status === 401 && !key));
  assert.ok(!text.includes('nobodys-business') && !text.includes('bdy_') && !text.includes('info/ready'));
});

test('operations that are turned off are refused, alone and in a pipeline, and not described', async () => {
  const off = await service.post('filter/filter-page-count', form({ pageCount: '1' }));
  const { reason, detail } = (await off.json()) as Answer;
  assert.deepEqual([off.status, reason], [403, 'forbidden']);
  assert.match(detail, /filter\/filter-page-count is turned off/);
  const steps = JSON.stringify([{ op: 'filter/filter-contains-image' }]);
  const piped = await service.post(
    'pipeline',
    form({ fileInput: filePart(fixture('text-two-pages.pdf')), steps }),
  );
  assert.equal(piped.status, 403);
  const agent = async (method: string, params: object): Promise<string> => {
    const answer = await service.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return answer.text();
  };
  const page = { operation: 'url/pdf', parameters: { urlInput: 'http://a.b' } };
  assert.match(await agent('tools/call', { name: 'pdf_convert', arguments: page }), /turned off/);
  const described = { name: 'pdf_describe_operation', arguments: { operation: 'convert/url/pdf' } };
  assert.match(await agent('tools/call', described), /turned off/);
  const listed = await agent('tools/list', {});
  assert.ok(listed.includes('html/pdf') && !/url\/pdf|pdf_filter|filter-page-count/.test(listed));
  const resource = await agent('resources/read', { uri: 'pdf://operations' });
  assert.ok(resource.includes('convert/html/pdf') && !resource.includes('convert/url/pdf'));
  const { paths } = (await (await service.fetch('/v1/openapi.json')).json()) as { paths: object };
  assert.ok(!Object.keys(paths).some((path) => /\/filter\/|convert\/url/.test(path)));
  assert.ok('/api/v1/convert/html/pdf' in paths);
});
