// Agents' view of the service: the official clients of both lines, in both eras of the protocol.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OPERATIONS } from '../../service/src/operations/index.generated.ts';
import { fixture, type RunningService, startService } from '../service.ts';

interface Called {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** What the tests ask of a client, whichever it is. */
interface Agent {
  list(): Promise<{ name: string; description?: string; inputSchema: unknown; annotations?: unknown }[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    options?: {
      signal?: AbortSignal;
      onprogress?: (progress: { progress: number; message?: string }) => void;
    },
  ): Promise<Called>;
  read(uri: string): Promise<{ contents: { text?: string; blob?: string }[] }>;
  close(): Promise<void>;
}

let service: RunningService;
let folder: string;
before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-mcp-'));
});
after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const address = () => new URL(`${service.url}/mcp`);
const withKey = (headers: Record<string, string>) => ({ requestInit: { headers } });
const INFO = { name: 'test', version: '1' };

async function newAgent(mode: 'auto' | 'legacy', headers: Record<string, string>): Promise<Agent> {
  const client = new NewClient(INFO, mode === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new NewTransport(address(), withKey(headers)));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, options)) as Called,
    read: async (uri) => (await client.readResource({ uri })) as never,
    close: () => client.close(),
  };
}

async function oldAgent(headers: Record<string, string>): Promise<Agent> {
  const client = new OldClient(INFO);
  await client.connect(new OldTransport(address(), withKey(headers)) as never);
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as Called,
    read: async (uri) => (await client.readResource({ uri })) as never,
    close: () => client.close(),
  };
}

const AGENTS: Record<string, (headers?: Record<string, string>) => Promise<Agent>> = {
  'v2 client, 2026-07-28': (headers = { 'x-api-key': service.key }) => newAgent('auto', headers),
  'v2 client, 2025-11-25': (headers = { 'x-api-key': service.key }) => newAgent('legacy', headers),
  'v1 client': (headers = { 'x-api-key': service.key }) => oldAgent(headers),
};

async function withAgent<T>(make: () => Promise<Agent>, use: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = await make();
  try {
    return await use(agent);
  } finally {
    await agent.close();
  }
}
const asAgent = <T>(use: (agent: Agent) => Promise<T>) =>
  withAgent(AGENTS['v2 client, 2026-07-28'] as () => Promise<Agent>, use);

/** As an agent's host does it: a ticket, then plain HTTP. */
async function bring(agent: Agent, path: string, filename = path.split('/').at(-1) ?? ''): Promise<string> {
  const { structuredContent } = await agent.call('pdf_upload', { filename });
  const { file_id: id, status, upload_url: url } = structuredContent as Record<string, string>;
  assert.equal(status, 'awaiting_bytes');
  const sent = await fetch(String(url), { method: 'PUT', body: readFileSync(path) });
  assert.equal(sent.status, 201);
  return String(id);
}

const fileOf = (called: Called): Record<string, unknown> => {
  assert.ok(!called.isError, called.content[0]?.text);
  assert.equal(called.structuredContent?.kind, 'file');
  return called.structuredContent?.file as Record<string, unknown>;
};

async function fetchedInto(name: string, called: Called): Promise<string> {
  const answer = await fetch(String(fileOf(called).download_url));
  assert.equal(answer.status, 200);
  const path = join(folder, name);
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
  return path;
}

const pages = (path: string): number =>
  Number(/^Pages:\s+(\d+)/m.exec(execFileSync('pdfinfo', [path], { encoding: 'utf8' }))?.[1]);

const TWO_PAGES = fixture('text-two-pages.pdf');
const FORM = fixture('form-fields.pdf');

