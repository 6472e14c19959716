import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type RunningService, startService } from '../../test/service.ts';
import { Bindery, BinderyError, type FileSource } from './index.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const TWO_PAGES = new URL('text-two-pages.pdf', FIXTURES);

let service: RunningService;
let bindery: Bindery;
let folder: string;

before(async () => {
  service = await startService({
    env: { BINDERY_MAX_REQUEST_BYTES: '3000000', BINDERY_UPLOAD_CHUNK_BYTES: '262144' },
  });
  bindery = new Bindery({ baseUrl: service.url, apiKey: service.key });
  folder = await mkdtemp(join(tmpdir(), 'bindery-sdk-'));
});
after(async () => {
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

const pagesOf = async (source: FileSource): Promise<number> =>
  (await bindery.analysis.pageCount(source)).pageCount;

/** A document of this many bytes; what follows its end is no part of it. */
async function paddedTo(bytes: number): Promise<Buffer> {
  const small = await readFile(TWO_PAGES);
  return Buffer.concat([small, Buffer.alloc(bytes - small.length, '\n')]);
}

const failed = async (call: Promise<unknown>): Promise<BinderyError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, String(error));
  return error;
};

describe('documents may be', () => {
  const path = () => decodeURIComponent(TWO_PAGES.pathname);
  const cases: Record<string, () => FileSource | Promise<FileSource>> = {
    'a path': path,
    'a file URL': () => TWO_PAGES,
    bytes: () => readFile(TWO_PAGES),
    'an ArrayBuffer': async () => new Uint8Array(await readFile(TWO_PAGES)).buffer,
    'a Blob': async () => new Blob([await readFile(TWO_PAGES)]),
    'a File': async () => new File([await readFile(TWO_PAGES)], 'two.pdf'),
    "Node's stream": () => createReadStream(TWO_PAGES),
    'a web stream': async () => new Blob([await readFile(TWO_PAGES)]).stream(),
    'content with a name': async () => ({ name: 'two.pdf', content: await readFile(TWO_PAGES) }),
    'an upload': () => bindery.upload(TWO_PAGES),
  };
  for (const [name, source] of Object.entries(cases)) {
    test(name, async () => assert.equal(await pagesOf(await source()), 2));
  }

  test('an address that this machine fetches', async () => {
    const web = createServer((_request, response) => createReadStream(TWO_PAGES).pipe(response));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = web.address() as AddressInfo;
      assert.equal(await pagesOf(new URL(`http://127.0.0.1:${port}/some%20file.pdf`)), 2);
    } finally {
      web.close();
    }
  });

  test('one Blob under several names', async () => {
    const content = new Blob([await readFile(TWO_PAGES)]);
    const names = ['one "1".pdf', 'zwei ä.pdf'];
    const made = await bindery
      .pipeline(names.map((name) => ({ name, content })))
      .step('general/rotate-pdf')
      .run();
    const zip = Buffer.from(await made.bytes()).toString('utf8');
    assert.match(zip, /one "1"_rotated\.pdf/);
    assert.match(zip, /zwei ä_rotated\.pdf/);
  });

  test('streams leave nothing behind', async () => {
    await pagesOf(createReadStream(TWO_PAGES));
    assert.deepEqual(
      (await readdir(tmpdir())).filter((name) => /^bindery-[A-Za-z0-9]{6}$/.test(name)),
      [],
    );
  });
});

