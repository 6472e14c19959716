import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const CHUNK = 4096;
const env = {
  BINDERY_UPLOAD_CHUNK_BYTES: String(CHUNK),
  BINDERY_MAX_UPLOAD_BYTES: '1000000',
  BINDERY_MAX_UPLOADS: '3',
  BINDERY_UPLOAD_STORAGE_BYTES: '1500000',
};
let service: RunningService;
before(async () => {
  service = await startService({ env });
});
after(() => service.remove());

const document = readFileSync(fixture('text-two-pages.pdf'));
const chunk = (index: number) => new Uint8Array(document.subarray(index * CHUNK, (index + 1) * CHUNK));

interface Descriptor {
  id: string;
  chunkSize: number;
  chunkCount: number;
  maxBytes: number;
  expiresAt: string;
}

const post = (path: string, body?: unknown, headers = {}) =>
  service.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const begin = (body: unknown, headers = {}) => post('/api/v1/uploads', body, headers);
const put = (id: string, index: number | string, body: Uint8Array<ArrayBuffer>, headers = {}) =>
  service.fetch(`/api/v1/uploads/${id}/chunks/${index}`, { method: 'PUT', body, headers });
const complete = (id: string) => service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
const drop = (id: string, headers = {}) =>
  service.fetch(`/api/v1/uploads/${id}`, { method: 'DELETE', headers });

async function begun(size = document.length, filename = 'two pages.pdf'): Promise<Descriptor> {
  const response = await begin({ filename, size, contentType: 'application/pdf' });
  assert.equal(response.status, 201);
  return (await response.json()) as Descriptor;
}

async function uploaded(filename?: string): Promise<string> {
  const { id, chunkCount } = await begun(document.length, filename);
  for (let index = chunkCount - 1; index >= 0; index -= 1)
    assert.equal((await put(id, index, chunk(index))).status, 204);
  assert.equal((await complete(id)).status, 200);
  return id;
}

const rotate = (fields: Record<string, string>, headers = {}) =>
  service.post('general/rotate-pdf', form({ angle: '90', ...fields }), headers);

async function expectProblem(
  response: Response,
  status: number,
  reason: string,
  detail?: RegExp,
): Promise<void> {
  assert.equal(response.status, status);
  const problem = await problemOf(response);
  assert.equal(problem.reason, reason);
  if (detail) assert.match(problem.detail, detail);
}

test('an upload is begun, sent in any order and again, completed, used once and gone', async () => {
  const before = Date.now();
  const upload = await begun();
  assert.equal(upload.chunkSize, CHUNK);
  assert.equal(upload.chunkCount, Math.ceil(document.length / CHUNK));
  assert.equal(upload.maxBytes, 1_000_000);
  assert.ok(Math.abs(Date.parse(upload.expiresAt) - before - 3_600_000) < 60_000);

  assert.equal((await put(upload.id, 2, chunk(2))).status, 204);
  await expectProblem(await complete(upload.id), 400, 'upload_incomplete', /0, 1/);
  await expectProblem(await rotate({ 'fileInput@upload': upload.id }), 400, 'upload_incomplete');
  for (const index of [0, 1, 0]) assert.equal((await put(upload.id, index, chunk(index))).status, 204);
  for (let n = 0; n < 2; n += 1) {
    const completed = await complete(upload.id);
    assert.equal(completed.status, 200);
    assert.deepEqual(await completed.json(), {
      id: upload.id,
      filename: 'two pages.pdf',
      size: document.length,
    });
  }
  // "Chunks may be sent in any order and re-sent": the same bytes do no harm, others come too late.
  assert.equal((await put(upload.id, 0, chunk(0))).status, 204);
  const other = await put(upload.id, 0, chunk(0).fill(7));
  await expectProblem(other, 400, 'bad_request', /already complete/);

  const result = await rotate({ 'file@upload': upload.id });
  assert.equal(result.status, 200);
  assert.match(result.headers.get('content-disposition') ?? '', /filename="two pages_rotated\.pdf"/);
  const made = join(service.dataDir, 'made.pdf');
  writeFileSync(made, await result.bytes());
  assert.match(execFileSync('pdfinfo', [made], { encoding: 'utf8' }), /Page rot:\s+90/);
  await expectProblem(await rotate({ 'fileInput@upload': upload.id }), 404, 'upload_not_found');
  await expectProblem(await complete(upload.id), 404, 'upload_not_found');
});