for (const [name, make] of Object.entries(AGENTS)) {
  describe(name, () => {
    test('tools are few, small, and reach every operation', () =>
      withAgent(make, async (agent) => {
        const tools = await agent.list();
        assert.equal(tools.length, 14);
        assert.ok(JSON.stringify({ tools }).length < 20_000, `${JSON.stringify({ tools }).length} bytes`);
        const reached = tools.flatMap((tool) => {
          const { operation } = (tool.inputSchema as { properties: Record<string, { enum?: string[] }> })
            .properties;
          return operation?.enum ?? [];
        });
        assert.equal(reached.length, Object.keys(OPERATIONS).length);
      }));

    test('merges two files', () =>
      withAgent(make, async (agent) => {
        const [one, two] = [await bring(agent, TWO_PAGES), await bring(agent, FORM)];
        const merged = await agent.call('pdf_pages', {
          operation: 'merge-pdfs',
          files: { fileInput: [one, two] },
        });
        const link = merged.content.find(({ type }) => type === 'resource_link');
        assert.equal(link?.uri, fileOf(merged).download_url);
        assert.deepEqual(JSON.parse(merged.content[0]?.text ?? ''), merged.structuredContent);
        assert.equal(pages(await fetchedInto('merged.pdf', merged)), 2 + pages(FORM));
      }));

    test('fills a form, and looks at it again', () =>
      withAgent(make, async (agent) => {
        const file = await bring(agent, FORM);
        const listed = await agent.call('pdf_form', { operation: 'fields', file });
        const { data } = listed.structuredContent as { data: { fields: { name: string; type: string }[] } };
        const { fields } = data;
        const field = fields.find(({ type }) => type === 'text');
        assert.ok(field, JSON.stringify(fields).slice(0, 300));
        const filled = await agent.call('pdf_form', {
          operation: 'fill',
          file,
          parameters: { data: { [field.name]: 'by an agent' } },
        });
        const again = await agent.call('pdf_form', {
          operation: 'fields',
          file: String(fileOf(filled).file_id),
        });
        assert.match(JSON.stringify(again.structuredContent), /by an agent/);
      }));

    test('runs a pipeline', () =>
      withAgent(make, async (agent) => {
        const file = await bring(agent, TWO_PAGES);
        const result = await agent.call('pdf_pipeline', {
          files: { fileInput: [file, file] },
          steps: [
            { op: 'general/merge-pdfs' },
            { op: 'general/rotate-pdf', params: { angle: 90 } },
            { op: 'analysis/page-count' },
          ],
        });
        assert.deepEqual(result.structuredContent, {
          operation: 'pipeline',
          kind: 'json',
          data: { pageCount: 4 },
        });
      }));

    test('a failure tells what to do', () =>
      withAgent(make, async (agent) => {
        const file = await bring(agent, TWO_PAGES);
        const failed = await agent.call('pdf_pages', {
          operation: 'rotate-pdf',
          file,
          parameters: { angle: 45 },
        });
        assert.equal(failed.isError, true);
        assert.equal(failed.structuredContent, undefined);
        const [detail, reason, code, hint, parameters] = failed.content[0]?.text?.split('\n') ?? [];
        assert.match(String(detail), /angle/);
        assert.deepEqual([reason, code], ['Reason: invalid_parameter', 'Code: bad_request']);
        assert.match(String(hint), /^Hint: ./);
        assert.match(String(parameters), /^Parameters: \{"type":"object"/);
        assert.equal((failed._meta as Record<string, { status: number }>)['bindery/problem']?.status, 400);
      }));

    test('progress is told while the work goes on, and an end is an end', () =>
      withAgent(make, async (agent) => {
        const file = await bring(agent, TWO_PAGES);
        const merged = await agent.call('pdf_pages', {
          operation: 'merge-pdfs',
          files: { fileInput: Array.from({ length: 400 }, () => file) },
        });
        const large = String(fileOf(merged).file_id);
        const seen: number[] = [];
        const aborted = new AbortController();
        const work = agent.call(
          'pdf_misc',
          { operation: 'scanner-effect', file: large },
          {
            signal: aborted.signal,
            onprogress: ({ progress, message }) => {
              assert.match(String(message), /misc\/scanner-effect is running/);
              seen.push(progress);
              if (seen.length === 2) aborted.abort();
            },
          },
        );
        await assert.rejects(work);
        assert.deepEqual(seen, [1, 2]);
        for (let tries = 0; tries < 100 && (await busyWorkers()) > 0; tries += 1)
          await new Promise((wait) => setTimeout(wait, 50));
        assert.equal(await busyWorkers(), 0);
      }));
  });
}

async function busyWorkers(): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^bindery_workers_busy\S* (\d+)/m.exec(metrics)?.[1] ?? 0);
}