describe('results', () => {
  test('come with the name the service gives', async () => {
    const result = await bindery.general.rotatePdf(
      { name: 'Überweisung.pdf', content: await readFile(TWO_PAGES) },
      { angle: 90 },
    );
    assert.equal(result.filename, 'Überweisung_rotated.pdf');
    assert.equal(result.mediaType, 'application/pdf');
    assert.equal((await result.bytes()).length, result.size);
  });

  test('are saved whole, and an existing file stays unless asked for', async () => {
    const path = join(folder, 'rotated.pdf');
    await (await bindery.general.rotatePdf(TWO_PAGES, { angle: 180 })).save(path);
    assert.equal(await pagesOf(path), 2);
    const again = await bindery.general.rotatePdf(TWO_PAGES, { angle: 90 });
    const refused = await failed(again.save(path));
    assert.match(refused.message, /rotated\.pdf cannot be written: it exists already\.$/);
    const asked = await bindery.general.rotatePdf(TWO_PAGES, { angle: 90 });
    await asked.save(path, { overwrite: true });
    const nowhere = await bindery.general.rotatePdf(TWO_PAGES, { angle: 90 });
    const lost = await failed(nowhere.save(join(folder, 'no', 'such', 'a.pdf')));
    assert.match(lost.message, /such\/a\.pdf cannot be written: there is no such file or folder\.$/);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('.part')),
      [],
    );
  });

  test('are read once', async () => {
    const result = await bindery.general.rotatePdf(TWO_PAGES, { angle: 90 });
    await result.bytes();
    await assert.rejects(result.text(), TypeError);
  });

  test('lists, pages and JSON go as the service wants them', async () => {
    const merged = await bindery.general.mergePdfs([
      TWO_PAGES,
      TWO_PAGES,
      new URL('form-fields.pdf', FIXTURES),
    ]);
    const kept = await bindery.general.rearrangePages(await merged.blob(), {
      pageNumbers: [4, 1, 2],
      customMode: 'CUSTOM',
    });
    const bytes = await kept.bytes();
    assert.equal(await pagesOf(bytes), 3);
    const toc = await bindery.general.editTableOfContents(bytes, {
      bookmarkData: [{ title: 'One', pageNumber: 1, children: [] }],
    });
    const [first] = await bindery.general.extractBookmarks(await toc.bytes());
    assert.equal(first?.title, 'One');
  });

  test('secondary files are parameters', async () => {
    const attachment = join(folder, 'note.txt');
    await writeFile(attachment, 'attached');
    const result = await bindery.misc.addAttachments(TWO_PAGES, { attachments: [attachment] });
    const attachments = await bindery.misc.listAttachments(await result.bytes());
    assert.deepEqual(
      attachments.map(({ filename }) => filename),
      ['note.txt'],
    );
  });
});

describe('failures', () => {
  const cases: [name: string, call: () => Promise<unknown>, code: string, reason: string][] = [
    ['no document', () => pagesOf(Buffer.from('no pdf')), 'invalid_document', 'invalid_pdf'],
    [
      'a bad value',
      () => bindery.general.rotatePdf(TWO_PAGES, { angle: 45 as 90 }),
      'bad_request',
      'invalid_parameter',
    ],
    ['no such file', () => pagesOf('/nowhere/there.pdf'), 'input_unreadable', 'input_unreadable'],
    ['a folder', () => pagesOf(tmpdir()), 'input_unreadable', 'input_unreadable'],
    [
      'a wrong key',
      () => new Bindery({ baseUrl: service.url, apiKey: 'wrong' }).analysis.pageCount(TWO_PAGES),
      'unauthorized',
      'unauthorized',
    ],
    [
      'nobody there',
      () => new Bindery({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', retries: 0 }).status(),
      'network_error',
      'network_error',
    ],
    [
      'too little time',
      () => bindery.general.rotatePdf(TWO_PAGES, { angle: 90 }, { timeoutMs: 1 }),
      'timeout',
      'timeout',
    ],
    [
      'cancelled',
      () => bindery.general.rotatePdf(TWO_PAGES, { angle: 90 }, { signal: AbortSignal.abort() }),
      'cancelled',
      'cancelled',
    ],
    [
      'nothing to return',
      () => bindery.filter.filterPageCount(TWO_PAGES, { pageCount: 7, comparator: 'Greater' }),
      'no_content',
      'no_content',
    ],
  ];
  for (const [name, call, code, reason] of cases) {
    test(name, async () => {
      const error = await failed(call());
      assert.deepEqual([error.code, error.reason], [code, reason]);
      assert.ok(error.hint, 'a hint');
    });
  }

  test('a call cancelled while its file is being sent', async () => {
    const path = join(folder, 'large.pdf');
    await writeFile(path, await paddedTo(2_500_000));
    for (const ms of [1, 3, 6, 10, 20]) {
      const error = await failed(
        bindery.general
          .rotatePdf(path, { angle: 90 }, { signal: AbortSignal.timeout(ms) })
          .then((r) => r.bytes()),
      );
      assert.equal(error.code, 'cancelled');
    }
  });

  for (const type of [undefined, 'text/html; charset=utf-8', 'application/json']) {
    test(`another server that answers ${type ?? 'without a type'} is a bad response`, async () => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const web = createServer((request, response) => {
        request.resume().once('end', () => response.writeHead(200, headers).end('<html>'));
      });
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = web.address() as AddressInfo;
        const lost = new Bindery({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'x' });
        assert.equal((await failed(lost.analysis.pageCount(TWO_PAGES))).code, 'bad_response');
        assert.equal((await failed(lost.general.rotatePdf(TWO_PAGES, { angle: 90 }))).code, 'bad_response');
        const mail = { name: 'a.eml', content: Buffer.from('Subject: x') };
        if (type !== 'application/json') {
          assert.equal(
            (await failed(lost.call('analysis/page-count', { fileInput: TWO_PAGES }))).code,
            'bad_response',
          );
          assert.equal((await failed(lost.convert.emlToPdf(mail))).code, 'bad_response');
          const piped = lost.pipeline(TWO_PAGES).step('general/rotate-pdf', { angle: 90 });
          assert.equal((await failed(piped.run())).code, 'bad_response');
        }
      } finally {
        web.closeAllConnections();
        web.close();
      }
    });
  }

  test('a page that the service makes is no bad response', async () => {
    const mail = { name: 'a.eml', content: Buffer.from('Subject: Hello\r\n\r\nWords') };
    const page = await bindery.convert.emlToPdf(mail, { downloadHtml: true });
    assert.equal(page.mediaType, 'text/html');
    const piped = await bindery.pipeline(mail).step('convert/eml/pdf', { downloadHtml: true }).run();
    assert.match(await piped.text(), /Words/);
  });

  test('the problem document tells which step of a pipeline failed', async () => {
    const error = await failed(
      bindery
        .pipeline(TWO_PAGES)
        .step('general/rotate-pdf', { angle: 90 })
        .step('general/remove-pages', { pageNumbers: '9' })
        .run(),
    );
    assert.deepEqual(
      [error.reason, error.problem?.step, error.problem?.op],
      ['page_out_of_range', 1, 'general/remove-pages'],
    );
  });
});

