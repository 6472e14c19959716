// The local server as an agent's host starts it, with both official clients, against a real service.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Bindery } from '@bindery/sdk';
import { CATALOGUE } from '@bindery/sdk/catalogue';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fixture, type RunningService, startService } from '../../test/service.ts';

const BIN = join(import.meta.dirname, '..', 'bin', 'bindery-mcp.cjs');

interface Called {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}
interface Agent {
  tools(): Promise<
    { name: string; inputSchema: unknown; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[]
  >;
  call(name: string, args: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

let service: RunningService;
let folder: string;
let outside: string;
before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-agent-'));
  outside = mkdtempSync(join(tmpdir(), 'bindery-outside-'));
  copyFileSync(fixture('text-two-pages.pdf'), join(folder, 'a.pdf'));
  copyFileSync(fixture('form-fields.pdf'), join(folder, 'form.pdf'));
  copyFileSync(fixture('text-two-pages.pdf'), join(outside, 'secret.pdf'));
  symlinkSync(join(outside, 'secret.pdf'), join(folder, 'link.pdf'));
  symlinkSync(outside, join(folder, 'way-out'));
});
after(async () => {
  await (await kept)?.close();
  await service?.remove();
  for (const each of [folder, outside]) rmSync(each, { recursive: true, force: true });
});

const settings = () => ({
  command: BIN,
  env: {
    PATH: process.env.PATH ?? '',
    BINDERY_URL: service.url,
    BINDERY_API_KEY: service.key,
    BINDERY_ALLOWED_DIRS: folder,
  },
});

const AGENTS: Record<string, () => Promise<Agent>> = {
  'v2 client, 2026-07-28': () => newAgent({ versionNegotiation: { mode: 'auto' } }),
  'v2 client, 2025-11-25': () => newAgent({}),
  'v1 client': async () => {
    const client = new OldClient({ name: 'test', version: '1' });
    await client.connect(new OldTransport(settings()) as never);
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as Called,
      close: () => client.close(),
    };
  },
};

async function newAgent(options: ConstructorParameters<typeof NewClient>[1]): Promise<Agent> {
  const client = new NewClient({ name: 'test', version: '1' }, options);
  await client.connect(new NewTransport(settings()));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as Called,
    close: () => client.close(),
  };
}

async function withAgent<T>(make: () => Promise<Agent>, use: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = await make();
  try {
    return await use(agent);
  } finally {
    await agent.close();
  }
}
/** One server for all of these, as an agent's host keeps one up: a start takes longer than most calls. */
async function asAgent<T>(use: (agent: Agent) => Promise<T>): Promise<T> {
  kept ??= (AGENTS['v1 client'] as () => Promise<Agent>)();
  return use(await kept);
}
let kept: Promise<Agent> | undefined;
const pages = (path: string): number =>
  Number(/^Pages:\s+(\d+)/m.exec(execFileSync('pdfinfo', [path], { encoding: 'utf8' }))?.[1]);
const saidBy = ({ content }: Called): string => content[0]?.text ?? '';

for (const [name, make] of Object.entries(AGENTS)) {
  test(`${name}: every operation is there, and files of this machine are worked on`, () =>
    withAgent(make, async (agent) => {
      const tools = await agent.tools();
      const reached = tools.flatMap(
        ({ inputSchema }) =>
          (inputSchema as { properties: { operation?: { enum?: string[] } } }).properties.operation?.enum ??
          [],
      );
      const { unavailable = {} } = await new Bindery({ baseUrl: service.url, apiKey: service.key }).status();
      assert.equal(reached.length + Object.keys(unavailable).length, Object.keys(CATALOGUE).length);
      const bytes = Buffer.byteLength(JSON.stringify({ tools }));
      assert.ok(bytes < 20_000, `${bytes} bytes`);
      // Hosts run such tools unasked; all others may write a file here.
      const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint !== false);
      assert.deepEqual(
        readOnly.map(({ name: tool }) => tool),
        ['pdf_describe_operation', 'pdf_view_pages', 'pdf_list_files'],
      );
      const output = `out/${name.replaceAll(/\W/g, '')}.pdf`;
      const merged = await agent.call('pdf_pages', {
        operation: 'merge-pdfs',
        files: ['a.pdf', join(folder, 'form.pdf')],
        output_name: output,
      });
      assert.equal(merged.structuredContent?.path, join(folder, output), saidBy(merged));
      assert.equal(pages(join(folder, output)), 2 + pages(join(folder, 'form.pdf')));
      const counted = await agent.call('pdf_analyze', { operation: 'page-count', file: 'a.pdf' });
      assert.deepEqual(counted.structuredContent, {
        operation: 'analysis/page-count',
        kind: 'json',
        data: { pageCount: 2 },
      });
    }));
}