describe('files', () => {
  test('by content, by chunks, by address, and by an upload made over REST', () =>
    asAgent(async (agent) => {
      const bytes = readFileSync(TWO_PAGES);
      const small = await agent.call('pdf_upload', {
        filename: 'a.pdf',
        content_base64: bytes.toString('base64'),
      });
      const ticket = await agent.call('pdf_upload', { filename: 'b.pdf', size: bytes.length });
      const chunked = String(ticket.structuredContent?.file_id);
      const half = Math.floor(bytes.length / 2);
      const chunk = (index: number, piece: Buffer, last: boolean) =>
        agent.call('pdf_upload_chunk', {
          file_id: chunked,
          index,
          content_base64: piece.toString('base64'),
          last,
        });
      await chunk(0, bytes.subarray(0, half), false);
      assert.equal((await chunk(0, bytes.subarray(0, half), false)).structuredContent?.next_index, 1);
      assert.equal((await chunk(3, bytes, false)).isError, true);
      assert.equal((await chunk(1, bytes.subarray(half), true)).structuredContent?.status, 'ready');
      const begun = await service.fetch('/api/v1/uploads', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ filename: 'c.pdf', size: bytes.length }),
      });
      const { id } = (await begun.json()) as { id: string };
      await service.fetch(`/api/v1/uploads/${id}/chunks/0`, {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
      await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
      for (const file of [String(small.structuredContent?.file_id), chunked, id]) {
        const counted = await agent.call('pdf_analyze', { operation: 'page-count', file });
        assert.deepEqual(counted.structuredContent?.data, { pageCount: 2 }, file);
      }
      const used = await agent.call('pdf_analyze', { operation: 'page-count', file: id });
      assert.match(used.content[0]?.text ?? '', /Reason: upload_not_found/);
    }));

  test('an address of the local network is refused, one that is allowed is fetched', async () => {
    const web = createServer((_request, response) => response.end(readFileSync(TWO_PAGES)));
    await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening));
    const { port } = web.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/a.pdf`;
    const friendly = await startService({ env: { BINDERY_URL_ALLOW_HOSTS: `127.0.0.1:${port}` } });
    try {
      await asAgent(async (agent) => {
        for (const call of [
          agent.call('pdf_upload', { filename: 'a.pdf', url }),
          agent.call('pdf_analyze', { operation: 'page-count', file: url }),
        ]) {
          assert.match((await call).content[0]?.text ?? '', /Reason: url_not_allowed/);
        }
      });
      const client = new NewClient(INFO);
      await client.connect(
        new NewTransport(new URL(`${friendly.url}/mcp`), withKey({ 'x-api-key': friendly.key })),
      );
      const counted = (await client.callTool({
        name: 'pdf_analyze',
        arguments: { operation: 'page-count', file: url },
      })) as Called;
      assert.deepEqual(counted.structuredContent?.data, { pageCount: 2 }, counted.content[0]?.text);
      await client.close();
    } finally {
      web.close();
      await friendly.remove();
    }
  });

  test('a ticket is good once, and only as it was signed', () =>
    asAgent(async (agent) => {
      const { structuredContent } = await agent.call('pdf_upload', { filename: 'a.pdf' });
      const url = String(structuredContent?.upload_url);
      const early = await agent.call('pdf_analyze', {
        operation: 'page-count',
        file: String(structuredContent?.file_id),
      });
      assert.match(early.content[0]?.text ?? '', /Reason: upload_incomplete/);
      const put = (to: string) => fetch(to, { method: 'PUT', body: readFileSync(TWO_PAGES) });
      const until = new URL(url).searchParams.get('until');
      for (const wrong of [
        url.slice(0, -1),
        url.replace(`until=${until}`, `until=${Number(until) + 1}`),
        url.split('?')[0] ?? '',
      ]) {
        assert.equal((await put(wrong)).status, 404);
      }
      assert.equal((await fetch(url)).status, 404);
      assert.equal((await put(url)).status, 201);
      assert.equal((await put(url)).status, 404);
    }));

  test(
    'the command of a ticket sends the file, whatever its name',
    { skip: spawnSync('curl', ['--version']).status !== 0 && 'not installed: curl' },
    () =>
      asAgent(async (agent) => {
        const folder = mkdtempSync(join(tmpdir(), 'bindery-ticket-'));
        try {
          for (const filename of ['two [1].pdf', "it's {a,b} ü.pdf", '-v.pdf']) {
            copyFileSync(TWO_PAGES, join(folder, filename));
            const { structuredContent } = await agent.call('pdf_upload', { filename });
            const { status, stderr } = spawnSync('sh', ['-c', `${structuredContent?.curl} -sf`], {
              cwd: folder,
              encoding: 'utf8',
            });
            assert.equal(status, 0, `${filename}: ${stderr}`);
            const counted = await agent.call('pdf_analyze', {
              operation: 'page-count',
              file: structuredContent?.file_id,
            });
            assert.deepEqual(counted.structuredContent?.data, { pageCount: 2 });
          }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
  );

  test('a ticket with a size takes no other, and stays good', () =>
    asAgent(async (agent) => {
      const bytes = readFileSync(TWO_PAGES);
      const ticket = async (size: number) =>
        (await agent.call('pdf_upload', { filename: 'a.pdf', size })).structuredContent ?? {};
      const { upload_url: url } = await ticket(bytes.length);
      const put = (body: BodyInit) =>
        fetch(String(url), { method: 'PUT', body, duplex: 'half' } as RequestInit);
      assert.equal((await put(bytes.subarray(0, 10))).status, 400);
      // A body of unknown length is counted as it comes.
      const cut = await put(new Blob([bytes.subarray(0, 10)]).stream());
      assert.match(((await cut.json()) as { detail: string }).detail, new RegExp(`${bytes.length} bytes`));
      assert.equal((await put(bytes)).status, 201);
      const chunked = await ticket(bytes.length);
      const chunk = { file_id: chunked.file_id, index: 0, last: true };
      const early = await agent.call('pdf_upload_chunk', { ...chunk, content_base64: 'YWJj' });
      assert.match(early.content[0]?.text ?? '', /Reason: invalid_parameter/);
      const whole = { ...chunk, content_base64: bytes.toString('base64') };
      assert.equal((await agent.call('pdf_upload_chunk', whole)).structuredContent?.status, 'ready');
      const other = { filename: 'a.pdf', size: 7, content_base64: 'YWJj' };
      assert.equal((await agent.call('pdf_upload', other)).isError, true);
    }));

  test('tickets take no more room than all files may have', async () => {
    const small = await startService({ env: { BINDERY_UPLOAD_STORAGE_BYTES: '20000' } });
    try {
      const ticket = async (): Promise<{ upload_url: string; file_id: string }> => {
        const answer = await small.fetch('/mcp', {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'pdf_upload', arguments: { filename: 'a.pdf' } },
          }),
        });
        return ((await answer.json()) as { result: { structuredContent: never } }).result.structuredContent;
      };
      const body = readFileSync(TWO_PAGES);
      const statuses: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { upload_url } = await ticket();
        statuses.push((await fetch(upload_url, { method: 'PUT', body })).status);
      }
      assert.deepEqual(statuses, [201, 201, 507]);
    } finally {
      await small.remove();
    }
  });

  test('a megabyte is the most that comes as base64', () =>
    asAgent(async (agent) => {
      const upload = (bytes: number) =>
        agent.call('pdf_upload', { filename: 'a', content_base64: Buffer.alloc(bytes).toString('base64') });
      assert.equal((await upload(1_048_576)).structuredContent?.status, 'ready');
      assert.match(
        (await upload(1_048_577)).content[0]?.text ?? '',
        /content_base64 must be at most 1048576/,
      );
    }));

  test('what is not encrypted on its way is not fetched', () =>
    asAgent(async (agent) => {
      for (const url of ['http://example.com/a.pdf', 'ftp://example.com/a.pdf', 'nothing']) {
        const refused = await agent.call('pdf_upload', { filename: 'a.pdf', url });
        assert.match(refused.content[0]?.text ?? '', /https address[\s\S]*Reason: url_not_allowed/, url);
      }
    }));

  test('nobody else finds them', () =>
    asAgent(async (agent) => {
      const file = await bring(agent, TWO_PAGES);
      const secret = await service.newKey({});
      await withAgent(
        () =>
          (AGENTS['v1 client'] as (headers: Record<string, string>) => Promise<Agent>)({
            'x-api-key': secret,
          }),
        async (other) => {
          const refused = await other.call('pdf_analyze', { operation: 'page-count', file });
          assert.match(refused.content[0]?.text ?? '', /Reason: upload_not_found/);
          assert.equal((await other.call('pdf_download', { file_id: file })).isError, true);
        },
      );
    }));

  test('are downloaded as text or in pieces', () =>
    asAgent(async (agent) => {
      const file = await bring(agent, TWO_PAGES);
      const bytes = readFileSync(TWO_PAGES);
      const first = await agent.call('pdf_download', { file_id: file, as: 'base64', length: 100 });
      assert.equal(first.structuredContent?.next_offset, 100);
      const rest = await agent.call('pdf_download', { file_id: file, as: 'base64', offset: 100 });
      const pieces = [first, rest].map(({ structuredContent }) =>
        Buffer.from(String(structuredContent?.content_base64), 'base64'),
      );
      assert.ok(Buffer.concat(pieces).equals(bytes));
      const read = await agent.read(`pdf://file/${file}`);
      assert.ok(Buffer.from(read.contents[0]?.blob ?? '', 'base64').equals(bytes));
    }));
});