describe('large files', () => {
  test('go in chunks, with progress', async () => {
    const seen: number[] = [];
    const bytes = await paddedTo(4_000_000);
    const count = await bindery.analysis.pageCount(
      bytes,
      {},
      {
        onProgress: ({ sentBytes, totalBytes }) => {
          assert.equal(totalBytes, 4_000_000);
          seen.push(sentBytes);
        },
      },
    );
    assert.equal(count.pageCount, 2);
    assert.equal(seen.length, Math.ceil(4_000_000 / 262_144));
    assert.equal(seen.at(-1), 4_000_000);
  });

  test('of several files only as many as must', async () => {
    let total = 0;
    const merged = await bindery.general.mergePdfs(
      [await paddedTo(2_500_000), await paddedTo(2_000_000), TWO_PAGES],
      {},
      {
        onProgress: ({ totalBytes }) => {
          total = totalBytes;
        },
      },
    );
    await merged.bytes();
    assert.equal(total, 2_500_000);
  });

  test('also where the service takes next to nothing in one request', async () => {
    const env = { BINDERY_MAX_REQUEST_BYTES: '4096', BINDERY_UPLOAD_CHUNK_BYTES: '2048' };
    const small = await startService({ env });
    try {
      const client = new Bindery({ baseUrl: small.url, apiKey: small.key });
      const merged = await client.general.mergePdfs([TWO_PAGES, TWO_PAGES]);
      assert.equal(await pagesOf(await merged.bytes()), 4);
    } finally {
      await small.remove();
    }
  });

  test('in a pipeline, files of steps too', async () => {
    const result = await bindery
      .pipeline(TWO_PAGES)
      .step('general/overlay-pdfs', {
        overlayFiles: [await paddedTo(3_500_000)],
        overlayMode: 'SequentialOverlay',
      })
      .step('general/rotate-pdf', { angle: 90 })
      .run();
    assert.equal(await pagesOf(await result.bytes()), 2);
  });

  test('a refused file leaves no upload behind', async () => {
    const error = await failed(pagesOf(Buffer.alloc(4_000_000, 1)));
    assert.equal(error.reason, 'invalid_pdf');
    // The service removes what is no longer needed a moment after its answer.
    for (let tries = 0; tries < 50 && (await uploadsOnDisk()).length > 0; tries += 1) await delay(100);
    assert.deepEqual(await uploadsOnDisk(), []);
  });
});

async function uploadsOnDisk(): Promise<string[]> {
  const uploads = join(service.dataDir, 'uploads');
  return existsSync(uploads) ? readdir(uploads) : [];
}

test('a pipeline is typed by its steps', async () => {
  const pipeline = bindery.pipeline([pathToFileURL(decodeURIComponent(TWO_PAGES.pathname))]);
  // @ts-expect-error: there is no such operation
  pipeline.step('general/rotate', {});
  // @ts-expect-error: an angle is a number
  pipeline.step('general/rotate-pdf', { angle: 'left' });
  const result = await pipeline.step('general/rotate-pdf', { angle: 90 }).step('analysis/page-count').run();
  assert.deepEqual(await result.json(), { pageCount: 2 });
});
