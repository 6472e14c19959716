// The README's quick starts, as they are written: every block is run against a service.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fixture, type RunningService, startService } from './service.ts';

const ROOT = resolve(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

let service: RunningService;
let folder: string;
const BUILT = join(ROOT, 'dist');
const wasBuilt = existsSync(BUILT);
before(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'bindery-readme-'));
  for (const name of ['report.pdf', 'a.pdf', 'b.pdf'])
    copyFileSync(fixture('text-two-pages.pdf'), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
  if (!wasBuilt) rmSync(BUILT, { recursive: true, force: true });
});

/** The blocks of one language under a heading. */
function blocks(heading: string, language: string): string[] {
  const level = /^#+/.exec(heading)?.[0].length ?? 2;
  const from = README.indexOf(`${heading}\n`);
  assert.ok(from >= 0, heading);
  const rest = README.slice(from + heading.length);
  const section = rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (found) => found[1] ?? '',
  );
}

/** Programs of the user's own, not those npm lends to a script: what the README says must work without them. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((place) => !place.includes('node_modules') && !place.includes('node-gyp-bin'))
  .join(':');

/** Only what differs on each machine is filled in: the key, the address, the folders. */
const filledIn = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('bdy_...', service.key)
    .replaceAll('<API_KEY>', service.key)
    .replaceAll('/home/me/documents', folder)
    .replaceAll('/path/to/bindery', ROOT);

/** `folder` is as good as the clone: its packages are there. Nothing is to come from the registry. */
function shell(script: string, cwd = folder): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', filledIn(script)], {
    cwd,
    encoding: 'utf8',
    env: { PATH, HOME: folder, npm_config_offline: 'true', npm_config_audit: 'false' },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

const pages = (name: string): number =>
  Number(/^Pages:\s+(\d+)/m.exec(execFileSync('pdfinfo', [join(folder, name)], { encoding: 'utf8' }))?.[1]);

test('curl', () => {
  const [script = ''] = blocks('### curl', 'sh');
  assert.match(shell(script), /\{"pageCount":2\}/);
  assert.deepEqual([pages('rotated.pdf'), pages('both.pdf')], [2, 4]);
  rmSync(join(folder, 'rotated.pdf'));
  rmSync(join(folder, 'both.pdf'));
});

test('command line', () => {
  const [script = ''] = blocks('### Command line', 'sh');
  const address = `export BINDERY_URL=${service.url}\n`;
  assert.match(shell(address + script), /"pageCount": 4/);
  assert.deepEqual(
    [pages('merged.pdf'), pages('turned.pdf'), pages('repaired.pdf'), pages('rotated/a_rotated.pdf')],
    [4, 2, 2, 2],
  );
});

test('the command as a command of its own', () => {
  const [, script = ''] = blocks('### Command line', 'sh');
  const anywhere = `cd / && export PATH="$HOME/.local/bin:$PATH"`;
  // Linked from the clone, called from elsewhere.
  const [link = '', complete = ''] = script.split('\n');
  const told = 'bindery --version && complete -p bindery';
  assert.match(
    shell(`${link}\n${anywhere}\n${complete}\n${told}`, ROOT),
    /^\d+\.\d+\.\d+\ncomplete .*bindery$/m,
  );
});

/** The user's Node where it is new enough for the SDK, else ours. */
function usersNode(): string {
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: { PATH } });
  const [major = 0, minor = 0] = (stdout ?? '').slice(1).split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 16) ? 'node' : process.execPath;
}

test('JavaScript', () => {
  const [build = '', install = ''] = (blocks('### JavaScript and TypeScript', 'sh')[0] ?? '').split('\n');
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  for (const name of ['report.pdf', 'a.pdf', 'b.pdf']) copyFileSync(join(folder, name), join(project, name));
  shell(build, ROOT);
  shell(install, project);
  const [program = ''] = blocks('### JavaScript and TypeScript', 'js');
  for (const [place, node] of [
    [project, usersNode()],
    // In the clone, with what `npx node` finds there.
    [folder, join(ROOT, 'node_modules', '.bin', 'node')],
  ] as const) {
    writeFileSync(join(place, 'program.mjs'), filledIn(program));
    const printed = execFileSync(node, ['program.mjs'], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH, BINDERY_API_KEY: service.key },
    });
    assert.match(printed, /^2 \S+_page_numbers_added\.pdf/);
  }
  assert.deepEqual([pages('numbered.pdf'), pages('project/numbered.pdf')], [4, 4]);
});

interface Configured {
  url?: string;
  headers?: Record<string, string>;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
}

test('agents, by the configuration of their host', async () => {
  const configurations = blocks('### Agents', 'json').map(
    (text) => (JSON.parse(filledIn(text)) as { mcpServers: { bindery: Configured } }).mcpServers.bindery,
  );
  assert.equal(configurations.length, 2);
  for (const { url, headers, command, args, env } of configurations) {
    const client = new Client({ name: 'readme', version: '1' });
    await client.connect(
      url === undefined
        ? new StdioClientTransport({
            command: String(command),
            args: args ?? [],
            // Hosts start servers wherever they like.
            cwd: '/',
            env: { ...env, PATH, HOME: folder },
          })
        : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? {} } }),
    );
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'pdf_pages'));
    await client.close();
  }
});

test('keys', () => {
  const [script = ''] = blocks('## Keys', 'sh');
  const created = script.split('\n').find((line) => line.includes('keys create')) ?? '';
  assert.match(shell(`export BINDERY_DATA_DIR=${service.dataDir}\n${created}`), /bdy_/);
});
