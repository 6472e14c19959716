// 300 MB through the client while connections drop and the service restarts in the middle.
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Bindery } from '@bindery/sdk';
import { type RunningService, startService } from '../service.ts';

const MIB = 1024 ** 2;
const SIZE = 300 * MIB;
const PDF = new URL('../../fixtures/text-two-pages.pdf', import.meta.url);

let folder: string;
let path: string;
let dataDir: string;
let service: RunningService;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-large-'));
  path = join(folder, 'large.pdf');
  await writeLarge();
  service = await startService();
  dataDir = service.dataDir;
});
after(async () => {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

/** A document, and line ends after it up to the size. */
async function writeLarge(): Promise<void> {
  const document = await readFile(PDF);
  const out = createWriteStream(path);
  out.write(document);
  const piece = Buffer.alloc(MIB, '\n');
  for (let left = SIZE - document.length; left > 0; left -= MIB) {
    if (!out.write(piece.subarray(0, Math.min(left, MIB))))
      await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(resolve));
}

/** A way to the service whose connections can be cut, and which leads to wherever the service is now. */
async function cuttable(port: () => number): Promise<{ url: string; cut(): void; server: Server }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port(), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    server,
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

test('a dropped connection and a restart cost only the chunks in flight', async () => {
  const way = await cuttable(() => Number(new URL(service.url).port));
  const bindery = new Bindery({ baseUrl: way.url, apiKey: service.key });
  const before = process.memoryUsage().rss;
  let peak = before;
  let restarted: Promise<void> | undefined;
  let cuts = 0;
  let arrivedBytes = 0;
  try {
    const { pageCount } = await bindery.analysis.pageCount(
      path,
      {},
      {
        onProgress: ({ sentBytes, totalBytes }) => {
          assert.equal(totalBytes, SIZE);
          arrivedBytes = sentBytes;
          peak = Math.max(peak, process.memoryUsage().rss);
          if (sentBytes > 60 * MIB && cuts === 0) {
            cuts += 1;
            way.cut();
          }
          if (sentBytes > 150 * MIB) restarted ??= restart();
        },
      },
    );
    assert.equal(pageCount, 2);
    assert.equal(arrivedBytes, SIZE);
    assert.equal(cuts, 1);
    assert.ok(restarted, 'the service was restarted on the way');
    await restarted;
    assert.ok(peak - before < 150 * MIB, `memory grew by ${Math.round((peak - before) / MIB)} MiB`);
  } finally {
    way.cut();
    way.server.close();
  }
});

async function restart(): Promise<void> {
  await service.stop('SIGKILL');
  await delay(500);
  service = await startService({ dataDir });
}
