// Files that come by address (`<field>@url`) and results that go to one (`resultUrl`).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { missing, pdfinfo, qpdfCheck } from '../../service/testing/oracles/programs.ts';
import { unzip } from '../../service/testing/oracles/reading.ts';
import { callTool } from '../agents.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const DOCUMENT = readFileSync(fixture('text-two-pages.pdf'));
const MOST_BYTES = 400_000;

interface Put {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let service: RunningService;
let store: Server;
let base: string;
const asked: string[] = [];
const puts: Put[] = [];
/** What the store waits for before it gives one file. */
const held = Promise.withResolvers<void>();
/** Slow files under way, and the most there were at once. */
let slow = 0;
let most = 0;

interface JobDocument {
  status: string;
  finishedAt: string | null;
  problem?: { reason: string; detail: string; step?: number; op?: string };
}

const ended = (id: string): Promise<JobDocument> =>
  until('the job has ended', async () => {
    const job = (await (await service.fetch(`/api/v1/jobs/${id}`)).json()) as JobDocument;
    return job.finishedAt !== null && job;
  });

async function upload(): Promise<string> {
  const described = JSON.stringify({ filename: 'upload.pdf', size: DOCUMENT.length });
  const made = await service.fetch('/api/v1/uploads', { method: 'POST', body: described });
  const { id } = (await made.json()) as { id: string };
  await service.fetch(`/api/v1/uploads/${id}/chunks/0`, { method: 'PUT', body: DOCUMENT });
  await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
  return id;
}

/** An object store as callers see it: gives files, takes them, leads on, fails. */
before(async () => {
  store = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    asked.push(pathname);
    if (request.method === 'PUT') {
      const body = Buffer.concat(await request.toArray());
      puts.push({ path: pathname, headers: request.headers, body });
      const earlier = puts.filter(({ path }) => path === pathname).length;
      if (pathname === '/moved') response.writeHead(307, { location: '/moved-here' }).end();
      else if (pathname === '/tired' && earlier < 3) response.writeHead(503).end();
      else response.writeHead(pathname === '/expired' ? 403 : 200).end('<Error>words of the store</Error>');
      return;
    }
    const disposition = searchParams.get('as');
    if (disposition) response.setHeader('content-disposition', disposition);
    if (pathname === '/held.pdf' && searchParams.size > 0) await held.promise;
    if (/^\/(?:slow|vain)-/.test(pathname)) {
      slow += 1;
      most = Math.max(most, slow);
      await new Promise((soon) => setTimeout(soon, 60));
      slow -= 1;
    }
    if (pathname === '/leads-on') response.writeHead(302, { location: '/inner/report.pdf' }).end();
    else if (pathname === '/missing') response.writeHead(404).end();
    else if (pathname === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(DOCUMENT);
    // Without a length, for longer than anybody would take it.
    else if (pathname === '/endless') {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more).on('error', () => {});
      more();
    } else if (pathname === '/large') response.writeHead(200, { 'content-length': 10 ** 9 }).end();
    else response.end(DOCUMENT);
  });
  await new Promise<void>((up) => store.listen(0, '127.0.0.1', up));
  const host = `127.0.0.1:${(store.address() as AddressInfo).port}`;
  base = `http://${host}`;
  service = await startService({
    env: {
      BINDERY_URL_ALLOW_HOSTS: host,
      BINDERY_MAX_REQUEST_BYTES: String(MOST_BYTES),
      BINDERY_UPLOAD_CHUNK_BYTES: '200000',
    },
  });
});
after(async () => {
  store.closeAllConnections();
  store.close();
  await service?.remove();
});

const rotate = (fields: Record<string, string | string[]>, headers: Record<string, string> = {}) =>
  service.post('general/rotate-pdf', form({ angle: '90', reproducible: 'true', ...fields }), headers);

const sent = () =>
  service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90', reproducible: 'true' }),
  );

const nameOf = (response: Response): string | undefined =>
  /filename\*=UTF-8''(.*)$/.exec(response.headers.get('content-disposition') ?? '')?.[1];

