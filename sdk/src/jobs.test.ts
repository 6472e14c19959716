// Calls in the background, against a real service, behind a proxy that cuts every connection after a moment.
import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type RunningService, startService } from '../../test/service.ts';
import { Bindery, BinderyError, type JobDocument } from './index.ts';
import { isFinished } from './job-documents.ts';

const TWO_PAGES = new URL('../../fixtures/text-two-pages.pdf', import.meta.url);
const CUT_AFTER_MS = 400;

let service: RunningService;
let bindery: Bindery;
let proxy: Server;
let cuts = 0;

before(async () => {
  service = await startService({});
  const { port } = new URL(service.url);
  proxy = createServer((caller: Socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    caller.pipe(onward).pipe(caller);
    for (const socket of [caller, onward]) socket.on('error', () => {});
    const timer = setTimeout(() => {
      if (!caller.destroyed) cuts += 1;
      caller.destroy();
      onward.destroy();
    }, CUT_AFTER_MS);
    caller.on('close', () => clearTimeout(timer));
  });
  await new Promise<void>((up) => proxy.listen(0, '127.0.0.1', up));
  const { port: proxyPort } = proxy.address() as { port: number };
  bindery = new Bindery({ baseUrl: `http://127.0.0.1:${proxyPort}`, apiKey: service.key, retries: 20 });
});
after(async () => {
  proxy?.close();
  await service?.remove();
});

const failed = async (call: Promise<unknown>): Promise<BinderyError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, String(error));
  return error;
};

test('a call in the background gives what the call itself gives, however often its connections are cut', async () => {
  const direct = new Bindery({ baseUrl: service.url, apiKey: service.key });
  // Work of some seconds: many pages drawn anew.
  const pages = await direct.pipeline(Array(4).fill(TWO_PAGES)).step('general/merge-pdfs').run();
  const document = await pages.bytes();
  const told: number[] = [];
  let job: JobDocument | undefined;
  const result = await bindery.misc.scannerEffect(
    { name: 'long.pdf', content: document },
    {},
    {
      background: true,
      onJob: (accepted) => {
        job = accepted;
      },
      onProgress: ({ work }) => void (work && told.push(work.done)),
    },
  );
  assert.equal(job?.operation, 'misc/scanner-effect');
  assert.match(result.filename, /^long_.*\.pdf$/);
  assert.ok((await result.bytes()).length > 10_000);
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  );
  assert.equal(told.at(-1), 1);
  assert.ok(cuts > 0, 'no connection was cut: the test could not fail');
});

test('jobs are started, followed, listed, fetched as often as wanted, and removed', async () => {
  const started = await bindery.jobs.start('analysis/page-count', { fileInput: TWO_PAGES });
  const seen: string[] = [];
  for await (const job of bindery.jobs.events(started.id)) seen.push(job.status);
  assert.equal(seen.at(-1), 'succeeded');
  const known = await bindery.jobs.get(started.id);
  assert.ok(isFinished(known));
  assert.equal((await bindery.jobs.wait(started.id)).status, 'succeeded');
  for (let times = 0; times < 2; times += 1)
    assert.deepEqual(await (await bindery.jobs.result(started.id)).json(), { pageCount: 2 });
  const piped = await bindery.jobs.startPipeline(TWO_PAGES, [
    { op: 'general/rotate-pdf', params: { angle: 90 } },
  ]);
  assert.match((await bindery.jobs.result(piped.id)).filename, /\.pdf$/);
  const page = await bindery.jobs.list({ limit: 1 });
  assert.deepEqual(
    page.jobs.map(({ id }) => id),
    [piped.id],
  );
  assert.ok(page.nextCursor);
  const next = await bindery.jobs.list({ limit: 1, cursor: page.nextCursor ?? '' });
  assert.deepEqual(
    next.jobs.map(({ id }) => id),
    [started.id],
  );
  await bindery.jobs.cancel(started.id);
  await bindery.jobs.cancel(started.id);
  assert.equal((await failed(bindery.jobs.get(started.id))).reason, 'job_not_found');
});

test('a job that fails throws what the call would have thrown; one that is given up is cancelled', async () => {
  const broken = { name: 'a.pdf', content: new TextEncoder().encode('no pdf') };
  const error = await failed(bindery.general.rotatePdf(broken, { angle: 90 }, { background: true }));
  assert.deepEqual([error.reason, error.status], ['invalid_pdf', 400]);
  const stop = new AbortController();
  let id = '';
  const given = bindery.misc.scannerEffect(
    TWO_PAGES,
    {},
    {
      ...{ background: true, signal: stop.signal },
      onJob: (job) => {
        id = job.id;
        stop.abort();
      },
    },
  );
  assert.equal((await failed(given)).code, 'cancelled');
  assert.match((await bindery.jobs.get(id)).status, /^(?:cancelled|succeeded)$/);
});
