// The packages as they are published: packed, installed in an empty folder, and used from there by Node, by TypeScript,
// from a shell, by an agent and in a browser.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { pack, publishedManifest, repositoryOf } from '../scripts/pack.ts';
import { launchCommand } from '../service/src/engines/browser/program.ts';
import { type RunningService, startService } from './service.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PDF = join(ROOT, 'fixtures', 'text-two-pages.pdf');
const CHROMIUM = (await launchCommand())?.path;

let folder: string;
let installed: string;
let web: Server;
let origin: string;
let service: RunningService;
/** Why the packages that depend on others are not installed. */
let alone: string | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-published-'));
  const tarballs = await pack(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const install = (...args: string[]) =>
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  const { status, stderr } = install('--prefer-offline', ...tarballs);
  if (status !== 0) {
    assert.match(stderr, /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ENOTCACHED/, stderr);
    alone = 'the npm registry cannot be reached';
    assert.equal(install('--offline', ...tarballs.slice(0, 1)).status, 0);
  }
  installed = join(folder, 'node_modules', '@bindery', 'sdk', 'dist');
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

const environment = () => ({
  PATH: process.env.PATH ?? '',
  BINDERY_URL: service.url,
  BINDERY_API_KEY: service.key,
  BINDERY_CONFIG: join(folder, 'config.json'),
});

/** A test of packages that need others from the registry. */
const withOthers = (name: string, work: () => Promise<void>) =>
  test(name, async (context: TestContext) => (alone === undefined ? work() : context.skip(alone)));

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', '@bindery', name, 'package.json'), 'utf8'));

test('the client depends on nothing, and its package says what it is', () => {
  const { dependencies, exports, types, ...facts } = manifestOf('sdk');
  assert.equal(dependencies, undefined);
  for (const path of [types, exports['.'].default, exports['./catalogue'].types])
    assert.ok(existsSync(join(installed, '..', path)), path);
  assert.deepEqual(
    ['description', 'keywords', 'author', 'license', 'engines'].filter((name) => !facts[name]),
    [],
  );
});

test('a package names where it comes from, and never who fetched it', () => {
  const url = (origin: string) => (repositoryOf(origin, 'cli') as { url: string } | undefined)?.url;
  assert.equal(url('https://me:secret@git.example.org/a/b.git'), 'git+https://git.example.org/a/b.git');
  assert.equal(url('git@git.example.org:a/b.git'), 'git+ssh://git@git.example.org/a/b.git');
  assert.deepEqual([url('/srv/b.git'), url('')], [undefined, undefined]);
  const published = publishedManifest({ scripts: {}, devDependencies: {}, exports: './a.ts' }, undefined);
  assert.deepEqual(published, { exports: './a.ts', publishConfig: {} });
});

withOthers('the command and the server for agents come without sources, and whole', async () => {
  for (const name of ['cli', 'mcp']) {
    const { bin, man = [], dependencies, scripts, devDependencies, ...facts } = manifestOf(name);
    const home = join(folder, 'node_modules', '@bindery', name);
    for (const path of [...Object.values<string>(bin), ...man, 'README.md', 'LICENSE'])
      assert.ok(existsSync(join(home, path)), path);
    assert.deepEqual([scripts, devDependencies], [undefined, undefined]);
    assert.ok(!Object.keys(dependencies).some((each) => each.startsWith('@bindery/')));
    assert.deepEqual(
      ['description', 'keywords', 'author', 'license', 'engines'].filter((each) => !facts[each]),
      [],
    );
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      files.filter((path) => path.endsWith('.ts')),
      [],
    );
  }
});

