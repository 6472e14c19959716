// What an operator sees of callers behind a proxy, and secrets that come as files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type RunningService, startService } from '../service.ts';

const KEY = 'the-key-that-stands-in-a-file';
let folder: string;
let service: RunningService;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-secret-'));
  writeFileSync(join(folder, 'key'), `${KEY}\n`);
  service = await startService({
    env: {
      BINDERY_API_KEY: '',
      BINDERY_API_KEY_FILE: join(folder, 'key'),
      BINDERY_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
      BINDERY_FAILED_KEYS: '2',
    },
  });
});
after(async () => {
  await service.remove();
  rmSync(folder, { recursive: true });
});

const asked = (key: string, forwardedFor: string) =>
  fetch(`${service.url}/api/v1/info/status`, {
    headers: { 'x-api-key': key, 'x-forwarded-for': forwardedFor },
  });

test('the caller that a trusted proxy names stands in the log, whatever the caller wrote before it', async () => {
  assert.equal((await asked(KEY, '198.51.100.1, 203.0.113.77, 10.2.3.4')).status, 200);
  await new Promise((next) => setTimeout(next, 100));
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"info/status"'));
  assert.equal((JSON.parse(lines[0] ?? '{}') as { client: string }).client, '203.0.113.77');
});

test('who tries keys out is held up by his own address, not by that of the proxy', async () => {
  const statuses = [];
  for (let count = 0; count < 3; count++)
    statuses.push((await asked('a-wrong-key-1234567', '203.0.113.5')).status);
  assert.deepEqual(statuses, [401, 401, 429]);
  assert.equal((await asked('a-wrong-key-1234567', '203.0.113.6')).status, 401);
});