test('a file by address gives what the file itself does', async () => {
  const fetched = await rotate({ 'fileInput@url': `${base}/text-two-pages.pdf` });
  assert.equal(fetched.status, 200);
  const bytes = Buffer.from(await fetched.arrayBuffer());
  const direct = await sent();
  assert.ok(bytes.equals(Buffer.from(await direct.arrayBuffer())));
  assert.equal(nameOf(fetched), nameOf(direct));
  if (!missing('qpdf')) qpdfCheck(bytes);
  // As a form without files, by the other name of the field, and beside an empty file part.
  const plain = await service.fetch('/api/v1/general/rotate-pdf', {
    method: 'POST',
    body: new URLSearchParams({ 'file@url': `${base}/a.pdf`, angle: '90' }),
  });
  assert.equal(plain.status, 200);
  const empty = filePart(new Uint8Array(), '');
  const insisted = form({ fileInput: empty, 'fileInput@url': `${base}/a.pdf`, angle: '90' });
  assert.equal((await service.post('general/rotate-pdf', insisted)).status, 200);
});

test('its name is what the server calls it, cleaned; else the end of its path', async () => {
  const names: [disposition: string, name: string][] = [
    ['attachment; filename="plain.pdf"', 'plain'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''Stra%C3%9Fe%20%E2%82%AC.pdf`, 'Stra%C3%9Fe%20%E2%82%AC'],
    ['attachment; filename="../../etc/passwd.pdf"', 'passwd'],
    ['attachment; filename="..\\..\\boot.pdf"', 'boot'],
    ['attachment; filename="a%0d%0ab.pdf"', 'a%250d%250ab'],
    ['attachment', 'deep'],
  ];
  for (const [disposition, name] of names) {
    const url = `${base}/inner/deep.pdf?as=${encodeURIComponent(disposition)}`;
    assert.equal(nameOf(await rotate({ 'fileInput@url': url })), `${name}_rotated.pdf`, disposition);
  }
  assert.equal(nameOf(await rotate({ 'fileInput@url': `${base}/leads-on` })), 'report_rotated.pdf');
});

test('addresses stand wherever uploads do: several of them, in steps, beside parts', async () => {
  const merged = await service.post(
    'general/merge-pdfs',
    form({
      fileInput: filePart(fixture('text-two-pages.pdf')),
      'fileInput@url': [`${base}/b.pdf`, `${base}/c.pdf`],
    }),
  );
  assert.equal(merged.status, 200);
  if (!missing('pdfinfo')) assert.equal(pdfinfo(Buffer.from(await merged.arrayBuffer())).Pages, '6');
  const steps = [{ op: 'general/overlay-pdfs', params: { 'overlayFiles@url': `${base}/o.pdf` } }];
  const piped = form({ 'fileInput@url': `${base}/a.pdf`, steps: JSON.stringify(steps) });
  assert.equal((await service.post('pipeline', piped)).status, 200);
  assert.ok(asked.includes('/o.pdf'));
  const called = await callTool(service, 'pdf_pipeline', { file: `${base}/a.pdf`, steps });
  assert.ok(!called.isError, called.content[0]?.text);
  const misplaced = [{ op: 'general/rotate-pdf', params: { 'fileInput@url': `${base}/a.pdf` } }];
  const refused = form({ 'fileInput@url': `${base}/a.pdf`, steps: JSON.stringify(misplaced) });
  assert.match(
    (await problemOf(await service.post('pipeline', refused))).detail,
    /does not belong in a step/,
  );
});

test('an asynchronous call is accepted before its files are fetched, and fails where they cannot be', async () => {
  const asynchronous = { prefer: 'respond-async' };
  const accepted = await rotate({ 'fileInput@url': `${base}/held.pdf?X-Signature=s3cr3t` }, asynchronous);
  assert.equal(accepted.status, 202);
  const { id } = (await accepted.json()) as { id: string };
  held.resolve();
  const { status } = await ended(id);
  assert.equal(status, 'succeeded');
  const result = await service.fetch(`/api/v1/jobs/${id}/result`);
  const direct = await rotate({ 'fileInput@url': `${base}/held.pdf` });
  assert.equal(nameOf(result), 'held_rotated.pdf');
  assert.ok(
    Buffer.from(await result.arrayBuffer()).equals(Buffer.from(await direct.arrayBuffer())),
    'the very answer',
  );
  const steps = [{ op: 'general/overlay-pdfs', params: { 'overlayFiles@url': `${base}/missing` } }];
  const piped = form({ 'fileInput@url': `${base}/a.pdf`, steps: JSON.stringify(steps) });
  const refused = (await (await service.post('pipeline', piped, asynchronous)).json()) as { id: string };
  const { problem } = await ended(refused.id);
  assert.deepEqual([problem?.reason, problem?.step, problem?.op], ['url_fetch_failed', 0, steps[0]?.op]);
  assert.match(problem?.detail ?? '', /^overlayFiles@url: .* answered 404/);
  const tooLarge = await rotate({ 'fileInput@url': `${base}/endless` }, { prefer: 'respond-async, wait=30' });
  assert.equal((await problemOf(tooLarge)).reason, 'payload_too_large');
  // What may not be reached is a fault of the request.
  const inward = await rotate({ 'fileInput@url': 'http://127.0.0.1:1/' }, asynchronous);
  assert.match((await problemOf(inward)).detail, /^fileInput@url: /);
});

test('a batch of parts, uploads and addresses: each by itself, several at once, whatever becomes of the others', async () => {
  const uploaded = await upload();
  const body = form({
    operation: 'general/rotate-pdf',
    angle: '90',
    reproducible: 'true',
    fileInput: [
      filePart(fixture('text-two-pages.pdf'), 'part.pdf'),
      filePart(Buffer.from('no pdf'), 'b.pdf'),
    ],
    'fileInput@upload': uploaded,
    'fileInput@url': [
      `${base}/c.pdf`,
      `${base}/missing`,
      `http://nowhere.invalid/x.pdf?t=s3cr3t`,
      `${base}/d.pdf`,
    ],
  });
  const { id } = (await (await service.post('batch', body)).json()) as { id: string };
  assert.equal((await ended(id)).status, 'succeeded');
  const zip = Buffer.from(await (await service.fetch(`/api/v1/jobs/${id}/result`)).arrayBuffer());
  const entries = await unzip(zip);
  const { files, succeeded } = JSON.parse(String(entries['manifest.json']));
  const told = files.map(({ file, status, result, problem }: Record<string, unknown>) => [
    file,
    status,
    result ?? (problem as { reason: string }).reason,
  ]);
  assert.deepEqual(told, [
    ['part.pdf', 'succeeded', 'part_rotated.pdf'],
    ['b.pdf', 'failed', 'invalid_pdf'],
    ['upload.pdf', 'succeeded', 'upload_rotated.pdf'],
    ['c.pdf', 'succeeded', 'c_rotated.pdf'],
    ['missing', 'failed', 'url_fetch_failed'],
    ['x.pdf', 'failed', 'url_fetch_failed'],
    ['d.pdf', 'succeeded', 'd_rotated.pdf'],
  ]);
  assert.equal(succeeded, 4);
  const direct = Buffer.from(await (await sent()).arrayBuffer());
  for (const name of ['part', 'upload', 'c', 'd'])
    assert.ok(entries[`${name}_rotated.pdf`]?.equals(direct), name);
  assert.doesNotMatch(String(entries['manifest.json']), /s3cr3t/);
  const many = {
    'fileInput@url': Array(501).fill(`${base}/e.pdf`) as string[],
    operation: 'general/rotate-pdf',
  };
  assert.match(
    (await problemOf(await service.post('batch', form(many)))).detail,
    /1 to 500 .*; 501 were sent/,
  );
  assert.ok(!asked.includes('/e.pdf'));
});

