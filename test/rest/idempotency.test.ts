import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService({ env: { BINDERY_ISOLATION: 'none' } });
});
after(() => service.remove());

const rotate = (key: string | undefined, fields: Record<string, string | File> = {}, headers = {}) =>
  service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90', ...fields }),
    {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
  );

interface Seen {
  status: number;
  replayed: string | null;
  headers: Record<string, string | null>;
  body: string;
}
const KEPT_HEADERS = ['content-type', 'content-disposition', 'content-length'];

async function seen(response: Response): Promise<Seen> {
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    headers: Object.fromEntries(KEPT_HEADERS.map((name) => [name, response.headers.get(name)])),
    body: Buffer.from(await response.bytes()).toString('base64'),
  };
}

test('the same request under the same key is answered once and then replayed', async () => {
  const first = await seen(await rotate('order-1'));
  assert.equal(first.status, 200);
  assert.equal(first.replayed, null);
  // Another boundary, another file name, another order of the fields: still the same request.
  const again = await service.post(
    'general/rotate-pdf',
    form({ angle: '90', file: filePart(fixture('text-two-pages.pdf'), 'other name.pdf') }),
    { 'idempotency-key': 'order-1' },
  );
  assert.ok(again.headers.get('x-request-id'));
  assert.ok(again.headers.get('x-ratelimit-limit'));
  assert.deepEqual(await seen(again), { ...first, replayed: 'true' });
});

test('the same key with another request is 422', async () => {
  await seen(await rotate('order-2'));
  const others: [string, Response][] = [
    ['value', await rotate('order-2', { angle: '180' })],
    ['file', await rotate('order-2', { fileInput: filePart(fixture('form-fields.pdf')) })],
    ['field', await rotate('order-2', { pageNumbers: '1' })],
    ['path', await service.post('pipeline', form({ angle: '90' }), { 'idempotency-key': 'order-2' })],
  ];
  for (const [what, response] of others) {
    assert.equal(response.status, 422, what);
    assert.equal((await problemOf(response)).reason, 'idempotency_key_reused', what);
  }
});

test('the scope of a key is the API key', async () => {
  await seen(await rotate('order-3'));
  const response = await rotate('order-3', { angle: '180' }, { 'x-api-key': await service.newKey({}) });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('idempotency-replayed'), null);
});

test('a refusal is replayed too', async () => {
  const refused: Record<string, string | File>[] = [
    { angle: '91' },
    { pageNumbers: '99' },
    { fileInput: filePart(new Uint8Array(9)) },
  ];
  for (const fields of refused) {
    const key = `refused-${Object.keys(fields)}`;
    const first = await seen(await rotate(key, fields));
    assert.equal(first.status, 400);
    assert.deepEqual(await seen(await rotate(key, fields)), { ...first, replayed: 'true' });
  }
});

test('a forbidden request is not kept', async () => {
  const headers = { 'x-api-key': await service.newKey({ scopes: 'misc' }) };
  for (let n = 0; n < 2; n += 1) {
    const response = await rotate('forbidden', {}, headers);
    assert.equal(response.status, 403);
    assert.equal(response.headers.get('idempotency-replayed'), null);
  }
});

for (const key of ['x'.repeat(256), 'two words', 'schlüssel', '']) {
  test(`the key ${JSON.stringify(key.slice(0, 12))} is 400`, async () => {
    const response = await rotate(key);
    assert.equal(response.status, 400);
    const problem = await problemOf(response);
    assert.equal(problem.reason, 'invalid_parameter');
    assert.match(problem.detail, /Idempotency-Key/);
  });
}

test('keys of 255 characters and quoted keys are accepted', async () => {
  for (const key of ['k'.repeat(255), '"8e03978e-40d5"', '!~']) assert.equal((await rotate(key)).status, 200);
});

test('while the first runs the second is 409; when it is done, a replay', async () => {
  const [worker] = service.workers();
  assert.ok(worker);
  process.kill(worker, 'SIGSTOP');
  const first = rotate('slow-1');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const second = await rotate('slow-1');
  assert.equal(second.status, 409);
  assert.ok(Number(second.headers.get('retry-after')) >= 1);
  assert.equal((await problemOf(second)).reason, 'request_in_progress');
  assert.equal((await rotate('slow-1', { angle: '180' })).status, 422);
  process.kill(worker, 'SIGCONT');
  assert.equal((await first).status, 200);
  assert.equal((await rotate('slow-1')).headers.get('idempotency-replayed'), 'true');
});

test('a request whose client went away is run again', async () => {
  const [worker] = service.workers();
  assert.ok(worker);
  process.kill(worker, 'SIGSTOP');
  const aborter = new AbortController();
  const first = service.fetch('/api/v1/general/rotate-pdf', {
    method: 'POST',
    body: form({ fileInput: filePart(fixture('text-two-pages.pdf')) }),
    headers: { 'idempotency-key': 'gone-1' },
    signal: aborter.signal,
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  aborter.abort();
  await assert.rejects(first);
  const retry = async (): Promise<Response> => {
    const response = await service.post(
      'general/rotate-pdf',
      form({ fileInput: filePart(fixture('text-two-pages.pdf')) }),
      {
        'idempotency-key': 'gone-1',
      },
    );
    return response.status === 409 ? retry() : response;
  };
  const response = await retry();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('idempotency-replayed'), null);
});

async function completedUpload(): Promise<string> {
  const bytes = await filePart(fixture('text-two-pages.pdf')).bytes();
  const begun = await service.fetch('/api/v1/uploads', {
    method: 'POST',
    body: JSON.stringify({ filename: 'up.pdf', size: bytes.length }),
  });
  const { id } = (await begun.json()) as { id: string };
  await service.fetch(`/api/v1/uploads/${id}/chunks/0`, { method: 'PUT', body: bytes });
  await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
  return id;
}

test('answers outlive a restart, also that for an upload which is used up', async () => {
  const id = await completedUpload();
  const withUpload = () =>
    service.post('general/rotate-pdf', form({ 'fileInput@upload': id, angle: '90' }), {
      'idempotency-key': 'up-1',
    });
  const first = await seen(await withUpload());
  assert.equal(first.status, 200);
  const refused = await seen(await rotate('kept-400', { angle: '91' }));
  assert.equal(await service.stop(), 0);
  service = await startService({ env: { BINDERY_ISOLATION: 'none' }, dataDir: service.dataDir });
  assert.deepEqual(await seen(await withUpload()), { ...first, replayed: 'true' });
  assert.deepEqual(await seen(await rotate('kept-400', { angle: '91' })), { ...refused, replayed: 'true' });
});
