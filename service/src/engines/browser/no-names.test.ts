import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { probe } from './browser.ts';

const RESOLVER = '/etc/resolv.conf';
/** A network that holds nothing but this machine, in which anybody may be the name server. */
const apart = (folder: string): string[] => [
  ...[
    '--unshare-user',
    '--uid',
    '0',
    '--unshare-net',
    '--cap-add',
    'CAP_NET_BIND_SERVICE',
    '--dev-bind',
    '/',
    '/',
  ],
  ...(existsSync(RESOLVER) ? ['--ro-bind', join(folder, 'resolv.conf'), realpathSync(RESOLVER)] : []),
];

const canBeApart = (): boolean =>
  spawnSync('bwrap', [...apart('/nonexistent').slice(0, 9), 'true']).status === 0;

test('no name is looked up, whatever a page does with it', {
  skip: (await probe()).missing ?? (!canBeApart() && 'no network of our own can be made here'),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-names-'));
  try {
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
    const program = fileURLToPath(new URL('../../../testing/hostile-input/name-watch.ts', import.meta.url));
    const args = ['--disable-warning=ExperimentalWarning', program];
    const ran = spawnSync('bwrap', [...apart(folder), process.execPath, ...args], { encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    const { byPage, control } = JSON.parse(ran.stdout) as { byPage: string[]; control: string[] };
    assert.ok(control.includes('control.example.org'), 'names that are looked up are noticed');
    assert.deepEqual(byPage, []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