test('a form is filled and a pipeline is run, beside the input', () =>
  asAgent(async (agent) => {
    const filled = await agent.call('pdf_form', {
      operation: 'fill',
      file: 'form.pdf',
      parameters: { data: {} },
    });
    assert.equal(filled.structuredContent?.path, join(folder, 'form-fill.pdf'), saidBy(filled));
    const again = await agent.call('pdf_form', {
      operation: 'fill',
      file: 'form.pdf',
      parameters: { data: {} },
    });
    assert.equal(again.structuredContent?.path, join(folder, 'form-fill-2.pdf'));
    const piped = await agent.call('pdf_pipeline', {
      file: 'a.pdf',
      steps: [
        { op: 'overlay-pdfs', params: { overlayFiles: 'a.pdf', overlayMode: 'SequentialOverlay' } },
        { op: 'general/rotate-pdf', params: { angle: 90 } },
      ],
    });
    assert.equal(piped.structuredContent?.path, join(folder, 'a-pipeline.pdf'), saidBy(piped));
    assert.equal(pages(join(folder, 'a-pipeline.pdf')), 2);
  }));

test('operations are described', () =>
  asAgent(async (agent) => {
    const told = await agent.call('pdf_describe_operation', { operation: 'rotate-pdf' });
    assert.match(JSON.stringify(told.structuredContent?.parameters), /"angle"/);
  }));

