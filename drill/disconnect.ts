// Callers who go away half-way: in their body, while the work is done, in the answer. The work ends, and nothing of it is
// left: no job, no file, no claim on an upload.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../test/processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';
import { apiMemory, filesLeft, MIB, metric } from './figures.ts';

const ROUNDS = 12;
/** How long work may go on for nobody. */
const ENDED_WITHIN_MS = 10_000;

export async function drill(): Promise<string[]> {
  const service = await startService({ env: { BINDERY_WORKERS: '0', BINDERY_LOG_LEVEL: 'error' } });
  try {
    await drawn(service, AbortSignal.timeout(60_000));
    const before = apiMemory(service);
    const failures: string[] = [];
    const ended: Record<string, number[]> = { body: [], work: [], answer: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [where, leave] of Object.entries({ body: inBody, work: inWork, answer: inAnswer })) {
        await leave(service);
        const left = performance.now();
        const quiet = async () => (await metric(service, 'bindery_workers_busy')) === 0;
        await until(`the work of who left in the ${where} ends`, quiet, 120_000).catch((error: Error) =>
          failures.push(error.message),
        );
        ended[where]?.push(performance.now() - left);
      }
    }
    await sleep(500);
    for (const [where, times] of Object.entries(ended)) {
      const most = Math.round(Math.max(...times));
      console.log(`  ${times.length} left in the ${where}: all quiet after at most ${most} ms`);
      if (most > ENDED_WITHIN_MS)
        failures.push(`work went on for ${most} ms after its caller left in the ${where}`);
    }
    const files = filesLeft(service);
    if (files.length > 0) failures.push(`files are left: ${files.slice(0, 5).join(', ')}`);
    failures.push(...(await claimedAndLeft(service)));
    console.log(
      `  files left: ${files.length}; the API process grew by ${Math.round((apiMemory(service) - before) / MIB)} MiB`,
    );
    if (!(await drawn(service, AbortSignal.timeout(60_000)))) failures.push('afterwards, nobody is served');
    return failures;
  } finally {
    await service.remove();
  }
}

async function inBody(service: RunningService): Promise<void> {
  const { hostname, port } = new URL(service.url);
  await new Promise<void>((left) => {
    const call = request({
      ...{ hostname, port, method: 'POST', path: '/api/v1/general/rotate-pdf' },
      headers: {
        'x-api-key': service.key,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 8 * MIB,
      },
    });
    call.on('error', () => {});
    call.on('close', left);
    const part = '--x\r\nContent-Disposition: form-data; name="fileInput"; filename="a.pdf"\r\n\r\n';
    call.write(part + 'x'.repeat(4 * MIB), () => call.destroy());
  });
}

async function inWork(service: RunningService): Promise<void> {
  const leaving = new AbortController();
  const call = drawn(service, leaving.signal);
  await until('the work has begun', async () => (await metric(service, 'bindery_workers_busy')) > 0);
  leaving.abort();
  await call;
}

async function inAnswer(service: RunningService): Promise<void> {
  const leaving = new AbortController();
  const answer = await drawing(service, leaving.signal);
  const reader = answer.body?.getReader();
  await reader?.read();
  leaving.abort();
}

/** Several seconds of work, megabytes of answer. */
const drawing = (service: RunningService, signal: AbortSignal, key?: string): Promise<Response> =>
  service.fetch('/api/v1/convert/pdf/img', {
    method: 'POST',
    body: form({ fileInput: filePart(fixture('everything.pdf')), imageFormat: 'png', dpi: '400' }),
    headers: key === undefined ? {} : { 'x-api-key': key },
    signal,
  });

const drawn = (service: RunningService, signal: AbortSignal): Promise<boolean> =>
  drawing(service, signal)
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    })
    .catch(() => false);

/** An upload whose call was left can be used by the next. */
async function claimedAndLeft(service: RunningService): Promise<string[]> {
  const file = filePart(fixture('everything.pdf'));
  const body = JSON.stringify({ filename: 'a.pdf', size: file.size });
  const { id } = (await (await service.fetch('/api/v1/uploads', { method: 'POST', body })).json()) as {
    id: string;
  };
  const path = `/api/v1/uploads/${id}`;
  await service.fetch(`${path}/chunks/0`, { method: 'PUT', body: await file.arrayBuffer() });
  await service.fetch(`${path}/complete`, { method: 'POST' });
  const use = (signal: AbortSignal, dpi: string): Promise<Response | undefined> =>
    service
      .fetch('/api/v1/convert/pdf/img', {
        method: 'POST',
        body: form({ 'fileInput@upload': id, dpi }),
        signal,
      })
      .catch(() => undefined);
  const leaving = new AbortController();
  const call = use(leaving.signal, '400');
  await until('the work has begun', async () => (await metric(service, 'bindery_workers_busy')) > 0);
  leaving.abort();
  await call;
  await until('it has ended', async () => (await metric(service, 'bindery_workers_busy')) === 0, 60_000);
  const again = await use(AbortSignal.timeout(60_000), '72');
  await again?.arrayBuffer();
  return again?.status === 200 ? [] : [`an upload whose caller left cannot be used: ${again?.status}`];
}