test('a failed operation leaves the upload to be used again', async () => {
  const id = await uploaded();
  await expectProblem(await rotate({ 'fileInput@upload': id, angle: '91' }), 400, 'invalid_parameter');
  await expectProblem(await rotate({ 'fileInput@upload': id, pageNumbers: '99' }), 400, 'page_out_of_range');
  assert.equal((await rotate({ 'fileInput@upload': id })).status, 200);
});

test('two requests at once do not both use an upload', async () => {
  const id = await uploaded();
  const statuses = (await Promise.all([1, 2, 3].map(() => rotate({ 'fileInput@upload': id })))).map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses.sort(), [200, 404, 404]);
});

test('a pipeline uses up its upload', async () => {
  const id = await uploaded();
  const steps = JSON.stringify([{ op: 'general/rotate-pdf', params: { angle: 90 } }]);
  assert.equal((await service.post('pipeline', form({ 'fileInput@upload': id, steps }))).status, 200);
  await expectProblem(await rotate({ 'fileInput@upload': id }), 404, 'upload_not_found');
});

test("another key's upload does not exist", async () => {
  const id = await uploaded();
  const other = { 'x-api-key': await service.newKey({}) };
  await expectProblem(await rotate({ 'fileInput@upload': id }, other), 404, 'upload_not_found');
  await expectProblem(await put(id, 0, chunk(0), other), 404, 'upload_not_found');
  assert.equal((await drop(id, other)).status, 204);
  assert.equal((await drop(id)).status, 204);
});

test('deleting is 204, again and for an id that never was', async () => {
  const { id } = await begun();
  for (const one of [id, id, 'never-was']) assert.equal((await drop(one)).status, 204);
  await expectProblem(await put(id, 0, chunk(0)), 404, 'upload_not_found');
});

const DESCRIPTIONS: [unknown, number, string, RegExp][] = [
  [{}, 400, 'invalid_parameter', /^filename/],
  [{ filename: '', size: 1 }, 400, 'invalid_parameter', /^filename/],
  [{ filename: 7, size: 1 }, 400, 'invalid_parameter', /^filename/],
  [{ filename: 'a' }, 400, 'invalid_parameter', /^size/],
  [{ filename: 'a', size: 0 }, 400, 'invalid_parameter', /^size/],
  [{ filename: 'a', size: -5 }, 400, 'invalid_parameter', /^size/],
  [{ filename: 'a', size: 1.5 }, 400, 'invalid_parameter', /^size/],
  [{ filename: 'a', size: '10' }, 400, 'invalid_parameter', /^size/],
  [{ filename: 'a', size: 10, contentType: {} }, 400, 'invalid_parameter', /^contentType/],
  [[], 400, 'bad_request', /JSON object/],
  [{ filename: 'a', size: 1_000_001 }, 413, 'payload_too_large', /1000000/],
  [{ filename: 'a', size: 2 ** 63 }, 413, 'payload_too_large', /1000000/],
  [{ filename: 'a', size: 1e300 }, 413, 'payload_too_large', /1000000/],
];
for (const [body, status, reason, detail] of DESCRIPTIONS) {
  test(`${JSON.stringify(body)} is no upload: ${status} ${reason}`, async () => {
    await expectProblem(await begin(body), status, reason, detail);
  });
}

test('a body that is not JSON is 400', async () => {
  const response = await service.fetch('/api/v1/uploads', { method: 'POST', body: '{"filename":' });
  await expectProblem(response, 400, 'bad_request', /JSON object/);
});

test('a chunk of another size, or no chunk of the upload, is refused', async () => {
  const { id, chunkCount } = await begun();
  const short = new Uint8Array(10);
  const long = new Uint8Array(CHUNK + 1);
  await expectProblem(await put(id, 0, short), 400, 'invalid_parameter', /4096 bytes/);
  await expectProblem(await put(id, 0, long), 413, 'payload_too_large', /4096 bytes/);
  await expectProblem(await put(id, chunkCount - 1, chunk(0)), 413, 'payload_too_large');
  for (const index of [chunkCount, -1, '1.5', 'x', '99999999999']) {
    await expectProblem(await put(id, index, chunk(0)), 400, 'invalid_parameter', /^index/);
  }
  await expectProblem(await put('nothing', 0, chunk(0)), 404, 'upload_not_found');
  assert.equal((await drop(id)).status, 204);
});