describe('text in pieces', () => {
  test('no character is cut', () =>
    asAgent(async (agent) => {
      const whole = 'aä€😀'.repeat(20_000);
      const content_base64 = Buffer.from(whole).toString('base64');
      const brought = await agent.call('pdf_upload', { filename: 'ä.txt', content_base64 });
      let read = '';
      let next: number | undefined = 0;
      for (let pieces = 0; next !== undefined && pieces < 50; pieces += 1) {
        const { structuredContent } = await agent.call('pdf_download', {
          file_id: brought.structuredContent?.file_id,
          as: 'text',
          offset: next,
          length: 9_001 + pieces,
        });
        read += String(structuredContent?.text);
        next = structuredContent?.next_offset as number | undefined;
      }
      assert.equal(read, whole);
    }));
});

describe('what failures say', () => {
  const said = async (name: string, args: Record<string, unknown>): Promise<string> =>
    asAgent(async (agent) => {
      const called = await agent.call(name, args);
      assert.equal(called.isError, true);
      return called.content[0]?.text ?? '';
    });

  test('which argument is wrong, and what it must be', async () => {
    const cases: [tool: string, args: Record<string, unknown>, detail: RegExp][] = [
      ['pdf_pages', {}, /^operation must be text\./],
      ['pdf_pages', { operation: 'rotate-pdf' }, /^file is required: a file_id, /],
      ['pdf_misc', { operation: 'add-image', file: 'x' }, /^files\.imageFile is required: /],
      ['pdf_pages', { operation: 'rotate-pdf', parameters: 'x' }, /^parameters must be an object /],
      ['pdf_pages', { operation: 'rotate-pdf', files: { fileInput: 5 } }, /^files\.fileInput must be a file/],
      ['pdf_pipeline', { steps: [{ op: 'rotate-pdf' }] }, /^file is required: /],
      ['pdf_pipeline', { file: 'x', steps: [] }, /^steps must be a list of 1 to 20 steps/],
      ['pdf_upload', { filename: 'a', content_base64: '%' }, /^content_base64 must be base64\./],
      ['pdf_upload', { filename: 'a', media_type: 'a\r\nb: c' }, /^media_type must be a media type /],
      ['pdf_upload', { filename: '' }, /^filename must be text of 1 to 1024 characters\./],
      ['pdf_download', { file_id: 'x', as: 'picture' }, /^as must be url, text or base64\./],
      ['pdf_download', { file_id: 'x', length: 0 }, /^length must be a whole number from 1 to 1048576\./],
    ];
    for (const [tool, args, detail] of cases) assert.match(await said(tool, args), detail);
  });

  test('a name that nothing reads is refused, with the nearest that is', () =>
    asAgent(async (agent) => {
      const file = await bring(agent, TWO_PAGES);
      const rotate = { operation: 'rotate-pdf', file };
      const step = { op: 'rotate-pdf', params: { angle: 90 } };
      const cases: [tool: string, args: Record<string, unknown>, detail: RegExp][] = [
        ['pdf_pages', { ...rotate, parameters: { angel: 180 } }, /^parameters\.angel .*did you mean angle\?/],
        [
          'pdf_pages',
          { ...rotate, parameters: { angel: null } },
          /^parameters\.angel .*did you mean angle\?/,
        ],
        [
          'pdf_form',
          { operation: 'fill', file, parameters: { fields: {} } },
          /^parameters\.fields .*valid: data/,
        ],
        ['pdf_pages', { ...rotate, angle: 180 }, /^angle is not a parameter; valid: operation, file/],
        ['pdf_pages', { ...rotate, params: { angle: 180 } }, /^params .*did you mean parameters\?/],
        ['pdf_pages', { ...rotate, files: { overlays: [file] } }, /^files\.overlays /],
        ['pdf_pages', { ...rotate, parameters: { fileInput: file } }, /^parameters\.fileInput is a file/],
        [
          'pdf_pipeline',
          { file, steps: [{ ...step, params: { angel: 1 } }] },
          /angel.*angle\?[\s\S]*Step: 0/,
        ],
        ['pdf_pipeline', { file, steps: [{ op: 'rotate-pdf', parms: {} }] }, /parms.*did you mean params\?/],
        ['pdf_pipeline', { file, files: { logo: file }, steps: [step] }, /^logo is not a parameter/],
        ['pdf_upload', { filename: 'a', contents: 'YQ==' }, /^contents is not/],
        ['pdf_download', { file_id: file, format: 'text' }, /^format is not/],
        ['pdf_describe_operation', { operation: 'rotate-pdf', tool: 'x' }, /^tool is not/],
      ];
      for (const [tool, args, detail] of cases) {
        const called = await agent.call(tool, args);
        assert.equal(called.isError, true, JSON.stringify(args));
        const text = called.content[0]?.text ?? '';
        assert.match(text, detail);
        assert.match(text, /\nReason: invalid_parameter\n/);
      }
    }));

  test('a file_id that is gone is told apart from an upload that is used up', async () => {
    const text = await said('pdf_analyze', { operation: 'page-count', file: 'nowhere' });
    assert.match(text, /Reason: upload_not_found/);
    assert.match(text, /Hint: .*pdf_upload/);
    assert.doesNotMatch(text, /used up/);
  });

  test('which step of a pipeline failed, and on which file', () =>
    asAgent(async (agent) => {
      const file = await bring(agent, TWO_PAGES);
      const steps = [{ op: 'rotate-pdf' }, { op: 'rotate-pdf', params: { pageNumbers: '9' } }];
      const text = (await agent.call('pdf_pipeline', { file, steps })).content[0]?.text ?? '';
      assert.match(text, /\nStep: 1 \(general\/rotate-pdf\)\nFile: text-two-pages_rotated\.pdf$/);
    }));
});

