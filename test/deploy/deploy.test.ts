// What stands in deploy/ is true of the service: packages, settings, folders. Whether it runs is for `npm run drill
// image` and `npm run drill proxy`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, unknownSettings } from '../../service/src/config.ts';
import { SYSTEM_PACKAGES } from '../../service/src/engines/packages.ts';
import { missing } from '../../service/testing/oracles/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const CHART = join(DEPLOY, 'helm/bindery');
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

const files = (): string[] =>
  readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('every setting that is named is one of the service', () => {
  const unknown = files().flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bBINDERY_[A-Z0-9_]+/g)]
      .map(([name]) => name)
      .filter((name) => unknownSettings({ [name]: '' }).length > 0)
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

describe('the Containerfile', () => {
  const containerfile = read('Containerfile');
  /** Of one stage, what apt installs. */
  const packagesOf = (stage: string): string[] => {
    const text = containerfile.split(/^FROM /m).find((part) => part.includes(` AS ${stage}\n`)) ?? '';
    return [...text.matchAll(/^ {6}([a-z][a-z0-9.+-]+) \\$/gm)].map(([, name = '']) => name);
  };

  test('installs the packages of the engines, each in one size', () => {
    const core = packagesOf('core-system');
    const full = packagesOf('full-system');
    const ofEngines = SYSTEM_PACKAGES.filter((row) => row.for === 'service').flatMap((row) => row.debian);
    const ofTheImage = ['ca-certificates', 'tini'];
    assert.deepEqual([...core, ...full].sort(), [...new Set(ofEngines), ...ofTheImage].sort());
    for (const large of ['tesseract-ocr', 'chromium-headless-shell', 'libreoffice-writer-nogui'])
      assert.ok(full.includes(large));
  });

  test('brings every workspace, without which npm ci fails', () => {
    const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    for (const name of workspaces) {
      assert.ok(containerfile.includes(`COPY ${name}/package.json ${name}/\n`), `COPY ${name}/package.json`);
      assert.ok(kept.includes(`!${name}`), `.dockerignore keeps ${name} out`);
    }
  });

  test('ends as nobody special', () => {
    const stages = containerfile.split(/^FROM /m);
    for (const size of ['core', 'full'])
      assert.match(stages.find((part) => part.includes(` AS ${size}\n`)) ?? '', /^USER 10001:10001$/m);
  });
});

interface ComposeService {
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  tmpfs?: string[];
  depends_on?: unknown;
}

describe('compose.yaml', () => {
  const given: Record<string, string> = {
    DOMAIN: 'pdf.example.org',
    FIRST_API_KEY: 'a-key-of-16-characters',
  };
  /** As compose does it. */
  const filledIn = read('compose.yaml').replace(
    /\$\{(\w+)(?::(-|\?)([^}]*))?\}/g,
    (_, name: string, kind: string, word: string) => given[name] ?? (kind === '-' ? word : 'secret'),
  );
  const { services } = parse(filledIn, { merge: true }) as { services: Record<string, ComposeService> };
  const asText = (values: object = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const nodes = Object.entries(services).filter(([, { environment }]) => environment?.BINDERY_ROLE);

  test('has two nodes of each role, whose settings the service takes', () => {
    const roles = nodes.map(([, { environment }]) => readConfig(asText(environment)).role);
    assert.deepEqual(roles.sort(), ['api', 'api', 'worker', 'worker']);
    for (const [, { environment }] of nodes) {
      const { shared, baseUrl } = readConfig(asText(environment));
      assert.equal(shared?.redisUrl, 'redis://:secret@valkey:6379/0');
      assert.equal(shared?.bucket.endpoint, 'http://s3:7070');
      assert.equal(baseUrl, 'https://pdf.example.org');
    }
  });

  test('lets no node write but where it must', () => {
    for (const [name, node] of nodes) {
      assert.equal(node.read_only, true, name);
      assert.deepEqual(node.cap_drop, ['ALL'], name);
      assert.deepEqual(
        node.tmpfs?.map((each) => each.split(':')[0]),
        ['/tmp', '/var/lib/bindery'],
      );
    }
  });

  test('asks for nothing that env.example does not have, and for nothing unnamed', () => {
    const known = new Set([...read('env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name));
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    assert.deepEqual(
      [...new Set(asked)].filter((name) => !known.has(name)),
      [],
    );
  });

  test('sends callers to the nodes that the proxies know', () => {
    for (const proxy of ['Caddyfile', 'nginx.conf']) {
      const named = new Set([...read(proxy).matchAll(/\b([a-z]+-\d):8080\b/g)].map(([, name = '']) => name));
      assert.deepEqual([...named].sort(), ['api-1', 'api-2']);
    }
    assert.ok('api-1' in services && 'api-2' in services);
  });
});

describe('the Helm chart', () => {
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>;

  test('asks for no value that is not there', () => {
    const wanted = files()
      .filter((path) => path.startsWith(join(CHART, 'templates')))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\.Values((?:\.\w+)+)/g)])
      .map(([, path = '']) => path.slice(1));
    const absent = wanted.filter((path) => {
      let at: unknown = values;
      for (const name of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[name];
      return at === undefined;
    });
    assert.deepEqual(absent, []);
  });

  test('is of the version of the service', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, string>;
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  });

  test('renders to manifests whose settings the service takes', { skip: missing('helm') }, () => {
    const rendered = spawnSync('helm', ['template', 'pdf', CHART, '--kube-version', '1.31.0'], {
      encoding: 'utf8',
    });
    assert.equal(rendered.status, 0, rendered.stderr);
    const manifests = parseAllDocuments(rendered.stdout).map((each) => each.toJS() as Manifest | null);
    const deployments = manifests.filter((each) => each?.kind === 'Deployment');
    assert.equal(deployments.length, 2);
    for (const deployment of deployments) {
      const { env } = deployment?.spec.template.spec.containers[0] ?? { env: [] };
      const config = readConfig({
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
        BINDERY_REDIS_URL: 'redis://somewhere:6379',
      });
      assert.ok(['api', 'worker'].includes(config.role));
    }
  });
});

interface Manifest {
  kind: string;
  spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } };
}

test('the unit is one for systemd', { skip: missing('systemd-analyze') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-unit-'));
  try {
    const unit = join(folder, 'bindery.service');
    // Where the service would be is nothing on this machine.
    const text = read('bindery.service')
      .replace('ExecStart=/opt/bindery/node_modules/node/bin/node', `ExecStart=${process.execPath}`)
      .replace('WorkingDirectory=/opt/bindery', `WorkingDirectory=${folder}`);
    writeFileSync(unit, text);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    const ofOurs = stderr.split('\n').filter((line) => line.includes('bindery.service'));
    assert.deepEqual([status, ofOurs], [0, []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