/** Without Content-Length, and perhaps cut off. */
function putChunked(id: string, pieces: Uint8Array[], cut = false): Promise<number | 'broken'> {
  return new Promise((resolve) => {
    const { port } = new URL(service.url);
    const path = `/api/v1/uploads/${id}/chunks/0`;
    const sent = request({ port, path, method: 'PUT', headers: { 'x-api-key': service.key } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', () => resolve('broken'));
    for (const piece of pieces) sent.write(piece);
    if (cut) setTimeout(() => sent.destroy(), 100);
    else sent.end();
  });
}

test('chunked transfer is counted: too much 413, too little 400, a broken send counts for nothing', async () => {
  const { id } = await begun();
  assert.equal(await putChunked(id, [chunk(0), new Uint8Array(1)]), 413);
  assert.equal(await putChunked(id, [new Uint8Array(100)]), 400);
  assert.equal(await putChunked(id, [new Uint8Array(100)], true), 'broken');
  await expectProblem(await complete(id), 400, 'upload_incomplete', /0, 1, 2/);
  assert.equal(await putChunked(id, [chunk(0).subarray(0, 1000), chunk(0).subarray(1000)]), 204);
  await expectProblem(await complete(id), 400, 'upload_incomplete', /: 1, 2/);
  assert.equal((await drop(id)).status, 204);
});

test('too many uploads are 429, too much storage 507, both with Retry-After', async () => {
  const ids = [(await begun()).id, (await begun()).id, (await begun()).id];
  const fourth = await begin({ filename: 'a', size: 10 });
  assert.ok(Number(fourth.headers.get('retry-after')) > 0);
  await expectProblem(fourth, 429, 'upload_limit_reached');
  for (const id of ids) await drop(id);
  const large = await begun(900_000);
  const second = await begin({ filename: 'a', size: 900_000 });
  assert.ok(Number(second.headers.get('retry-after')) > 0);
  await expectProblem(second, 507, 'insufficient_storage');
  assert.equal((await drop(large.id)).status, 204);
});

test('uploads and what was sent of them outlive a restart', async () => {
  const whole = await uploaded('häuser.pdf');
  const half = await begun();
  assert.equal((await put(half.id, 0, chunk(0))).status, 204);
  assert.equal(await service.stop(), 0);
  service = await startService({ env, dataDir: service.dataDir });
  await expectProblem(await complete(half.id), 400, 'upload_incomplete', /: 1, 2/);
  for (const index of [1, 2]) assert.equal((await put(half.id, index, chunk(index))).status, 204);
  assert.equal((await complete(half.id)).status, 200);
  assert.equal((await rotate({ 'fileInput@upload': half.id })).status, 200);
  const result = await rotate({ 'fileInput@upload': whole });
  assert.match(result.headers.get('content-disposition') ?? '', /filename\*=UTF-8''h%C3%A4user_rotated\.pdf/);
});

test('after all this no file of a request or an upload is left', async () => {
  await service.post('general/rotate-pdf', form({ fileInput: filePart(fixture('text-two-pages.pdf')) }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(readdirSync(join(service.dataDir, 'uploads')), []);
  const work = join(service.dataDir, 'work');
  const left = readdirSync(work, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.split('/').length > 1,
  );
  assert.deepEqual(left, []);
});

test('an id of any length is unknown like any other', async () => {
  const id = 'a'.repeat(5000);
  assert.equal((await drop(id)).status, 204);
  for (const response of [await put(id, 0, chunk(0)), await complete(id)]) {
    assert.equal(response.status, 404);
    assert.equal((await problemOf(response)).reason, 'upload_not_found');
  }
});

test('no Content-Type, however odd, keeps an upload from working', async () => {
  const odd = { 'content-type': 'not a media type' };
  const response = await begin({ filename: 'a.pdf', size: document.length }, odd);
  assert.equal(response.status, 201);
  const { id } = (await response.json()) as Descriptor;
  assert.equal((await put(id, 0, chunk(0), odd)).status, 204);
  assert.equal((await drop(id, odd)).status, 204);
});
