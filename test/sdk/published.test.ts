// The client as it is published: built, packed, installed elsewhere, used from Node, from TypeScript and in a browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { buildSdk } from '../../scripts/build-sdk.ts';
import { launchCommand } from '../../service/src/engines/browser/program.ts';
import { type RunningService, startService } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PDF = join(ROOT, 'fixtures', 'text-two-pages.pdf');
const CHROMIUM = (await launchCommand())?.path;

let folder: string;
let installed: string;
let web: Server;
let origin: string;
let service: RunningService;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-published-'));
  buildSdk(join(folder, 'built'));
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  npm('pack', './built', '--silent');
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  npm('install', '--offline', '--silent', './bindery-sdk-0.1.0.tgz');
  installed = join(folder, 'node_modules', '@bindery', 'sdk');
  web = createServer((request, response) => {
    const path = request.url === '/' ? undefined : join(installed, String(request.url));
    const type = path && extname(path) === '.js' ? 'text/javascript' : 'text/html';
    response.setHeader('content-type', type);
    if (!path) response.end('<!doctype html><title>page</title>');
    else if (existsSync(path)) createReadStream(path).pipe(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  service = await startService({
    env: {
      BINDERY_ALLOW_ORIGINS: origin,
      BINDERY_MAX_REQUEST_BYTES: '3000000',
      BINDERY_UPLOAD_CHUNK_BYTES: '262144',
    },
  });
});
after(async () => {
  web?.close();
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('it depends on nothing', async () => {
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
});

test('a program of another folder uses it', async () => {
  await writeFile(
    join(folder, 'program.js'),
    `import { Bindery } from '@bindery/sdk';
     const bindery = Bindery.fromEnvironment();
     console.log(JSON.stringify(await bindery.analysis.pageCount(${JSON.stringify(PDF)})));`,
  );
  const printed = execFileSync(process.execPath, ['program.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, BINDERY_URL: service.url, BINDERY_API_KEY: service.key },
  });
  assert.deepEqual(JSON.parse(printed), { pageCount: 2 });
});

test('its types are found, and they are strict', async () => {
  const good = `import { Bindery, type BinderyError } from '@bindery/sdk';
    const bindery = new Bindery({ baseUrl: 'http://localhost', apiKey: 'k' });
    export const angle: Promise<{ filename: string }> = bindery.general.rotatePdf('a.pdf', { angle: 90 });
    export const count: Promise<{ pageCount: number }> = bindery.analysis.pageCount('a.pdf');
    export const reason = (error: BinderyError): string => error.reason;`;
  const check = (code: string): string => {
    const path = join(folder, 'typed.ts');
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--types',
      '',
    ];
    execFileSync('sh', ['-c', 'cat > "$0"', path], { input: code });
    try {
      return execFileSync(tsc, [...options, path], { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  };
  assert.equal(check(good), '');
  assert.match(check(good.replace('angle: 90', "angle: 'left'")), /not assignable/);
});

const skip = CHROMIUM ? false : 'not installed: Chromium';
test('a page of another origin uses it in Chromium', { skip }, async () => {
  const { launch } = await import('puppeteer-core');
  const browser = await launch({
    executablePath: CHROMIUM as string,
    headless: 'shell' as never,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const seen = await page.evaluate(
      async (url, key, document, padding) => {
        // @ts-expect-error: the browser finds it, the compiler does not
        const { Bindery } = await import('/index.js');
        const bindery = new Bindery({ baseUrl: url, apiKey: key });
        const bytes = Uint8Array.from(atob(document), (character) => character.charCodeAt(0));
        const file = new File([bytes], 'ä b.pdf', { type: 'application/pdf' });
        const rotated = await bindery.general.rotatePdf(file, { angle: 90 });
        const large = new Blob([bytes, '\n'.repeat(padding)]);
        const progress: number[] = [];
        const counted = await bindery.analysis.pageCount(
          large,
          {},
          { onProgress: ({ sentBytes }: { sentBytes: number }) => progress.push(sentBytes) },
        );
        const streamed = await bindery.analysis.pageCount(file.stream());
        const path = await bindery.analysis.pageCount('a.pdf').catch((error: { code: string }) => error.code);
        const refused = await bindery.analysis
          .pageCount(new Blob(['x']))
          .catch((error: { reason: string }) => error.reason);
        return {
          name: rotated.filename,
          size: (await rotated.bytes()).length,
          counted,
          streamed,
          chunks: progress.length,
          path,
          refused,
        };
      },
      service.url,
      service.key,
      (await readFile(PDF)).toString('base64'),
      4_000_000,
    );
    assert.ok(seen.size > 500);
    assert.deepEqual(
      { ...seen, size: 0 },
      {
        name: 'ä b_rotated.pdf',
        size: 0,
        counted: { pageCount: 2 },
        streamed: { pageCount: 2 },
        chunks: 16,
        path: 'input_unreadable',
        refused: 'invalid_pdf',
      },
    );
  } finally {
    await browser.close();
  }
});