test('files of a call are fetched several at once, and of those that are in vain no more than were begun', async () => {
  most = 0;
  const urls = Array.from({ length: 8 }, (_, n) => `${base}/slow-${n}.pdf`);
  const merged = await service.post('general/merge-pdfs', form({ 'fileInput@url': urls }));
  assert.equal(merged.status, 200);
  assert.ok(most > 1 && most <= 4, `${most} at once`);
  const vain = [`${base}/missing`, ...Array.from({ length: 20 }, (_, n) => `${base}/vain-${n}.pdf`)];
  const failed = await service.post('general/merge-pdfs', form({ 'fileInput@url': vain }));
  assert.equal((await problemOf(failed)).reason, 'url_fetch_failed');
  assert.ok(asked.filter((path) => path.startsWith('/vain-')).length < 8);
});

test('what cannot be fetched is told with the field, and without the address', async () => {
  const refusals: [path: string, status: number, reason: string, detail: RegExp][] = [
    ['/missing', 422, 'url_fetch_failed', /^fileInput@url: .* answered 404/],
    ['/packed', 422, 'url_fetch_failed', /^fileInput@url: .*packed/],
    ['/endless', 413, 'payload_too_large', /400000 bytes/],
    ['/large', 413, 'payload_too_large', /400000 bytes/],
  ];
  for (const [path, status, reason, detail] of refusals) {
    const problem = await problemOf(await rotate({ 'fileInput@url': `${base}${path}?token=s3cr3t` }));
    assert.deepEqual([problem.status, problem.reason], [status, reason], path);
    assert.match(problem.detail, detail);
    assert.doesNotMatch(JSON.stringify(problem), /s3cr3t/);
  }
  const long = await problemOf(await rotate({ 'fileInput@url': `${base}/${'x'.repeat(9000)}` }));
  assert.equal(long.reason, 'invalid_parameter');
  // Several files that are each small enough are counted together.
  const many = form({ 'fileInput@url': Array(200).fill(`${base}/a.pdf`) as string[] });
  const tooMuch = await problemOf(await service.post('general/merge-pdfs', many));
  assert.equal(tooMuch.reason, DOCUMENT.length * 200 > MOST_BYTES ? 'payload_too_large' : 'never');
  assert.doesNotMatch(service.output(), /s3cr3t/);
});

