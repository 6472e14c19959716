import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const {
  testRun,
}: {
  testRun(args: string[]): { args: string[]; env: Record<string, string> };
} = require('./test-arguments.cjs');
const npmPackages: {
  isNewEnough(version: string): boolean;
  packagesForHere(lock: { packages: object }): { where: string; name: string; version: string }[];
} = require('./npm-packages.cjs');

const temporary = mkdtempSync(join(tmpdir(), 'bindery-launcher-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

const STAND_IN = `
process.on('SIGTERM', () => process.exit(7));
process.on('SIGINT', () => process.exit(8));
setInterval(() => {}, 1000);
console.log('started', process.version);
`;

/** A checkout with the real launcher and packages, and a program of our own in the service's place. */
function checkout(name: string, main = STAND_IN): string {
  const root = join(temporary, name);
  mkdirSync(join(root, 'service/src/engines'), { recursive: true });
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'scripts', 'service/src/engines/packages.ts']) {
    cpSync(join(ROOT, file), join(root, file), { recursive: true });
  }
  cpSync(join(ROOT, 'node_modules/.package-lock.json'), join(root, 'node_modules/.package-lock.json'));
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const { where, version } of npmPackages.packagesForHere(lock)) {
    mkdirSync(join(root, where), { recursive: true });
    writeFileSync(join(root, where, 'package.json'), JSON.stringify({ version }));
  }
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'));
  writeFileSync(join(root, 'service/src/main.ts'), main);
  return root;
}

// Empty of npm and apt: whoever needs either fails.
const bare = { ...process.env, PATH: '/nonexistent', npm_execpath: '' };
const launch = (root: string, ...args: string[]) =>
  spawnSync(process.execPath, ['scripts/bindery.cjs', ...args], { cwd: root, env: bare, encoding: 'utf8' });

async function firstOutput(child: ChildProcess): Promise<string> {
  const { promise, resolve: heard } = Promise.withResolvers<string>();
  child.stdout?.once('data', (part) => heard(String(part)));
  child.once('exit', (code) => heard(`exit ${code}`));
  return promise;
}

