// One caller keeps every worker busy: others are served all the same, and who cannot be served is told at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { statusOf, until, workersOf } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const DOCUMENT = fixture('text-two-pages.pdf');
const WORKERS = 2;
const QUEUE = 6;

let service: RunningService;
before(async () => {
  service = await startService({
    env: { BINDERY_WORKERS: String(WORKERS), BINDERY_QUEUE: String(QUEUE), BINDERY_ISOLATION: 'none' },
  });
});
after(() => service.remove());

const call = (path: string, key: string): Promise<Response> =>
  service.post(path, form({ fileInput: filePart(DOCUMENT) }), { 'x-api-key': key });

const workers = (): number[] => workersOf(service.apiPid());

interface Load {
  up: number;
  busy: number;
  waiting: number;
}

async function load(): Promise<Load> {
  const text = await (await service.fetch('/metrics')).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    up: figure('bindery_workers'),
    busy: figure('bindery_workers_busy'),
    waiting: figure('bindery_queue_depth'),
  };
}

const untilLoad = (what: string, isSo: (load: Load) => boolean): Promise<unknown> =>
  until(what, async () => isSo(await load()));

test('workers run below the API process', () => {
  const niceness = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
  for (const pid of workers()) assert.ok(niceness(pid) > niceness(service.apiPid()), statusOf(pid, 'Name'));
});

test('six long calls of one key do not keep the short call of another waiting, nor does a full queue', async () => {
  const greedy = await service.newKey({});
  const other = await service.newKey({});
  // What short calls take is known by then, whatever the machine does besides.
  for (let n = 0; n < 40; n += 1) assert.equal((await call('analysis/page-count', other)).status, 200);
  const both = Promise.all([call('general/rotate-pdf', greedy), call('general/rotate-pdf', greedy)]);
  await untilLoad('there are two workers', ({ up }) => up === WORKERS);
  await both;
  const stopped = workers();
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  const long = Array.from({ length: 6 }, () => call('general/rotate-pdf', greedy));
  await untilLoad('all workers are busy', ({ busy, waiting }) => busy === WORKERS && waiting === 4);

  const served = await call('analysis/page-count', other);
  assert.equal(served.status, 200);
  assert.deepEqual(await served.json(), { pageCount: 2 });

  const more = [call('general/rotate-pdf', greedy), call('general/rotate-pdf', greedy)];
  await untilLoad('the queue is full', ({ waiting }) => waiting === QUEUE);
  const refused = await refusedBeforeItsBody(greedy);
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.retryAfter) > 0);
  assert.equal((await call('analysis/page-count', other)).status, 200);
  // One of the greedy key's made way for it.
  const early = await Promise.race(more.map(async (one) => (await one).status));
  assert.equal(early, 503);

  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  const statuses = (await Promise.all([...long, ...more])).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [...Array(7).fill(200), 503]);
});

/** A body of which nothing is ever sent. */
function refusedBeforeItsBody(key: string): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}/api/v1/general/rotate-pdf`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 50_000_000,
      },
    });
    sent.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}
