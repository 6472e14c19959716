// Files the service fetches, results it puts, and whom it tells of the end, against a real service and a real store.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type RunningService, startService } from '../../test/service.ts';
import { Bindery, BinderyError, FileAddress } from './index.ts';

const TWO_PAGES = new URL('../../fixtures/text-two-pages.pdf', import.meta.url);
const SECRET = Buffer.alloc(32, 7).toString('base64');
const HOOK_MS = 15_000;

let service: RunningService;
let bindery: Bindery;
let store: Server;
let base: string;
const put = new Map<string, Buffer>();
let message: { headers: IncomingHttpHeaders; body: string } | undefined;

before(async () => {
  store = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { pathname } = new URL(request.url ?? '', 'http://store');
    if (request.method === 'PUT') put.set(pathname, body);
    if (request.method === 'POST') message = { headers: request.headers, body: String(body) };
    response.end(request.method === 'GET' ? readFileSync(TWO_PAGES) : '');
  });
  await new Promise<void>((up) => store.listen(0, '127.0.0.1', up));
  const { port } = store.address() as { port: number };
  base = `http://127.0.0.1:${port}`;
  service = await startService({ env: { BINDERY_URL_ALLOW_HOSTS: `127.0.0.1:${port}` } });
  bindery = new Bindery({ baseUrl: service.url, apiKey: service.key });
});
after(async () => {
  store?.close();
  await service?.remove();
});

const pagesOf = (document: Buffer): string =>
  /Pages: +(\d+)/.exec(execFileSync('pdfinfo', ['-'], { input: document, encoding: 'utf8' }))?.[1] ?? '';

const failed = async (call: Promise<unknown>): Promise<BinderyError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, String(error));
  return error;
};

test('the service fetches files and puts results; neither passes through the caller', async () => {
  const there = new FileAddress(`${base}/in.pdf?signature=secret`);
  const merged = await bindery.general.mergePdfs(
    [there, TWO_PAGES],
    {},
    { resultUrl: `${base}/out.pdf?signature=secret` },
  );
  const told = await merged.delivered();
  const sent = put.get('/out.pdf') ?? Buffer.alloc(0);
  assert.deepEqual(
    [told.location, told.status, told.mediaType, told.size],
    [`${base}/out.pdf`, 200, 'application/pdf', sent.length],
  );
  assert.equal(pagesOf(sent), '4');
  // In a step of a pipeline, too.
  const piped = await bindery
    .pipeline(there)
    .step('general/overlay-pdfs', { overlayFiles: [there], overlayMode: 'SequentialOverlay' })
    .run();
  assert.equal(pagesOf(Buffer.from(await piped.bytes())), '2');
  assert.deepEqual(await bindery.analysis.pageCount(there), { pageCount: 2 });
});

test('whoever is named is told of the end, signed as promised', async () => {
  const options = { webhookUrl: `${base}/hook`, webhookSecret: SECRET };
  const job = await bindery.jobs.start('analysis/page-count', { fileInput: TWO_PAGES }, {}, options);
  const until = Date.now() + HOOK_MS;
  while (message === undefined && Date.now() < until) await pause(50);
  const told = new Webhook(SECRET).verify(
    message?.body ?? '',
    (message?.headers ?? {}) as Record<string, string>,
  ) as { id: string; status: string };
  assert.deepEqual([told.id, told.status], [job.id, 'succeeded']);
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await bindery.jobs.get(job.id)).webhook?.status === 'delivered') return;
    await pause(50);
  }
  assert.fail('the job does not tell that the message was delivered');
});

test('what has no meaning is refused before anything is sent', async () => {
  const waiting = await failed(bindery.general.mergePdfs([TWO_PAGES], {}, { webhookUrl: `${base}/hook` }));
  assert.match(waiting.message, /calls in the background/);
  const unsigned = { background: true, webhookSecret: SECRET };
  assert.match((await failed(bindery.analysis.pageCount(TWO_PAGES, {}, unsigned))).message, /webhookUrl/);
  const elsewhere = { resultUrl: `${base}/count.json` };
  assert.match(
    (await failed(bindery.analysis.pageCount(TWO_PAGES, {}, elsewhere))).hint ?? '',
    /bindery\.call/,
  );
  assert.equal((await failed(bindery.upload(new FileAddress(`${base}/in.pdf`)))).reason, 'invalid_parameter');
  assert.throws(() => new FileAddress('in.pdf'), /http or https/);
  const inside = await failed(bindery.analysis.pageCount(new FileAddress('http://127.0.0.2/in.pdf')));
  assert.equal(inside.status, 400, inside.message);
});