describe('who may call', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(address(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  test('nobody without a key, and no OAuth dance begins', async () => {
    const refused = await post(LIST);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), null);
    assert.equal((await fetch(`${service.url}/.well-known/oauth-protected-resource`)).status, 404);
  });

  test('the key may come as a bearer token', async () => {
    assert.equal((await post(LIST, { authorization: `Bearer ${service.key}` })).status, 200);
    assert.equal((await post(LIST, { authorization: 'Bearer wrong' })).status, 401);
    // Over REST, too.
    const rest = await fetch(`${service.url}/api/v1/info/status`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.equal(rest.status, 200);
  });

  test('a page of an unknown origin is refused', async () => {
    assert.equal(
      (await post(LIST, { 'x-api-key': service.key, origin: 'https://evil.example' })).status,
      403,
    );
  });

  test('older clients that accept only JSON are served', async () => {
    for (const accept of ['application/json', '*/*']) {
      const answer = await post(LIST, { 'x-api-key': service.key, accept });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(((await answer.json()) as { result: { tools: unknown[] } }).result.tools.length, 14);
    }
  });

  test('there are no sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await fetch(address(), { method, headers: { 'x-api-key': service.key } })).status, 405);
    }
  });

  test('a new request says the same in headers and body', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': INFO,
    };
    const modern = { ...LIST, params: { _meta: envelope } };
    const headers = {
      'x-api-key': service.key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    };
    const good = await post(modern, headers);
    assert.equal(good.status, 200);
    const { result } = (await good.json()) as {
      result: { resultType: string; ttlMs: number; cacheScope: string };
    };
    assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', 3_600_000, 'public']);
    const mismatch = await post(modern, { ...headers, 'mcp-method': 'tools/call' });
    assert.deepEqual(
      [mismatch.status, ((await mismatch.json()) as { error: { code: number } }).error.code],
      [400, -32020],
    );
    const unknown = await post(
      {
        ...modern,
        params: { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
      },
      { ...headers, 'mcp-protocol-version': '2030-01-01' },
    );
    assert.deepEqual(
      [unknown.status, ((await unknown.json()) as { error: { code: number } }).error.code],
      [400, -32022],
    );
    const large = await post({ ...LIST, padding: 'x'.repeat(5_000_000) }, headers);
    assert.equal(large.status, 413);
  });

  test('scopes and rates hold as over REST', async () => {
    const secret = await service.newKey({ scopes: 'analysis' });
    await withAgent(
      () =>
        (AGENTS['v1 client'] as (headers: Record<string, string>) => Promise<Agent>)({ 'x-api-key': secret }),
      async (agent) => {
        const file = await bring(agent, TWO_PAGES);
        assert.ok(!(await agent.call('pdf_analyze', { operation: 'page-count', file })).isError);
        for (const refused of [
          await agent.call('pdf_pages', { operation: 'rotate-pdf', file }),
          await agent.call('pdf_pipeline', { file, steps: [{ op: 'analysis/page-count' }] }),
        ]) {
          assert.match(refused.content[0]?.text ?? '', /Reason: forbidden\nCode: forbidden/);
        }
      },
    );
    const answer = await post(LIST, { 'x-api-key': service.key });
    assert.ok(answer.headers.get('x-ratelimit-limit'));
  });
});