test('the address is part of what makes two requests the same', async () => {
  const headers = { 'idempotency-key': 'by-address' };
  const first = await rotate({ 'fileInput@url': `${base}/one.pdf` }, headers);
  assert.equal(first.status, 200);
  const again = await rotate({ 'fileInput@url': `${base}/one.pdf` }, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(asked.filter((path) => path === '/one.pdf').length, 1);
  const other = await problemOf(await rotate({ 'fileInput@url': `${base}/two.pdf` }, headers));
  assert.equal(other.reason, 'idempotency_key_reused');
  assert.ok(!asked.includes('/two.pdf'));
});

test('a result goes where the caller said, as a whole, and the answer tells of it', async () => {
  const direct = await sent();
  const bytes = Buffer.from(await direct.arrayBuffer());
  const file = { 'fileInput@url': `${base}/text-two-pages.pdf` };
  for (const path of ['/bucket/out.pdf', '/moved', '/tired']) {
    const answer = await rotate({ ...file, resultUrl: `${base}${path}?X-Signature=s3cr3t` });
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const told = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual(told, {
      filename: 'text-two-pages_rotated.pdf',
      mediaType: 'application/pdf',
      size: bytes.length,
      status: 200,
      location: `${base}${path}`,
    });
    const put = puts.at(-1);
    assert.ok(put, path);
    assert.ok(put.body.equals(bytes), path);
    assert.equal(put.headers['content-type'], 'application/pdf');
    assert.equal(put.headers['content-length'], String(bytes.length));
  }
  assert.equal(puts.filter(({ path }) => path === '/tired').length, 3);
  const json = await service.post(
    'analysis/page-count',
    form({ 'fileInput@url': `${base}/a.pdf`, resultUrl: `${base}/count.json` }),
  );
  assert.equal(((await json.json()) as { mediaType: string }).mediaType, 'application/json');
  assert.deepEqual(JSON.parse(String(puts.at(-1)?.body)), { pageCount: 2 });
  assert.doesNotMatch(service.output(), /s3cr3t/);
});

test('a delivery that fails is a problem of its own, is not replayed, and keeps the upload', async () => {
  const headers = { 'idempotency-key': 'delivered' };
  const fields = {
    'fileInput@url': `${base}/a.pdf`,
    resultUrl: `${base}/expired?X-Signature=s3cr3t`,
  };
  const problem = await problemOf(await rotate(fields, headers));
  assert.deepEqual([problem.status, problem.reason], [422, 'delivery_failed']);
  assert.match(problem.detail, /^resultUrl: .* answered 403 to the PUT/);
  assert.doesNotMatch(JSON.stringify(problem), /s3cr3t|words of the store/);
  const before = puts.length;
  assert.equal((await problemOf(await rotate(fields, headers))).reason, 'delivery_failed');
  assert.equal(puts.length, before + 1);
  // Of a call that fails nothing is put.
  const failed = await problemOf(await rotate({ ...fields, angle: '91' }));
  assert.equal(failed.reason, 'invalid_parameter');
  assert.equal(puts.length, before + 1);
  const gone = await problemOf(await rotate({ ...fields, resultUrl: 'http://127.0.0.1:1/' }));
  assert.equal(gone.reason, 'url_not_allowed');
  assert.match(gone.detail, /^resultUrl: /);
  assert.doesNotMatch(service.output(), /s3cr3t/);
});
