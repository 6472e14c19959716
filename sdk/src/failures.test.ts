// Failures with a server of the test's own: connections that break, files that change, addresses that lead elsewhere.
import assert from 'node:assert/strict';
import { appendFileSync, chmodSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Bindery, BinderyError, type CallOptions, type FileSource } from './index.ts';

const PDF_HEADERS = {
  'content-type': 'application/pdf',
  'content-disposition': 'attachment; filename="made.pdf"',
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-failures-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (address: string, bindery: Bindery) => Promise<void>,
): Promise<void> {
  const server: Server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(address, new Bindery({ baseUrl: address, apiKey: 'secret-key', retries: 0 }));
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, `${error}`);
  return error.code;
}

test('a file that changes after it was opened is unreadable, and the program lives on', async () => {
  const path = join(folder, 'changing.pdf');
  await writeFile(path, Buffer.alloc(2_000_000, '%'));
  await withServer(
    (request, response) => {
      request.resume();
      if (request.url?.endsWith('/info/status')) {
        appendFileSync(path, 'more');
        response.end(JSON.stringify({ maxUploadBytes: 100_000_000 }));
      } else request.on('end', () => response.writeHead(200, PDF_HEADERS).end('%PDF'));
    },
    async (_address, bindery) =>
      assert.equal(await codeOf(bindery.general.rotatePdf(path)), 'input_unreadable'),
  );
});

test('a file that may not be read is unreadable', {
  skip: process.getuid?.() === 0 && 'root may',
}, async () => {
  const path = join(folder, 'private.pdf');
  await writeFile(path, '%PDF');
  chmodSync(path, 0);
  const bindery = new Bindery({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' });
  assert.equal(await codeOf(bindery.general.rotatePdf(path)), 'input_unreadable');
});

test('what is no document at all', async () => {
  const bindery = new Bindery({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' });
  for (const wrong of [5, true, { name: 'a.pdf', content: 5 }, {}]) {
    assert.equal(
      await codeOf(bindery.general.rotatePdf(wrong as unknown as FileSource)),
      'input_unreadable',
      JSON.stringify(wrong),
    );
  }
});

test('a redirect is not followed, and nobody else sees the key', async () => {
  const seen: string[] = [];
  await withServer(
    (request, response) => {
      seen.push(String(request.headers['x-api-key']));
      response.writeHead(200, PDF_HEADERS).end('%PDF');
    },
    (elsewhere) =>
      withServer(
        (request, response) => {
          request.resume();
          response.writeHead(307, { location: `${elsewhere}/taken` }).end();
        },
        async (_address, bindery) => {
          const call = bindery.general.rotatePdf(new Blob(['%PDF']));
          assert.equal(await codeOf(call), 'bad_response');
        },
      ),
  );
  assert.deepEqual(seen, []);
});

describe('a refusal is repeated only where that may help', () => {
  const cases: [reason: string, calls: number][] = [
    ['unavailable', 2],
    ['missing_dependency', 1],
    ['deadline_exceeded', 1],
    ['memory_exceeded', 1],
  ];
  for (const [reason, calls] of cases) {
    test(reason, async () => {
      let seen = 0;
      await withServer(
        (request, response) => {
          seen += 1;
          request.resume();
          const problem = { code: 'unavailable', reason, detail: 'no', status: 503 };
          response
            .writeHead(503, { 'content-type': 'application/problem+json' })
            .end(JSON.stringify(problem));
        },
        async (baseUrl) => {
          const bindery = new Bindery({ baseUrl, apiKey: 'k', retries: 1 });
          assert.equal(await codeOf(bindery.general.rotatePdf(new Blob(['%PDF']))), 'unavailable');
        },
      );
      assert.equal(seen, calls);
    });
  }
});

test('names of results lead nowhere', async () => {
  const cases = {
    "attachment; filename*=UTF-8''..%2F..%2Fevil.pdf": 'evil.pdf',
    'attachment; filename="/etc/evil.pdf"': 'evil.pdf',
    'attachment; filename="C:\\\\evil.pdf"': 'evil.pdf',
    'attachment; filename=".."': 'result.pdf',
    "attachment; filename*=UTF-8''%1B%5B2Ja%0Ab.pdf": '[2Jab.pdf',
  };
  for (const [disposition, name] of Object.entries(cases)) {
    await withServer(
      (request, response) => {
        request.resume();
        response.writeHead(200, { ...PDF_HEADERS, 'content-disposition': disposition }).end('%PDF');
      },
      async (_address, bindery) =>
        assert.equal((await bindery.general.rotatePdf(new Blob(['%PDF']))).filename, name),
    );
  }
});

test('what is no address, and what no header can carry, is told at once', () => {
  assert.throws(() => new Bindery({ baseUrl: 'localhost:8080', apiKey: 'k' }), /no address of a service/);
  assert.throws(() => new Bindery({ baseUrl: 'nonsense', apiKey: 'k' }), /no address of a service/);
  assert.throws(() => new Bindery({ baseUrl: 'http://localhost', apiKey: 'ключ' }), /API key/);
});

describe('a result that breaks off fails with an error of ours, however it is read', () => {
  const half = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { ...PDF_HEADERS, 'content-length': '1000000' }).write('%PDF');
    setTimeout(() => response.destroy(), 100);
  };
  const stalled = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { ...PDF_HEADERS, 'content-length': '1000000' }).write('%PDF');
  };
  const readAs = {
    bytes: async (made: Awaited<ReturnType<Bindery['general']['rotatePdf']>>) => made.bytes(),
    stream: async (made: Awaited<ReturnType<Bindery['general']['rotatePdf']>>) => {
      for await (const piece of made.stream()) assert.ok(piece.length > 0);
    },
    save: async (made: Awaited<ReturnType<Bindery['general']['rotatePdf']>>) =>
      made.save(join(folder, 'never.pdf')),
  };
  for (const [way, read] of Object.entries(readAs)) {
    test(way, async () => {
      const call = async (bindery: Bindery, options: CallOptions) =>
        read(await bindery.general.rotatePdf(new Blob(['%PDF']), {}, options));
      await withServer(half, async (_address, bindery) =>
        assert.equal(await codeOf(call(bindery, {})), 'network_error'),
      );
      await withServer(stalled, async (_address, bindery) =>
        assert.equal(await codeOf(call(bindery, { timeoutMs: 200 })), 'timeout'),
      );
    });
  }
});

describe('a source that brings nothing is left when the call ends', () => {
  const sources: Record<string, (address: string) => FileSource> = {
    'an address': (address) => new URL(`${address}/slow.pdf`),
    'a stream': () => new ReadableStream<Uint8Array>(),
  };
  for (const [name, source] of Object.entries(sources)) {
    test(name, () =>
      withServer(
        (_request, response) => void response.writeHead(200).write('%PDF'),
        async (address, bindery) => {
          const timed = bindery.general.rotatePdf(source(address), {}, { timeoutMs: 200 });
          assert.equal(await codeOf(timed), 'timeout');
          const uploaded = bindery.upload(source(address), { signal: AbortSignal.timeout(200) });
          assert.equal(await codeOf(uploaded), 'cancelled');
        },
      ),
    );
  }
});