test('an operation is described well enough to call it', () =>
  asAgent(async (agent) => {
    for (const path of Object.keys(OPERATIONS)) {
      const { structuredContent: told } = await agent.call('pdf_describe_operation', { operation: path });
      assert.equal(told?.operation, path);
      assert.match(JSON.stringify(told?.parameters), /^\{"type":"object"/);
    }
    const unknown = await agent.call('pdf_describe_operation', { operation: 'nonsense' });
    assert.match(unknown.content[0]?.text ?? '', /Operations: .*general\/rotate-pdf/);
    const elsewhere = await agent.call('pdf_misc', { operation: 'general/rotate-pdf', file: 'x' });
    assert.match(elsewhere.content[0]?.text ?? '', /general\/rotate-pdf belongs to pdf_pages/);
    const { contents } = await agent.read('pdf://operations/general/rotate-pdf');
    assert.match(contents[0]?.text ?? '', /"angle"/);
  }));

test('nothing to return is no failure', () =>
  asAgent(async (agent) => {
    const file = await bring(agent, TWO_PAGES);
    const none = await agent.call('pdf_filter', {
      operation: 'filter-page-count',
      file,
      parameters: { pageCount: 9, comparator: 'Greater' },
    });
    assert.deepEqual([none.isError ?? false, none.structuredContent?.kind], [false, 'none']);
  }));

describe('what agents see of documents', () => {
  test('pages as images, headers of results, true media types, several files as a list', () =>
    asAgent(async (agent) => {
      const text = await bring(agent, TWO_PAGES);
      const seen = await agent.call('pdf_view_pages', { file: text, pages: [2], dpi: 72 });
      const [, image] = seen.content as unknown as { type: string; data: string; mimeType: string }[];
      assert.equal(image?.type, 'image', seen.content[0]?.text);
      const shown = join(folder, 'seen.png');
      writeFileSync(shown, Buffer.from(image?.data ?? '', 'base64'));
      assert.match(execFileSync('file', [shown], { encoding: 'utf8' }), /PNG image data, 59\d x 84\d/);

      const redacted = await agent.call('pdf_security', {
        operation: 'auto-redact',
        file: text,
        parameters: { listOfText: ['voluptua'] },
      });
      const headers = redacted.structuredContent?.headers as Record<string, string>;
      assert.ok(
        Object.keys(headers).some((name) => /^x-redact/i.test(name)),
        JSON.stringify(headers),
      );

      const word = await agent.call('pdf_convert', { operation: 'pdf/word', file: text });
      assert.match(String(fileOf(word).media_type), /wordprocessingml/);

      const form = await bring(agent, FORM);
      const merged = await agent.call('pdf_pages', { operation: 'merge-pdfs', files: [text, form] });
      assert.equal(pages(await fetchedInto('listed.pdf', merged)), pages(TWO_PAGES) + pages(FORM));
      const metrics = await (await service.fetch('/metrics')).text();
      assert.match(
        metrics,
        /bindery_tool_calls_total\{tool="pdf_pages",operation="general\/merge-pdfs",reason=""\} \d/,
      );
      assert.match(service.output(), /"tool":"pdf_pages"[^\n]*"operation":"general\/merge-pdfs"/);
    }));
});
