import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startService } from '../service.ts';

const MAIN = fileURLToPath(new URL('../../service/src/main.ts', import.meta.url));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-start-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const refusedStart = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { PATH: process.env.PATH, BINDERY_PORT: '0', BINDERY_DATA_DIR: join(folder, 'data'), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });

test('a start that fails takes no first key with it', async () => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const port = String((other.address() as AddressInfo).port);
  const dataDir = join(folder, 'first');
  const { status, stderr } = refusedStart({ BINDERY_PORT: port, BINDERY_DATA_DIR: dataDir });
  other.close();
  assert.equal(status, 1);
  assert.match(stderr, /port \d+ on 127\.0\.0\.1 is in use/);
  const service = await startService({ dataDir, env: { BINDERY_API_KEY: '' } });
  try {
    const key = /API key: (\S+) \(shown this once/.exec(service.output())?.[1] ?? '';
    const status = await fetch(`${service.url}/api/v1/info/status`, { headers: { 'x-api-key': key } });
    assert.equal(status.status, 200, service.output());
  } finally {
    await service.remove();
  }
});

test('the service outlives the readers of its output', async () => {
  const service = await startService();
  try {
    service.process.stdout?.destroy();
    service.process.stderr?.destroy();
    for (let call = 0; call < 5; call += 1) {
      // Every call is a line of the log.
      assert.equal((await service.fetch('/api/v1/info/status')).status, 200);
    }
    assert.equal(service.process.exitCode, null);
  } finally {
    await service.remove();
  }
});
