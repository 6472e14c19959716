import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createLog } from '../../service/src/contract/log.ts';
import { openEmbeddedState } from '../../service/src/state/embedded/embedded.ts';
import type { State } from '../../service/src/state/state.ts';

const BIN = resolve(import.meta.dirname, '..', 'bin', 'bindery.cjs');
const KEY_ID = /key_[a-z2-7]{12}/;
const SECRET = /bdy_[\w-]{43}/;

const NO_GROFF = spawnSync('groff', ['--version']).status === 0 ? false : 'not installed: groff';

it('has a manual page that renders without a warning', { skip: NO_GROFF }, () => {
  const page = resolve(import.meta.dirname, '..', 'man', 'bindery.1');
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', '-P-cbou', page], {
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /\n {7}merge[\s\S]*\nENVIRONMENT\n {7}BINDERY_URL\n/);
});

describe('bindery', () => {
  let dataDir: string;
  let state: State | undefined;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'bindery-cli-'));
    state = undefined;
  });
  afterEach(async () => {
    await state?.close();
    await rm(dataDir, { recursive: true });
  });

  function bindery(...args: string[]) {
    const env = { PATH: process.env.PATH, BINDERY_DATA_DIR: dataDir };
    const { status, stdout, stderr } = spawnSync(BIN, args, { env, cwd: tmpdir(), encoding: 'utf8' });
    return { status, stdout, stderr };
  }
  function succeeds(...args: string[]): string {
    const { status, stdout, stderr } = bindery(...args);
    assert.deepEqual([status, stderr], [0, ''], args.join(' '));
    return stdout;
  }
  const startState = async () => {
    state = await openEmbeddedState({ dataDir, log: createLog('silent') });
    return state;
  };

  it('explains itself', () => {
    assert.match(
      succeeds('--help'),
      /Usage: bindery <operation>[\s\S]*bindery <group> <operation>[\s\S]*\n {2}keys [\s\S]*BINDERY_API_KEY/,
    );
    assert.match(succeeds('keys', '--help'), /create[\s\S]*list[\s\S]*revoke[\s\S]*rotate/);
    assert.match(
      succeeds('keys', 'rotate', '--help'),
      /rotate <id> \[options\][\s\S]*--grace <time> .*default: 24h/,
    );
    for (const word of ['--version', '-v', 'version']) assert.match(succeeds(word), /^\d+\.\d+\.\d+\n$/);
    assert.equal(succeeds('help', 'rotate'), succeeds('general', 'rotate-pdf', '--help'));
    assert.equal(succeeds('help', 'keys'), succeeds('keys', '--help'));
    const near = bindery('keys', 'list', '--jsn');
    assert.deepEqual(
      [near.status, near.stderr],
      [2, 'bindery: there is no option --jsn; did you mean --json?\n'],
    );
    assert.match(
      succeeds('help', 'rotate'),
      /\nExample:\n {2}bindery rotate document\.pdf --angle 90 --page-numbers 1\n$/,
    );
  });

  it('creates a key that the service knows, and lists it without its secret', async () => {
    const made = succeeds('keys', 'create', '--name', 'ci', '--scopes', 'general, misc', '--expires', '30d');
    const secret = made.match(SECRET)?.[0] ?? '';
    const key = await (await startState()).keys.find(secret);
    assert.deepEqual([key?.name, key?.plan, key?.scopes], ['ci', 'standard', ['general', 'misc']]);
    const days = ((key?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, `${days} days`);
    const listed = succeeds('keys', 'list');
    assert.match(listed, new RegExp(`^ID .*\n${key?.id} +ci +standard +general,misc +active `));
    assert.doesNotMatch(listed, SECRET);
  });

  it('speaks JSON', () => {
    const made = JSON.parse(succeeds('keys', 'create', '--name', 'j', '--plan', 'unlimited', '--json'));
    assert.match(made.secret, SECRET);
    const [listed, ...others] = JSON.parse(succeeds('keys', 'list', '--json'));
    assert.equal(others.length, 0);
    const { secret: _, ...key } = made;
    assert.deepEqual(listed, { ...key, state: 'active' });
    assert.deepEqual([listed.scopes, listed.expiresAt], [['*'], null]);
    const rotated = JSON.parse(succeeds('keys', 'rotate', made.id, '--grace', '7d', '--json'));
    assert.deepEqual([rotated.id, rotated.secret === made.secret], [made.id, false]);
  });

  it('is obeyed at once by a running service', async () => {
    const { keys } = await startState();
    const made = succeeds('keys', 'create', '--name', 'n');
    const [id = '', old = ''] = [made.match(KEY_ID)?.[0], made.match(SECRET)?.[0]];
    assert.ok(await keys.find(old));
    const fresh = succeeds('keys', 'rotate', id, '--grace', '0').match(SECRET)?.[0] ?? '';
    assert.deepEqual([await keys.find(old), (await keys.find(fresh))?.id], [undefined, id]);
    assert.match(succeeds('keys', 'revoke', id), /^Revoked/);
    assert.equal(await keys.find(fresh), undefined);
    assert.match(succeeds('keys', 'list'), / revoked /);
  });

  it('leaves claims and leases of the running service alone', async () => {
    const { replays } = await startState();
    assert.equal((await replays.begin('key_a', 'k', 'f', 60_000)).state, 'begun');
    succeeds('keys', 'create', '--name', 'n');
    assert.equal((await replays.begin('key_a', 'k', 'f', 60_000)).state, 'running');
  });

  it('lets many create keys at once beside the service', async () => {
    const { keys } = await startState();
    const one = (n: number) => {
      const child = spawn(BIN, ['keys', 'create', '--name', `n${n}`, '--data-dir', dataDir], {
        stdio: 'ignore',
      });
      return new Promise((settle) => child.on('exit', settle));
    };
    assert.deepEqual(await Promise.all([0, 1, 2, 3, 4, 5].map(one)), [0, 0, 0, 0, 0, 0]);
    assert.equal((await keys.list()).length, 6);
  });

  it('takes the folder of --data-dir before that of the settings', async () => {
    const other = join(dataDir, 'other');
    succeeds('keys', 'create', '--name', 'n', '--data-dir', other);
    assert.deepEqual(await readdir(dataDir), ['other']);
    assert.match(succeeds('keys', 'list', '--data-dir', other), KEY_ID);
  });

  it('says in one line what is wrong, and exits with 2 when it was called wrongly', () => {
    const wrong: [RegExp, ...string[]][] = [
      [/"nonsense" is not a command/, 'nonsense'],
      [/"constructor" is not a command/, 'constructor'],
      [/a command is missing; there are create, list, revoke, rotate/, 'keys'],
      [/--name is required/, 'keys', 'create'],
      [/there is no option --nonsense/, 'keys', 'list', '--nonsense'],
      [/expected no further words, got x/, 'keys', 'list', 'x'],
      [/expected <id>, got none/, 'keys', 'revoke'],
      [/--name must be 1 to 100/, 'keys', 'create', '--name', 'a\nb'],
      [
        /--plan is "gold" but must be one of standard, unlimited/,
        'keys',
        'create',
        '--name',
        'n',
        '--plan',
        'gold',
      ],
      [/--scopes holds "all" but/, 'keys', 'create', '--name', 'n', '--scopes', 'misc,all'],
      [/--scopes holds "" but/, 'keys', 'create', '--name', 'n', '--scopes', ','],
      [/--grace is "2y" but/, 'keys', 'rotate', 'key_x', '--grace', '2y'],
      ...['0', '3q', '-5d', '101y', '2020-01-01', '2030-13-01', ''].map((expires): [RegExp, ...string[]] => [
        /--expires is ".*" but must be/,
        ...['keys', 'create', '--name', 'n', `--expires=${expires}`],
      ]),
    ];
    for (const [message, ...args] of wrong) {
      const { status, stdout, stderr } = bindery(...args);
      assert.match(stderr, /^bindery: [^\n]+\n$/);
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    }
  });

  it('exits with 1 when the wish is clear but cannot be granted, and makes nothing', async () => {
    const fails = (message: RegExp, ...args: string[]) => {
      const { status, stdout, stderr } = bindery(...args);
      assert.match(stderr, message);
      assert.match(stderr, /^bindery: [^\n]+\n$/);
      assert.deepEqual([status, stdout], [1, ''], args.join(' '));
    };
    fails(/There are no keys in/, 'keys', 'list');
    fails(/There are no keys in/, 'keys', 'revoke', 'key_x');
    assert.deepEqual(await readdir(dataDir), []);
    await writeFile(join(dataDir, 'file'), 'x');
    fails(
      /cannot use the data folder/,
      'keys',
      'create',
      '--name',
      'n',
      '--data-dir',
      join(dataDir, 'file', 'x'),
    );
    const id = succeeds('keys', 'create', '--name', 'n').match(KEY_ID)?.[0] ?? '';
    fails(/There is no key key_x/, 'keys', 'revoke', 'key_x');
    succeeds('keys', 'revoke', id);
    fails(/already revoked/, 'keys', 'revoke', id);
    fails(/is revoked: create a new one/, 'keys', 'rotate', id);
    const { keys } = await startState();
    const seeded = await keys.seed({ name: 's', plan: 'unlimited', scopes: ['*'], secret: 'chosen-secret' });
    fails(/set by BINDERY_API_KEY/, 'keys', 'rotate', seeded?.id ?? '');
    assert.match(succeeds('keys', 'revoke', seeded?.id ?? ''), /next start/);
  });

  it('works through a link, as npm calls it, and asks for an install where no fit Node is', async () => {
    const link = join(dataDir, 'bindery');
    await symlink(BIN, link);
    assert.equal(spawnSync(link, ['--version']).status, 0);
    const lonely = join(dataDir, 'lonely', 'cli', 'bin');
    await mkdir(lonely, { recursive: true });
    await cp(BIN, join(lonely, 'bindery.cjs'));
    const old = `Object.defineProperty(process,'version',{value:'v20.1.0'});require(${JSON.stringify(join(lonely, 'bindery.cjs'))})`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', old], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^bindery: its packages are not installed\. Run "npm run setup" in .*lonely first\.\n$/,
    );
    // Built and without its sources it is a published package.
    await mkdir(join(lonely, '..', 'dist'));
    await writeFile(join(lonely, '..', 'dist', 'main.js'), '');
    const published = spawnSync(process.execPath, ['-e', old], { encoding: 'utf8' });
    assert.deepEqual(
      [published.status, published.stderr],
      [1, 'bindery: it needs Node 20.16 or newer; this is 20.1.0.\n'],
    );
  });
});
