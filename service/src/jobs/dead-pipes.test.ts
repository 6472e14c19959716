import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeDeadPipes } from './dead-pipes.ts';

test('sockets of LibreOffice that nobody listens to are removed, and nothing else', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pipes-'));
  const own = `OSL_PIPE_${process.getuid?.() ?? 0}_SingleOfficeIPC_`;
  const [dead, live, other, file] = [`${own}1a`, `${own}2b`, 'other.sock', `${own}3c`].map((name) =>
    join(dir, name),
  ) as [string, string, string, string];
  const servers = [dead, live, other].map((path) => createServer().listen(path));
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    writeFileSync(file, 'a file');
    // Node would remove the socket as it closes.
    for (const path of [dead, other]) renameSync(path, `${path}.kept`);
    for (const server of [servers[0], servers[2]]) server?.close();
    for (const path of [dead, other]) renameSync(`${path}.kept`, path);
    removeDeadPipes([dir, join(dir, 'nowhere')]);
    assert.deepEqual([dead, live, other, file].map(existsSync), [false, true, true, true]);
  } finally {
    for (const server of servers) server.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
