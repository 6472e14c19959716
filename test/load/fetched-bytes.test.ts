// What is fetched for callers goes to disk, piece by piece, and is bounded for each call and for all: pages of large
// images and many large files by address do not fill the memory of the process that serves everybody.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { probeEngines } from '../../service/src/engines/load.ts';
import { memoryOf, until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const MB = 1024 ** 2;
const LARGE = 49 * MB;
const IMAGES = 150;
const FILES = 60;
/** What one process may grow by, however much is fetched through it. */
const GROWTH = 250 * MB;

const { browser: BROWSER } = await probeEngines();

let site: Server;
let service: RunningService;
let sent = 0;
let port = 0;

/** Answers are made as they are read: nothing large is held here. */
function startSite(): Promise<void> {
  const piece = Buffer.alloc(256 * 1024, 'x');
  site = createServer((request, response) => {
    if (request.url === '/page') {
      const images = Array.from({ length: IMAGES }, (_, i) => `<img src="/picture-${i}">`).join('');
      response.setHeader('content-type', 'text/html').end(`<!doctype html><p>Pictures</p>${images}`);
      return;
    }
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': LARGE });
    let left = LARGE;
    const more = (): void => {
      while (left > 0) {
        const next = left >= piece.length ? piece : piece.subarray(0, left);
        left -= next.length;
        sent += next.length;
        if (!response.write(next)) return;
      }
      response.end();
    };
    response.on('drain', more).on('error', () => {});
    more();
  });
  return new Promise((listening) => {
    site.listen(0, '127.0.0.1', () => {
      port = (site.address() as AddressInfo).port;
      listening();
    });
  });
}

before(async () => {
  await startSite();
  service = await startService({
    env: {
      BINDERY_URL_ALLOW_HOSTS: `127.0.0.1:${port}`,
      BINDERY_WORKERS: '2',
      BINDERY_RATE_LIMIT: '100000',
      BINDERY_MCP_PATIENCE_MS: '600000',
    },
  });
});
after(async () => {
  site.closeAllConnections();
  site.close();
  await service?.remove();
});

/** The most memory the API process has while `work` goes on, and how long others wait for an answer meanwhile. */
async function watched<T>(work: Promise<T>): Promise<{ done: T; growth: number; slowestMs: number }> {
  const pid = service.apiPid();
  const before = memoryOf(pid, 'VmRSS');
  let most = before;
  let slowestMs = 0;
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  const look = async (): Promise<void> => {
    while (!over) {
      most = Math.max(most, memoryOf(pid, 'VmRSS'));
      const begun = performance.now();
      const answer = await service.fetch('/api/v1/info/health');
      assert.equal(answer.status, 200);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      await new Promise((next) => setTimeout(next, 20));
    }
  };
  const [done] = await Promise.all([ended, look()]);
  return { done, growth: most - before, slowestMs };
}

const leftovers = (): string[] =>
  readdirSync(join(service.dataDir, 'work', 'incoming')).filter((name) => name.startsWith('fetched-'));

test('a page of 150 images of 49 MB is refused, and the service stays small', {
  skip: BROWSER.missing ?? false,
}, async (t) => {
  const call = service.post('convert/url/pdf', form({ urlInput: `http://127.0.0.1:${port}/page` }));
  const { done, growth, slowestMs } = await watched(call);
  t.diagnostic(`grew by ${Math.round(growth / MB)} MB; others waited ${Math.round(slowestMs)} ms at most`);
  assert.equal(done.status, 422);
  const problem = await problemOf(done);
  assert.equal(problem.reason, 'url_fetch_failed');
  assert.match(problem.detail, /more than 50 MB/);
  assert.ok(growth < GROWTH, `grew by ${growth} bytes`);
  assert.deepEqual(
    await until('nothing is left of what was fetched', () => leftovers().length === 0 && 'gone'),
    'gone',
  );
});

test('60 files of 49 MB that agents name by address go to disk', async (t) => {
  sent = 0;
  const call = async (): Promise<string> => {
    const response = await service.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'pdf_analyze',
          arguments: { operation: 'page-count', file: `http://127.0.0.1:${port}/file` },
        },
      }),
    });
    return response.text();
  };
  const { done, growth, slowestMs } = await watched(Promise.all(Array.from({ length: FILES }, call)));
  t.diagnostic(
    `${Math.round(sent / MB)} MB came, grew by ${Math.round(growth / MB)} MB; others waited ${Math.round(slowestMs)} ms at most`,
  );
  assert.ok(growth < GROWTH, `grew by ${growth} bytes`);
  // Each file came as a whole and was found to be no PDF, or its caller was told why it did not.
  const reasons = done.map((text) => /Reason: (\w+)/.exec(text)?.[1] ?? text);
  t.diagnostic(
    [...new Set(reasons)].map((one) => `${one} ${reasons.filter((each) => each === one).length}`).join(', '),
  );
  for (const reason of reasons)
    assert.match(
      reason,
      /^(?:invalid_pdf|unsupported_media_type|url_fetch_failed|unavailable|deadline_exceeded)$/,
    );
  const served = await service.post(
    'general/rotate-pdf',
    form({ fileInput: filePart(fixture('everything.pdf')), angle: '90' }),
  );
  assert.equal(served.status, 200);
});

test('files by address are bounded for each call', async () => {
  const response = await service.fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'pdf_pages',
        arguments: {
          operation: 'merge-pdfs',
          files: { fileInput: Array(100).fill(`http://127.0.0.1:${port}/file`) },
        },
      },
    }),
  });
  assert.match(await response.text(), /payload_too_large/);
});
