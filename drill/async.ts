// Long work that outlives its process and its connections: twenty jobs of several kinds whose service is killed end with
// the bytes of the synchronous answers, and of each its webhook is heard, under one id; a recognition of [pages] pages is
// followed through a proxy that cuts every connection, and tells of each page.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { filePart, fixture, form, type RunningService, startService } from '../test/service.ts';

const PAGES = 300;
const JOBS = 20;
const CUT_EVERY_MS = 30_000;
const KILLS = 2;
/** A webhook whose service died in an attempt is tried again after its lease. */
const HEARD_WITHIN_MS = 60_000;
const ENV = { BINDERY_WORKERS: '0', BINDERY_LOG_LEVEL: 'error' };

interface Job {
  id: string;
  status: string;
  finishedAt: string | null;
  progress: { done: number; message: string };
}

/** Kinds of calls whose results can be told apart from one another, and are the same whenever they are made. */
const KINDS: readonly { path: string; body(): FormData }[] = [
  { path: 'general/rotate-pdf', body: () => of('everything.pdf', { angle: '90' }) },
  { path: 'misc/ocr-pdf', body: () => of('scan.pdf', {}) },
  { path: 'misc/compress-pdf', body: () => of('scan.pdf', { optimizeLevel: '5' }) },
  { path: 'convert/pdf/word', body: () => of('reading.pdf', {}) },
  {
    path: 'pipeline',
    body: () =>
      of('everything.pdf', { steps: JSON.stringify([{ op: 'rotate-pdf' }, { op: 'misc/flatten' }]) }),
  },
];

const of = (name: string, fields: Record<string, string>): FormData =>
  form({ fileInput: filePart(fixture(name)), reproducible: 'true', ...fields });

export async function drill([pages = String(PAGES)]: readonly string[]): Promise<string[]> {
  return [...(await killed()), ...(await followed(Number(pages)))];
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

async function begun(service: RunningService, path: string, body: FormData): Promise<Job> {
  const response = await service.post(path, body, { prefer: 'respond-async' });
  if (response.status !== 202) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Job;
}

async function ended(service: RunningService, id: string): Promise<Job> {
  for (;;) {
    const job = (await (await service.fetch(`/api/v1/jobs/${id}`)).json()) as Job;
    if (job.finishedAt) return job;
    await sleep(250);
  }
}

/** Takes webhooks, and refuses the first of every second job. */
async function receiver() {
  const heard: { id: string; job: string; status: string }[] = [];
  const refused = new Set<string>();
  const server = createHttpServer(async (request, response) => {
    const job = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Job;
    const id = String(request.headers['webhook-id']);
    if (heard.length % 2 === 1 && !refused.has(id)) {
      refused.add(id);
      response.writeHead(503).end();
      return;
    }
    heard.push({ id, job: job.id, status: job.status });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard, refused };
}

async function killed(): Promise<string[]> {
  const failures: string[] = [];
  const hooks = await receiver();
  const env = { ...ENV, BINDERY_URL_ALLOW_HOSTS: hooks.host };
  let service = await startService({ env });
  const { dataDir } = service;
  try {
    const expected: Buffer[] = [];
    for (const { path, body } of KINDS) expected.push(await bytesOf(await service.post(path, body())));
    const jobs: { id: string; kind: number }[] = [];
    for (let n = 0; n < JOBS; n += 1) {
      const kind = n % KINDS.length;
      const { path, body } = KINDS[kind] as (typeof KINDS)[number];
      const asked = body();
      asked.set('webhookUrl', `http://${hooks.host}/`);
      jobs.push({ id: (await begun(service, path, asked)).id, kind });
    }
    for (let n = 0; n < KILLS; n += 1) {
      await sleep(1500);
      await service.stop('SIGKILL');
      service = await startService({ env, dataDir });
    }
    for (const { id, kind } of jobs) {
      const { status } = await ended(service, id);
      const result = await bytesOf(await service.fetch(`/api/v1/jobs/${id}/result`));
      if (status !== 'succeeded' || !result.equals(expected[kind] as Buffer))
        failures.push(`a job of ${KINDS[kind]?.path} is ${status}, ${result.length} bytes`);
    }
    console.log(`  ${jobs.length} jobs, the service killed ${KILLS} times: ${failures.length} differ`);
    const giveUpAt = Date.now() + HEARD_WITHIN_MS;
    const isHeard = ({ id }: { id: string }): boolean => hooks.heard.some(({ job }) => job === id);
    while (!jobs.every(isHeard) && Date.now() < giveUpAt) await sleep(250);
    for (const { id } of jobs) {
      const told = hooks.heard.filter(({ job }) => job === id);
      if (told.length === 0 || told.some((one) => one.id !== `msg_${id}` || one.status !== 'succeeded'))
        failures.push(`of job ${id} was heard: ${JSON.stringify(told)}`);
    }
    console.log(`  ${hooks.heard.length} webhooks heard, ${hooks.refused.size} refused before that`);
  } finally {
    hooks.server.close();
    await service.remove();
  }
  return failures;
}

/** Hands bytes on, and cuts each connection after a while. */
async function cuttingProxy(target: URL): Promise<{ server: Server; port: number; cuts(): number }> {
  let cuts = 0;
  const server = createServer((near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    const timer = setTimeout(() => {
      cuts += 1;
      near.destroy();
      far.destroy();
    }, CUT_EVERY_MS);
    for (const end of [near, far]) end.on('error', () => {}).on('close', () => clearTimeout(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, cuts: () => cuts };
}

async function followed(pages: number): Promise<string[]> {
  const service = await startService({ env: ENV });
  const proxy = await cuttingProxy(new URL(service.url));
  try {
    const files = Array.from({ length: pages }, () => filePart(fixture('scan.pdf')));
    const merged = await service.post('general/merge-pdfs', form({ fileInput: files }));
    const bytes = new Uint8Array(await merged.arrayBuffer());
    const { id } = await begun(service, 'misc/ocr-pdf', form({ fileInput: filePart(bytes, 'scans.pdf') }));
    const began = performance.now();
    const seen: Job[] = [];
    for (let last = ''; seen.at(-1)?.finishedAt == null; ) {
      const headers = { 'x-api-key': service.key, ...(last ? { 'last-event-id': last } : {}) };
      const url = `http://127.0.0.1:${proxy.port}/api/v1/jobs/${id}/events`;
      try {
        const response = await fetch(url, { headers });
        let rest = '';
        for await (const piece of response.body ?? []) {
          const blocks = (rest + Buffer.from(piece).toString()).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            last = /^id: (\d+)$/m.exec(block)?.[1] ?? last;
            const data = /^data: (.*)$/m.exec(block)?.[1];
            if (data) seen.push(JSON.parse(data) as Job);
          }
        }
      } catch {
        // Cut off: go on from the last event.
      }
    }
    const shares = seen.map(({ progress }) => progress.done);
    const words = new Set(seen.map(({ progress }) => progress.message));
    const untold = Array.from({ length: pages }, (_, page) => `${page + 1} of ${pages} done`).filter(
      (word) => !words.has(word),
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `  ${pages} pages in ${seconds} s, ${words.size} words of progress, ${proxy.cuts()} connections cut`,
    );
    return [
      ...(seen.at(-1)?.status === 'succeeded' ? [] : [`the recognition is ${seen.at(-1)?.status}`]),
      ...(shares.every((share, at) => share >= (shares[at - 1] ?? 0)) ? [] : ['progress went back']),
      ...(untold.length === 0 ? [] : [`not told: ${untold.join(', ')}`]),
    ];
  } finally {
    proxy.server.close();
    await service.remove();
  }
}