const NEWER_THAN_NODE_12 = [
  /\?\.[a-z[(]/i,
  /\?\?/,
  /catch \{/,
  /\|\|=|&&=/,
  /'node:/,
  /\bhasOwn\b|replaceAll|\.at\(|\.flat\(|fromEntries|rmSync/,
];

test('what runs before the pinned Node keeps to what Node 12 understands', () => {
  for (const name of ['bindery.cjs', 'npm-packages.cjs', 'supervisor.cjs', 'test-arguments.cjs']) {
    const code = readFileSync(join(ROOT, 'scripts', name), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (const newer of NEWER_THAN_NODE_12) assert.doesNotMatch(code, newer);
  }
});

test('a start needs neither npm nor apt when nothing changed, and later starts go by the stamp', () => {
  const root = checkout('fresh', 'console.log("started", process.version, process.env.PATH)');
  const first = launch(root, 'start');
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /^started v\d+/);
  assert.match(first.stdout, /node_modules\/node\/bin:/);
  rmSync(join(root, 'node_modules/.package-lock.json'));
  assert.equal(launch(root, 'start').status, 0);
});

test('a changed lock calls npm, and a failing npm is told plainly', () => {
  const root = checkout('changed');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  lock.packages['node_modules/zod'].version = '0.0.1';
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lock));
  const ended = launch(root, 'start');
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /bringing npm packages up to date[\s\S]*installing npm packages/);
  assert.match(ended.stderr, /could not install the packages/);
  assert.equal(existsSync(join(root, 'node_modules/.bindery/lock.sha256')), false);
});

test('a folder of somebody else is told plainly, before npm is called', (t) => {
  const root = checkout('of-somebody-else');
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  chmodSync(temporary, 0o755);
  chmodSync(root, 0o555);
  const asRoot = process.getuid?.() === 0;
  const started = spawnSync(process.execPath, ['scripts/bindery.cjs', 'start'], {
    cwd: root,
    env: bare,
    encoding: 'utf8',
    ...(asRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  if (started.error) return t.skip('nobody cannot run this Node');
  assert.equal(started.status, 1);
  assert.match(started.stderr, /^bindery: npm packages belong into .*, which this user cannot write\. Make/);
});

for (const [name, bin] of [
  ['bindery', 'cli/bin/bindery.cjs'],
  ['bindery-mcp', 'mcp/bin/bindery-mcp.cjs'],
] as const) {
  test(`${name} without its packages says how to get them`, () => {
    const clone = join(temporary, `bare-${name}`);
    cpSync(join(ROOT, bin), join(clone, bin));
    const { status, stderr } = spawnSync(process.execPath, [join(clone, bin)], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.equal(stderr, `${name}: its packages are not installed. Run "npm run setup" in ${clone} first.\n`);
  });
}

test('packages of other platforms are not asked for', () => {
  const other = process.arch === 'x64' ? 'arm64' : 'x64';
  const packages = {
    '': {},
    service: {},
    'node_modules/@bindery/service': { link: true },
    'node_modules/plain': { version: '1.0.0' },
    'node_modules/a/node_modules/@scope/here': {
      version: '2.0.0',
      os: [process.platform],
      cpu: [process.arch],
    },
    'node_modules/there': { version: '1.0.0', cpu: [other] },
    'node_modules/part-of-there': { version: '1.0.0', optional: true },
    'node_modules/musl': { version: '1.0.0', os: [process.platform], libc: ['musl'] },
  };
  const names = npmPackages.packagesForHere({ packages }).map(({ name, version }) => `${name}@${version}`);
  assert.deepEqual(names, ['plain@1.0.0', '@scope/here@2.0.0']);
});

test('signals reach the service, and its exit code comes back', async () => {
  const root = checkout('signals');
  for (const [signal, expected] of [
    ['SIGTERM', 7],
    ['SIGINT', 8],
  ] as const) {
    const child = spawn(process.execPath, ['scripts/bindery.cjs', 'start'], {
      cwd: root,
      env: bare,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    assert.match(await firstOutput(child), /^started/);
    child.kill(signal);
    const { promise, resolve: ended } = Promise.withResolvers<number | null>();
    child.once('exit', ended);
    assert.equal(await promise, expected);
  }
});

test('an unknown command is refused with the list of commands', () => {
  const ended = launch(ROOT, 'fly');
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /"fly" is not a command; there are start, test/);
});

test('test arguments: folders, files and options narrow the run', () => {
  process.chdir(ROOT);
  for (const [args, runs] of [
    [[], 'scripts/test-run.ts'],
    [['--test-only'], '--test-reporter=spec'],
  ] as const) {
    const all = testRun([...args]).args;
    assert.ok(all.includes(runs));
    assert.ok(all.includes('service/src/**/*.test.ts') && all.includes('scripts/**/*.test.ts'));
  }
  const narrowed = testRun(['scripts/', '--test-reporter=dot', 'package.json']).args;
  assert.deepEqual(narrowed.slice(-2), ['scripts/**/*.test.ts', 'package.json']);
  assert.ok(narrowed.includes('--test-reporter=dot') && !narrowed.includes('--test-reporter=spec'));
});

test('test arguments: an operation is its tests and its laws', () => {
  process.chdir(ROOT);
  const laws = 'service/src/operations/laws.test.ts';
  const one = testRun(['security/redact']);
  assert.deepEqual(one.env, { LAWS_OF: 'security/redact' });
  const files = one.args.filter((arg) => arg.endsWith('.test.ts'));
  assert.ok(files.includes(laws) && files.includes('service/src/operations/security/redact.test.ts'));
  assert.ok(files.includes('service/src/operations/security/redact.constructions.test.ts'));
  assert.ok(
    files.every((file) => file === laws || file.includes('/security/redact.')),
    files.join(' '),
  );
  assert.deepEqual(testRun(['rotate-pdf']), testRun(['general/rotate-pdf']));
  assert.match(testRun(['filter']).env.LAWS_OF ?? '', /^filter\/[^,]+(?:,filter\/[^,]+)+$/);
  assert.deepEqual(testRun(['service/src/operations/filter']).env, {});
});

test('what is no file, folder or operation is told so, with what is alike', () => {
  const ended = spawnSync(process.execPath, ['scripts/bindery.cjs', 'test', 'general/rotate-pfd'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /"general\/rotate-pfd" is neither a file, a folder nor an operation here/);
  assert.match(ended.stderr, /Operations alike: .*general\/rotate-pdf/);
});

test('a Node of the machine is good enough from 24.15', () => {
  const cases = { 'v12.22.9': false, 'v24.14.1': false, 'v24.15.0': true, 'v25.0.0': true };
  for (const [version, expected] of Object.entries(cases))
    assert.equal(npmPackages.isNewEnough(version), expected, version);
});