withOthers('the command works in a folder of its own', async () => {
  const bindery = (...args: string[]) =>
    spawnSync(join(folder, 'node_modules', '.bin', 'bindery'), args, {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
    });
  assert.match(bindery('--version').stdout, /^\d+\.\d+\.\d+\n$/);
  const merged = bindery('merge', PDF, PDF, '-o', 'm.pdf');
  assert.deepEqual([merged.status, merged.stderr], [0, 'm.pdf\n']);
  assert.equal(execFileSync('qpdf', ['--show-npages', 'm.pdf'], { cwd: folder, encoding: 'utf8' }), '4\n');
  assert.match(bindery('help', 'merge').stdout, /--generate-toc[\s\S]*\nExample:\n/);
  await writeFile(join(folder, 'steps.yaml'), '- op: rotate-pdf\n  params: { angle: 90 }\n');
  assert.equal(bindery('pipeline', 'steps.yaml', 'm.pdf', '-o', 'turned.pdf').status, 0);
  assert.equal(bindery('batch', 'flatten', 'm.pdf', '-o', 'flat/').status, 0);
  const { status, stderr } = bindery('keys', 'list');
  assert.equal(status, 2);
  assert.match(stderr, /needs the service itself, which is not installed here; /);
});

/** A module and all that it imports before it runs, in bytes. */
function loadedBytes(path: string, seen = new Set<string>()): number {
  if (seen.has(path)) return 0;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/(?:from|import)"(\.\/[^"]+)"/g)].map(([, each]) => String(each));
  return imported.reduce(
    (sum, each) => sum + loadedBytes(join(path, '..', each), seen),
    Buffer.byteLength(text),
  );
}

withOthers('the help of the command waits for nothing it does not need', async () => {
  const dist = join(folder, 'node_modules', '@bindery', 'cli', 'dist');
  const completion = readdirSync(dist).find((name) => /^completion-[A-Z0-9]+\.js$/.test(name)) ?? '';
  const catalogue = Math.max(...readdirSync(dist).map((name) => statSync(join(dist, name)).size));
  const [help, completed] = [loadedBytes(join(dist, 'main.js')), loadedBytes(join(dist, completion))];
  assert.ok(help < 25_000, `${help} bytes`);
  assert.ok(completed < catalogue + 25_000, `${completed} bytes, ${catalogue} of them the catalogue`);
});

withOthers('the server for agents answers from a folder of its own', async () => {
  const client = new Client({ name: 'published-test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: join(folder, 'node_modules', '.bin', 'bindery-mcp'),
      env: { ...environment(), BINDERY_ALLOWED_DIRS: folder },
    }),
  );
  const { tools } = await client.listTools();
  await client.close();
  assert.ok(
    tools.some(({ name }) => name === 'pdf_pages'),
    String(tools.length),
  );
});

test('a program of another folder uses it', async () => {
  await writeFile(
    join(folder, 'program.js'),
    `import { Bindery } from '@bindery/sdk';
     const told = [];
     const bindery = Bindery.fromEnvironment({ hooks: { onResponse: ({ path, status }) => told.push([path, status]) } });
     const pdf = ${JSON.stringify(PDF)};
     let answer;
     const { pageCount } = await bindery.analysis.pageCount(pdf, {}, {
       retries: 0, timeoutMs: 60_000, onResponse: (facts) => { answer = facts; },
     });
     const none = await bindery.filter.filterPageCount(pdf, { pageCount: 9, comparator: 'Greater' }).catch((error) => error);
     const late = await bindery.analysis.pageCount(pdf, {}, { timeoutMs: 1, retries: 0 }).catch((error) => error);
     const named = typeof answer.requestId === 'string' && answer.headers.get('content-type');
     console.log(JSON.stringify({ pageCount, status: answer.status, named, none: [none.reason, none.status],
       late: late.reason, told: told[0] }));`,
  );
  const printed = execFileSync(process.execPath, ['program.js'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  assert.deepEqual(JSON.parse(printed), {
    pageCount: 2,
    status: 200,
    named: 'application/json',
    none: ['no_content', 204],
    late: 'timeout',
    told: ['analysis/page-count', 200],
  });
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
