// Real sockets: a server that answers with a file.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { MIB } from '../../contract/limits.ts';
import { SentFile } from './sent-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sent-file-'));
const path = join(folder, 'file');
const app = fastify();
let told = 0;
app.get('/', async (_request, reply) => {
  reply.header('content-length', String(told));
  return reply.send(new SentFile(await open(path), told));
});
before(() => app.listen({ host: '127.0.0.1', port: 0 }));
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});
const port = (): number => (app.server.address() as AddressInfo).port;

const isOpen = (): boolean =>
  readdirSync('/proc/self/fd').some((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`) === path;
    } catch {
      return false;
    }
  });

async function untilClosed(): Promise<void> {
  for (let turn = 0; turn < 200 && isOpen(); turn += 1) await new Promise((next) => setTimeout(next, 10));
  assert.ok(!isOpen(), 'the file is still open');
}

test('files of every length arrive whole, on one connection, and are closed', async () => {
  for (const size of [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 700_000, 9 * MIB + 5]) {
    const bytes = randomBytes(size);
    writeFileSync(path, bytes);
    told = size;
    const answer = await fetch(`http://127.0.0.1:${port()}/`);
    assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())), `${size} bytes`);
    await untilClosed();
  }
});

test('a caller who leaves does not keep the file open', async () => {
  told = 64 * MIB;
  writeFileSync(path, Buffer.alloc(told));
  const socket = connect(port(), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  assert.ok(isOpen());
  socket.destroy();
  await untilClosed();
});

test('a slow caller gets all of it', async () => {
  const bytes = randomBytes(5 * MIB);
  told = bytes.length;
  writeFileSync(path, bytes);
  const answer = await fetch(`http://127.0.0.1:${port()}/`);
  const got: Uint8Array[] = [];
  for await (const piece of answer.body ?? []) {
    got.push(piece);
    if (got.length < 20) await new Promise((next) => setTimeout(next, 10));
  }
  assert.ok(bytes.equals(Buffer.concat(got)));
});

test('a file that became shorter breaks the answer off: it is not taken for whole', async () => {
  told = 3 * MIB;
  writeFileSync(path, Buffer.alloc(told));
  truncateSync(path, MIB);
  await assert.rejects(fetch(`http://127.0.0.1:${port()}/`).then((answer) => answer.arrayBuffer()));
  await untilClosed();
});
