// The data folder stands on a small file system that fills up under load: who cannot be served hears 507 or 503, no
// document is blamed, nothing of it is kept for replay, and with room again all is as before.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallDisk } from '../service/testing/small-disk.ts';
import { until } from '../test/processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { Callers, pipeline } from './callers.ts';
import { MIB } from './figures.ts';

const DISK_MIB = 200;
const LEFT_BYTES = 64 * 1024;
const FULL_MS = 6000;
const ROUNDS = 2;
/** Answers that blame neither the caller nor his document. */
const TOLD = [200, 201, 204, 409, 429, 503, 507];

export async function drill(): Promise<string[]> {
  const disk = smallDisk(DISK_MIB);
  if (!disk) return ['no file system can be mounted here (tmpfs, as root): nothing was tried'];
  console.log(`  a tmpfs of ${DISK_MIB} MiB, filled up to ${LEFT_BYTES} bytes`);
  const service = await startService({
    dataDir: join(disk.dir, 'data'),
    env: { BINDERY_WORKERS: '0', BINDERY_UPLOAD_CHUNK_BYTES: String(MIB), BINDERY_LOG_LEVEL: 'error' },
  });
  try {
    const statuses = new Map<number, number>();
    const kept: string[] = [];
    const failures: string[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      disk.fill(LEFT_BYTES);
      for (const endAt = performance.now() + FULL_MS; performance.now() < endAt; ) {
        for (const answer of await Promise.all([rotate(service), drawn(service), upload(service)])) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (!TOLD.includes(answer.status)) failures.push(`status ${answer.status}: ${answer.text}`);
          if (answer.key !== undefined && answer.status >= 500) kept.push(answer.key);
        }
        const status = await service.fetch('/api/v1/info/status');
        if (!status.ok) failures.push(`info/status: ${status.status}`);
        await status.arrayBuffer();
      }
      disk.empty();
      await until('calls are served again', async () => (await rotate(service)).status === 200, 30_000);
    }
    await sleep(1000);
    for (const key of kept.slice(-20)) {
      const again = await rotate(service, key);
      if (again.status !== 200) failures.push(`with room again, a refused key gives ${again.status}`);
    }
    const callers = new Callers(service);
    await pipeline(disk.dir)(callers);
    const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
    console.log(
      `  while it was full: ${shown.join(', ')}; ${Math.min(20, kept.length)} refused keys served afterwards`,
    );
    if (!statuses.has(507)) failures.push('nobody heard 507: the disk was never full');
    return failures;
  } finally {
    await service.stop('SIGKILL');
    disk.remove();
  }
}

interface Told {
  status: number;
  text: string;
  key?: string;
}

const told = async (answer: Response, key?: string): Promise<Told> => ({
  status: answer.status,
  text: (await answer.text()).slice(0, 200),
  ...(key === undefined ? {} : { key }),
});

async function rotate(service: RunningService, key: string = randomUUID()): Promise<Told> {
  const body = form({ fileInput: filePart(fixture('everything.pdf')), angle: '90' });
  return told(await service.post('general/rotate-pdf', body, { 'idempotency-key': key }), key);
}

const drawn = async (service: RunningService): Promise<Told> =>
  told(
    await service.post(
      'convert/pdf/img',
      form({ fileInput: filePart(fixture('everything.pdf')), imageFormat: 'png', dpi: '200' }),
    ),
  );

async function upload(service: RunningService): Promise<Told> {
  const described = JSON.stringify({ filename: 'a.pdf', size: 2 * MIB });
  const begun = await service.fetch('/api/v1/uploads', { method: 'POST', body: described });
  if (begun.status !== 201) return told(begun);
  const { id } = (await begun.json()) as { id: string };
  const path = `/api/v1/uploads/${id}`;
  const sent = await told(
    await service.fetch(`${path}/chunks/0`, { method: 'PUT', body: Buffer.alloc(MIB, 'x') }),
  );
  await (await service.fetch(path, { method: 'DELETE' })).arrayBuffer();
  return sent;
}