describe('refusals', () => {
  const cases: [name: string, tool: string, args: Record<string, unknown>, said: RegExp][] = [
    [
      'a file elsewhere',
      'pdf_analyze',
      { operation: 'page-count', file: '/etc/passwd' },
      /outside of the allowed folders.*\nReason: input_unreadable\nCode: input_unreadable\nHint: /,
    ],
    [
      'a link that leads out',
      'pdf_analyze',
      { operation: 'page-count', file: 'link.pdf' },
      /outside of the allowed folders/,
    ],
    [
      'a way out by dots',
      'pdf_analyze',
      { operation: 'page-count', file: '../../etc/passwd' },
      /outside|no such file/,
    ],
    [
      'a result elsewhere',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', output_name: '/tmp/bindery-never.pdf' },
      /^output_name: .* outside of the allowed folders.*\nReason: invalid_parameter\nCode: bad_request\nHint: /,
    ],
    [
      'a misspelt parameter',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', parameters: { angel: 180 } },
      /"angel" is not a parameter of general\/rotate-pdf; did you mean angle\?\nReason: invalid_parameter/,
    ],
    [
      'a parameter among the arguments',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', params: { angle: 180 } },
      /"params" is not an argument; did you mean parameters\?\nReason: invalid_parameter/,
    ],
    [
      'a file for a field that is none',
      'pdf_misc',
      { operation: 'add-image', file: 'a.pdf', files: { imageFile: 'a.pdf', image: 'a.pdf' } },
      /"image" is not a parameter of misc\/add-image; did you mean imageFile\?/,
    ],
    [
      'a misspelt parameter of a step',
      'pdf_pipeline',
      { file: 'a.pdf', steps: [{ op: 'repair' }, { op: 'rotate-pdf', params: { angel: 180 } }] },
      /"angel".*did you mean angle\?[\s\S]*Step: 1 \(general\/rotate-pdf\)/,
    ],
    [
      'a misspelt word of a step',
      'pdf_pipeline',
      { file: 'a.pdf', steps: [{ op: 'rotate-pdf', parms: { angle: 180 } }] },
      /steps\.0 has no "parms"; did you mean params\?/,
    ],
    [
      'a folder for a result',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', output_name: '.' },
      /^output_name: \. is a folder\.\nReason: invalid_parameter/,
    ],
    ['no file', 'pdf_pages', { operation: 'rotate-pdf' }, /^file is required: /],
    ['no further file', 'pdf_misc', { operation: 'add-image', file: 'a.pdf' }, /^files\.imageFile is req/],
    ['no file for steps', 'pdf_pipeline', { steps: [{ op: 'rotate-pdf' }] }, /^file is required: /],
    ['no operation', 'pdf_pages', { file: 'a.pdf' }, /^operation must be text\.\nReason: invalid_parameter/],
    [
      'parameters that are none',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', parameters: 'x' },
      /^parameters must be an object/,
    ],
    [
      'a failing step',
      'pdf_pipeline',
      {
        file: 'a.pdf',
        steps: [{ op: 'rotate-pdf' }, { op: 'rotate-pdf', params: { pageNumbers: '9' } }],
      },
      /Reason: page_out_of_range[\s\S]*\nStep: 1 \(general\/rotate-pdf\)\nFile: a_rotated\.pdf$/,
    ],
    [
      'a result by a linked folder',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', output_name: 'way-out/x.pdf' },
      /outside of the allowed folders/,
    ],
    [
      'a file field elsewhere',
      'pdf_pipeline',
      { file: 'a.pdf', steps: [{ op: 'overlay-pdfs', params: { overlayFiles: '/etc/passwd' } }] },
      /outside of the allowed folders/,
    ],
    [
      'a file among the parameters',
      'pdf_convert',
      { operation: 'file/pdf', file: 'a.pdf', parameters: { fileInput: '/etc/hostname' } },
      /^parameters\.fileInput is a file: name its path in file\.\nReason: invalid_parameter/,
    ],
    [
      'a further file among the parameters',
      'pdf_misc',
      {
        operation: 'add-stamp',
        file: 'a.pdf',
        parameters: { stampType: 'image', stampImage: '/etc/hostname' },
      },
      /^parameters\.stampImage is a file: name its path in files\.stampImage\./,
    ],
    [
      'no such file',
      'pdf_analyze',
      { operation: 'page-count', file: 'none.pdf' },
      /no such file.*\nReason: input_unreadable/,
    ],
    [
      'a file that exists',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', output_name: 'form.pdf' },
      /exists already.*\nReason: invalid_parameter/,
    ],
    [
      'a bad value',
      'pdf_pages',
      { operation: 'rotate-pdf', file: 'a.pdf', parameters: { angle: 45 } },
      /angle.*\nReason: invalid_parameter\nCode: bad_request\nHint: /,
    ],
    [
      'nothing to return',
      'pdf_filter',
      { operation: 'filter-page-count', file: 'a.pdf', parameters: { pageCount: 9, comparator: 'Greater' } },
      /Reason: no_content\nCode: no_content/,
    ],
    [
      'an operation of another tool',
      'pdf_misc',
      { operation: 'general/rotate-pdf', file: 'a.pdf' },
      /no operation "general\/rotate-pdf" in this tool/,
    ],
  ];
  for (const [name, tool, args, said] of cases) {
    test(name, () =>
      asAgent(async (agent) => {
        const before = readFileSync(join(folder, 'form.pdf'));
        const called = await agent.call(tool, args);
        assert.equal(called.isError, true, JSON.stringify(called.structuredContent));
        assert.match(saidBy(called), said);
        assert.ok(readFileSync(join(folder, 'form.pdf')).equals(before));
        assert.equal(existsSync(join(outside, 'x.pdf')), false);
      }),
    );
  }

  test('nobody there', async () => {
    const client = new NewClient({ name: 'test', version: '1' });
    const { command, env } = settings();
    await client.connect(new NewTransport({ command, env: { ...env, BINDERY_URL: 'http://127.0.0.1:1' } }));
    const called = (await client.callTool({
      name: 'pdf_analyze',
      arguments: { operation: 'page-count', file: 'a.pdf' },
    })) as Called;
    assert.match(saidBy(called), /Reason: network_error\nCode: network_error/);
    await client.close();
  });

  test('without a key it does not start, and says why', () => {
    const { status, stderr, stdout } = spawnSync(BIN, [], {
      env: { PATH: process.env.PATH },
      input: '',
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /BINDERY_API_KEY is not set/);
  });

  test('a time that is none', () => {
    const env = { PATH: process.env.PATH, BINDERY_API_KEY: 'k', BINDERY_TIMEOUT_MS: '5 min' };
    const { status, stderr } = spawnSync(BIN, [], { env, input: '', encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /BINDERY_TIMEOUT_MS is "5 min"/);
  });

  test('a folder that is not there', () => {
    const env = { PATH: process.env.PATH, BINDERY_API_KEY: 'k', BINDERY_ALLOWED_DIRS: '/nowhere/at/all' };
    const { status, stderr } = spawnSync(BIN, [], { env, input: '', encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /BINDERY_ALLOWED_DIRS/);
  });
});

test('text that is too long to be shown is kept beside the input, and its beginning shown', () =>
  asAgent(async (agent) => {
    const read = await agent.call('pdf_convert', { operation: 'pdf/text-editor', file: 'a.pdf' });
    const path = join(folder, 'a-pdf-text-editor.json');
    assert.equal(read.structuredContent?.path, path, saidBy(read).slice(0, 500));
    assert.equal(read.structuredContent?.truncated, true);
    const whole = readFileSync(path, 'utf8');
    const shown = String(read.structuredContent?.text);
    assert.ok(Buffer.byteLength(whole) > 64 * 1024 && Buffer.byteLength(shown) <= 64 * 1024);
    assert.ok(whole.startsWith(shown));
    assert.equal(Array.isArray(JSON.parse(whole).pages), true);
  }));

test('calls at once do not take the same place', () =>
  asAgent(async (agent) => {
    const call = () => agent.call('pdf_pages', { operation: 'remove-image-pdf', file: 'a.pdf' });
    const made = await Promise.all([call(), call(), call(), call()]);
    const paths = made.map(({ structuredContent }) => String(structuredContent?.path));
    assert.deepEqual(
      paths.sort(),
      ['', '-2', '-3', '-4'].map((number) => join(folder, `a-remove-image-pdf${number}.pdf`)).sort(),
      made.map(saidBy).join('\n'),
    );
    for (const path of paths) assert.equal(pages(path), 2);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    );
  }));

test('links to results are addresses, whatever the name of the file', () =>
  asAgent(async (agent) => {
    const output = 'mit Blank/50 % von #1 ä.pdf';
    const made = await agent.call('pdf_pages', {
      operation: 'rotate-pdf',
      file: 'a.pdf',
      output_name: output,
    });
    const link = made.content[1] as { uri?: string } | undefined;
    assert.equal(fileURLToPath(link?.uri ?? ''), join(folder, output), saidBy(made));
    assert.equal(pages(fileURLToPath(link?.uri ?? '')), 2);
  }));

test('folders with other names are made as needed', () =>
  asAgent(async (agent) => {
    mkdirSync(join(folder, 'there'));
    writeFileSync(join(folder, 'there', 'x'), '');
    const made = await agent.call('pdf_pages', {
      operation: 'rotate-pdf',
      file: 'a.pdf',
      output_name: 'there/deep/er/r.pdf',
    });
    assert.equal(made.structuredContent?.path, join(folder, 'there/deep/er/r.pdf'), saidBy(made));
  }));

test('pages are shown as images, operations described by the name of their tool, with an example', () =>
  asAgent(async (agent) => {
    const seen = await agent.call('pdf_view_pages', { file: 'a.pdf', pages: [1, 2], dpi: 72 });
    const images = seen.content.slice(1) as unknown as { type: string; data: string; mimeType: string }[];
    assert.deepEqual(
      images.map(({ type, mimeType }) => [type, mimeType]),
      [
        ['image', 'image/png'],
        ['image', 'image/png'],
      ],
      saidBy(seen),
    );
    // The signature of PNG, then the width in points of the page.
    const png = Buffer.from(images[0]?.data ?? '', 'base64');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(Math.abs(png.readUInt32BE(16) - 595) <= 20, String(png.readUInt32BE(16)));
    const far = await agent.call('pdf_view_pages', { file: 'a.pdf', pages: [9] });
    assert.match(saidBy(far), /Reason: page_out_of_range/);
    const many = await agent.call('pdf_view_pages', { file: 'a.pdf', pages: [1, 1, 1, 1, 1] });
    assert.match(saidBy(many), /^pages must be a list of 1 to 4 page numbers/);
    const told = await agent.call('pdf_describe_operation', { operation: 'pages/rotate-pdf' });
    assert.deepEqual(told.structuredContent?.example, {
      operation: 'rotate-pdf',
      file: 'document.pdf',
      parameters: { angle: 90, pageNumbers: '1' },
    });
  }));

test('files of the allowed folders are listed and searched, others are not', () =>
  asAgent(async (agent) => {
    const names = async (args: Record<string, unknown>) => {
      const { structuredContent } = await agent.call('pdf_list_files', args);
      const files = (structuredContent?.files ?? []) as { path: string; media_type: string }[];
      return files.map(({ path, media_type }) => `${path.replace(`${folder}/`, '')} ${media_type}`);
    };
    const all = await names({});
    assert.ok(all.includes('a.pdf application/pdf'), all.join('\n'));
    const forms = await names({ search: 'FORM pdf' });
    assert.ok(
      forms.includes('form.pdf application/pdf') && !forms.includes('a.pdf application/pdf'),
      forms.join(),
    );
    assert.deepEqual(await names({ search: 'passwd' }), []);
    const outside = await agent.call('pdf_list_files', { folder: '/etc' });
    assert.match(saidBy(outside), /outside of the allowed folders/);
  }));

test('what the service tells in headers stands in the result', () =>
  asAgent(async (agent) => {
    const filled = await agent.call('pdf_form', {
      operation: 'fill',
      file: 'form.pdf',
      parameters: { data: { 'no such field': 'x' } },
      output_name: 'told.pdf',
    });
    const headers = filled.structuredContent?.headers as Record<string, string> | undefined;
    assert.equal(headers?.['x-unknown-form-fields'], 'no%20such%20field', saidBy(filled));
  }));
