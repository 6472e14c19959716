// Our clients (SDK, command, local server for agents) before a server that means harm: terminal injection, bidi marks,
// names that hide, run or overwrite, endless and senseless answers, redirects that want the key.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Bindery, BinderyError } from '@bindery/sdk';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fixture } from '../service.ts';
import {
  endless,
  type HostileServer,
  problem,
  result,
  STEERING,
  startHostileServer,
  steers,
} from './server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KEY = 'a-key-worth-stealing';
const DOCUMENT = fixture('text-two-pages.pdf');

let server: HostileServer;
let elsewhere: HostileServer;
let folder: string;
let agent: Client;
before(async () => {
  server = await startHostileServer();
  elsewhere = await startHostileServer();
  folder = mkdtempSync(join(tmpdir(), 'bindery-hostile-'));
  agent = new Client({ name: 'test', version: '1' });
  await agent.connect(
    new StdioClientTransport({
      command: join(ROOT, 'mcp/bin/bindery-mcp.cjs'),
      env: {
        PATH: process.env.PATH ?? '',
        BINDERY_URL: server.url,
        BINDERY_API_KEY: KEY,
        BINDERY_ALLOWED_DIRS: folder,
        BINDERY_TIMEOUT_MS: '4000',
      },
    }),
  );
});
after(async () => {
  await agent?.close();
  await server?.close();
  await elsewhere?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'in.pdf'), readFileSync(DOCUMENT));
  server.requests = [];
  elsewhere.requests = [];
});

const sdk = () => new Bindery({ baseUrl: server.url, apiKey: KEY, retries: 0, timeoutMs: 4000 });

interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** The command, in a pipe or as a person sees it: `script` lends it a terminal. */
function command(args: readonly string[], { terminal = false } = {}): Promise<Ran> {
  const bin = join(ROOT, 'cli/bin/bindery.cjs');
  const env = { PATH: process.env.PATH, BINDERY_URL: server.url, BINDERY_API_KEY: KEY, TERM: 'xterm' };
  const [program, words] = terminal
    ? ['script', ['-qfec', [bin, ...args].join(' '), '/dev/null']]
    : [bin, [...args]];
  return new Promise((resolve) => {
    execFile(
      program,
      words,
      { cwd: folder, env, timeout: 60_000, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => resolve({ status: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}
const rotate = ['general', 'rotate-pdf', 'in.pdf', '--timeout', '4'];

async function refused(call: Promise<unknown>): Promise<BinderyError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BinderyError, String(error));
  const { message, code, reason, hint = '', requestId = '', problem: told = {} } = error;
  for (const words of [message, code, reason, hint, requestId, ...Object.values(told).map(String)])
    assert.ok(!steers(words) && words.length <= 3000, JSON.stringify(words.slice(0, 200)));
  return error;
}

const askAgent = async (tool: string, operation: string) =>
  (await agent.callTool({ name: tool, arguments: { operation, file: 'in.pdf' } }, { timeout: 60_000 })) as {
    isError?: boolean;
    content: { type: string; text?: string }[];
    structuredContent?: Record<string, unknown>;
  };

/** An answer that is no success for any of them, and shows nothing it should not. */
async function allRefuse(): Promise<BinderyError> {
  const error = await refused(sdk().general.rotatePdf(DOCUMENT));
  const ran = await command(rotate);
  assert.notEqual(ran.status, 0, ran.stderr);
  assert.ok(!steers(ran.stderr) && !steers(ran.stdout), JSON.stringify(ran.stderr));
  const told = await askAgent('pdf_pages', 'rotate-pdf');
  assert.equal(told.isError, true);
  assert.ok(!steers(told.content[0]?.text ?? ''), JSON.stringify(told.content));
  assert.deepEqual(readdirSync(folder), ['in.pdf'], 'nothing was left behind');
  return error;
}

describe('words that steer a terminal', () => {
  const words = (name: string) => `${name}${STEERING}end`;
  const full = Object.fromEntries(
    ['type', 'title', 'detail', 'code', 'reason', 'hint', 'op', 'file', 'error'].map((name) => [
      name,
      words(name),
    ]),
  );
  test('in every member of a problem', async () => {
    server.answer = problem({ ...full, status: 400, step: 1 });
    const error = await allRefuse();
    assert.match(error.message, /^detail.*end$/);
  });
  test('in members that are no text, or endlessly long', async () => {
    server.answer = problem({
      code: { toString: 'x' },
      detail: ['\u001b[2J'],
      hint: 5,
      step: '\u001b',
      op: null,
    });
    await allRefuse();
    server.answer = problem({ code: 'x', detail: `${STEERING}${'y'.repeat(500_000)}` });
    assert.ok((await allRefuse()).message.length <= 2000);
  });
  test('in media types and places of redirects', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/\u009b31mhtml\u0085' });
      response.end('x');
    };
    assert.equal((await allRefuse()).reason, 'bad_response');
    server.answer = (_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1/\u009b31m\u0085` });
      response.end();
    };
    assert.match((await allRefuse()).message, /redirects are not followed/);
  });
  test('in what a terminal shows of results: text and JSON', async () => {
    for (const [type, args] of [
      ['text/plain; charset=utf-8', ['convert', 'pdf/text', 'in.pdf']],
      ['application/json', ['analysis', 'page-count', 'in.pdf']],
    ] as const) {
      const body = type.startsWith('text')
        ? `a${STEERING}b`
        : JSON.stringify({ pageCount: 2, [`k${STEERING}`]: STEERING });
      server.answer = result('attachment; filename="a.txt"', type, body);
      const { stdout, status } = await command(args, { terminal: true });
      assert.equal(status, 0, stdout);
      // The command's own line of progress, which it draws and clears, is no word of the server's.
      const words = stdout
        .replaceAll(/\r\u001b\[K(?:[|/\\-] \d+ s {2}in\.pdf)?/g, '')
        .replaceAll('\r\n', '\n');
      assert.ok(!steers(words), JSON.stringify(stdout));
      const piped = await command(args);
      if (type.startsWith('text')) assert.equal(piped.stdout, body, 'another program gets every byte');
      else assert.deepEqual(JSON.parse(piped.stdout), JSON.parse(body));
    }
  });
  test('in what doctor is told', async () => {
    const engines = { [`qpdf${STEERING}`]: { available: true, version: STEERING }, bad: null, worse: 5 };
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ engines }));
    };
    for (const more of [[], ['--json']]) {
      const { stdout, status } = await command(['doctor', '--url', server.url, ...more]);
      assert.equal(status, 0);
      assert.ok(!steers(stdout), JSON.stringify(stdout));
    }
  });
});

describe('names of results', () => {
  const encoded = (name: string) => `attachment; filename="x"; filename*=UTF-8''${encodeURIComponent(name)}`;
  const cases: [name: string, disposition: string, type: string, saved: RegExp][] = [
    ['hidden', encoded('.bashrc'), 'application/pdf', /^bashrc\.pdf$/],
    ['an option', encoded('-rf'), 'application/pdf', /^rf\.pdf$/],
    ['written backwards', encoded('gpj\u202efdp.exe'), 'application/pdf', /^gpjfdp\.exe\.pdf$/],
    ['a program as bytes', encoded('setup.exe'), 'application/octet-stream', /^setup\.exe\.bin$/],
    ['a script as bytes', encoded('run.sh'), 'application/octet-stream', /^run\.sh\.bin$/],
    ['a launcher', encoded('x.desktop'), 'application/pdf', /^x\.desktop\.pdf$/],
    ['a path', encoded('../../etc/passwd'), 'application/pdf', /^passwd\.pdf$/],
    ['a path of Windows', encoded('..\\..\\C:\\boot.ini'), 'application/pdf', /^boot\.ini\.pdf$/],
    ['a stream of a file', encoded('a.pdf:evil'), 'application/pdf', /^a\.pdf_evil\.pdf$/],
    ['a device', encoded('NUL.pdf'), 'application/pdf', /^_NUL\.pdf$/],
    ['another device', encoded('com1'), 'application/pdf', /^_com1\.pdf$/],
    ['controls', encoded(`a${STEERING}b.pdf`), 'application/pdf', /^[\w[\];=]+b\.pdf$/],
    ['dots', encoded('..'), 'application/pdf', /^result\.pdf$/],
    ['nothing', 'attachment', 'application/pdf', /^result\.pdf$/],
    ['blanks', encoded('  .  '), 'application/pdf', /^result\.pdf$/],
    ['a home', encoded('~root'), 'application/pdf', /^root\.pdf$/],
    ['too long', encoded('x'.repeat(4000)), 'application/pdf', /^x{100,176}\.pdf$/],
    ['too long in bytes', encoded('\u65e5'.repeat(900)), 'application/pdf', /^\u65e5{50,80}\.pdf$/],
    ['wrongly encoded', "attachment; filename*=UTF-8''%ff%fe%zz", 'application/pdf', /^result\.pdf$/],
    [
      'true',
      encoded('B\u00e9rich \u65e5_rotated.pdf'),
      'application/pdf',
      /^B\u00e9rich \u65e5_rotated\.pdf$/,
    ],
    ['a type that steers', encoded('a.pdf'), 'application/pdf; \u009b31m', /^a\.pdf$/],
  ];
  for (const [name, disposition, type, saved] of cases) {
    test(`${name}: what is saved is plain`, async () => {
      server.answer = result(disposition, type);
      const made = await sdk().call('unheard/of', { fileInput: DOCUMENT });
      assert.match(made.filename, saved);
      assert.ok(Buffer.byteLength(made.filename) <= 255);
      if (!type.startsWith('application/pdf')) return;
      const { status, stderr } = await command(rotate);
      assert.equal(status, 0, stderr);
      assert.ok(!steers(stderr), JSON.stringify(stderr));
      const [kept = '', ...more] = readdirSync(folder).filter((each) => each !== 'in.pdf');
      assert.match(kept, saved);
      assert.deepEqual(more, []);
      const told = await askAgent('pdf_pages', 'rotate-pdf');
      assert.equal(told.structuredContent?.path, join(folder, 'in-rotate-pdf.pdf'));
    });
  }

  test('what exists is not replaced unless that is asked for', async () => {
    const mine = join(folder, 'mine.pdf');
    writeFileSync(mine, 'mine');
    server.answer = result(encoded('mine.pdf'));
    const error = await refused(
      sdk()
        .general.rotatePdf(DOCUMENT)
        .then((made) => made.save(mine)),
    );
    assert.match(error.message, /exists already/);
    for (const args of [rotate, [...rotate, '-o', 'mine.pdf'], [...rotate, '-o', '.']]) {
      const { status, stderr } = await command(args);
      assert.equal(status, 1);
      assert.match(stderr, /exists already; --force replaces it/);
    }
    assert.equal(readFileSync(mine, 'utf8'), 'mine');
    const asked = await sdk().general.rotatePdf(DOCUMENT);
    await asked.save(mine, { overwrite: true });
    assert.equal(readFileSync(mine, 'utf8'), '%PDF-1.7\n');
    assert.equal((await command([...rotate, '-o', 'mine.pdf', '--force'])).status, 0);
  });
});

describe('answers without end or sense', () => {
  const raw =
    (status: number, type: string, body: string | Buffer) => (_: unknown, response: ServerResponse) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
  const cases: [name: string, answer: HostileServer['answer']][] = [
    ['an endless problem', endless(400, 'application/problem+json', '{"code":"x","detail":"')],
    ['an endless page', endless(200, 'text/html', '<p>')],
    ['an endless result', endless(200, 'application/pdf', '%PDF')],
    ['JSON that is none', raw(400, 'application/problem+json', `{${STEERING}`)],
    ['null', raw(400, 'application/problem+json', 'null')],
    ['a list', raw(400, 'application/problem+json', '[]')],
    ['a number', raw(500, 'application/json', '5')],
    ['nested without end', raw(400, 'application/problem+json', '['.repeat(900_000))],
    [
      'bytes that are no UTF-8',
      raw(400, 'application/problem+json', Buffer.from('{"code":"\xff\xfe"}', 'latin1')),
    ],
    ['nothing', (_, response) => void response.socket?.destroy()],
    [
      'huge headers',
      (_, response) => {
        response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`);
      },
    ],
    ['no HTTP', (_, response) => void response.socket?.end(`${STEERING}\r\n\r\n`)],
    ['silence', () => {}],
    [
      'a length that is not kept',
      (_, response) => {
        response.socket?.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\ncontent-length: 99999\r\n\r\n%PDF',
        );
      },
    ],
  ];
  for (const [name, answer] of cases) {
    test(name, async () => {
      server.answer = answer;
      const got = sdk()
        .general.rotatePdf(DOCUMENT)
        .then((made) => made.save(join(folder, 'never.pdf')));
      await refused(got);
      const ran = await command(rotate);
      assert.notEqual(ran.status, 0);
      assert.ok(!steers(ran.stderr), JSON.stringify(ran.stderr));
      const told = await askAgent('pdf_pages', 'rotate-pdf');
      assert.equal(told.isError, true);
      assert.ok(!steers(told.content[0]?.text ?? ''), JSON.stringify(told.content));
      assert.deepEqual(readdirSync(folder), ['in.pdf'], 'nothing was left behind');
    });
  }

  test('results as text: not the JSON that was promised, and text without end', async () => {
    server.answer = raw(200, 'application/json', `{${STEERING}`);
    assert.equal((await refused(sdk().analysis.pageCount(DOCUMENT))).reason, 'bad_response');
    const told = await askAgent('pdf_analyze', 'page-count');
    assert.match(told.content[0]?.text ?? '', /^The answer is not the JSON that was promised/);
    server.answer = endless(200, 'application/json', '[1,');
    const endlessly = await askAgent('pdf_analyze', 'page-count');
    assert.equal(endlessly.isError, true);
    assert.ok(!steers(endlessly.content[0]?.text ?? ''));
    const made = await sdk().call('analysis/page-count', { fileInput: DOCUMENT });
    assert.match(
      (await refused(made.text({ maxBytes: 1_000_000 }))).message,
      /longer than the 1000000 bytes/,
    );
  });

  test('uploads in chunks that make no sense', async () => {
    const large = new Blob([new Uint8Array(2_000_000)]);
    const told: Record<string, unknown>[] = [
      { id: 'a', chunkSize: 0, chunkCount: 1 },
      { id: 'a', chunkSize: 1, chunkCount: 1e9 },
      { id: 'a', chunkSize: -5, chunkCount: -400_000 },
      { id: 'a', chunkSize: 1e9, chunkCount: 1e9 },
      { id: '../../admin', chunkSize: 2_000_000, chunkCount: 1 },
      { id: { a: 1 }, chunkSize: 2_000_000, chunkCount: 1 },
      {},
    ];
    for (const each of told) {
      server.answer = raw(201, 'application/json', JSON.stringify(each));
      assert.equal((await refused(sdk().upload(large))).reason, 'bad_response', JSON.stringify(each));
    }
    for (const status of [
      'null',
      '5',
      '{}',
      '{"maxUploadBytes":-1}',
      '{"maxUploadBytes":"\u001b[2J"}',
      '[',
    ]) {
      server.answer = raw(200, 'application/json', status);
      assert.equal((await refused(sdk().status())).reason, 'bad_response', status);
      assert.equal((await refused(sdk().general.rotatePdf(large))).reason, 'bad_response', status);
    }
    server.answer = endless(200, 'application/json', '{"a":');
    assert.equal((await refused(sdk().status())).reason, 'bad_response');
  });
});

test('a redirect does not get the key, whatever its kind', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    server.answer = (_, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/api/v1/general/rotate-pdf` });
      response.end();
    };
    await allRefuse();
    await command(['doctor', '--url', server.url]);
  }
  assert.deepEqual(elsewhere.requests, []);
});
