import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { SystemPackage } from '../service/src/engines/packages.ts';
import { isPresent } from '../service/src/engines/present.ts';
import { installMissing, type Machine } from './system-packages.ts';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-packages-'));
  said = [];
  for (const name of ['bin', 'lib', 'lists']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function machine(changes: Partial<Machine> = {}): Machine {
  return {
    path: [join(folder, 'bin'), '/usr/bin', '/bin'],
    libraryFolders: [join(folder, 'lib')],
    aptLists: join(folder, 'lists'),
    isRoot: true,
    onTerminal: false,
    memory: join(folder, 'memory', 'failed.json'),
    say: (text) => said.push(text),
    ...changes,
  };
}

function script(name: string, body: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

/** An apt-get that notes its words, knows these packages, and "installs" a package by making lib/<package>.so.1. */
function apt(...known: string[]): void {
  script(
    'apt-get',
    `echo "$*" >> ${folder}/calls
case "$*" in *update*) exit 0;; esac
made=
for word in "$@"; do case "$word" in
  -*|install|DPkg*|Acquire*) ;;
  ${known.join('|') || 'nothing'}) made="$made $word";;
  *) echo "E: Unable to locate package $word" >&2; exit 100;;
esac; done
for word in $made; do touch ${folder}/lib/$word.so.1; done`,
  );
}

const calls = (): string[] =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];
const row = (name: string): SystemPackage => ({
  name,
  for: 'service',
  debian: [name],
  provides: { library: [`${name}.so.1`] },
  without: 'little works',
});

test('what is there is seen without running anything', () => {
  apt();
  writeFileSync(join(folder, 'lib', 'one.so.1'), '');
  assert.deepEqual(installMissing([row('one')], machine()), []);
  assert.deepEqual(calls(), []);
  assert.deepEqual(said, []);
});

test('evidence is a program on PATH, a library or a file', () => {
  script('tool', '');
  const has = (provides: SystemPackage['provides']) => isPresent(provides, machine());
  assert.equal(has({ program: ['other', 'tool'] }), true);
  assert.equal(has({ program: ['other'] }), false);
  assert.equal(has({ library: ['tool'] }), false);
  assert.equal(has({ file: [join(folder, 'bin/tool')] }), true);
});

test('missing packages are installed in one call; lists are fetched only where there are none', () => {
  apt('one', 'two');
  assert.deepEqual(installMissing([row('one'), row('two')], machine()), []);
  assert.equal(calls().length, 2);
  assert.match(calls()[0] ?? '', /update/);
  assert.match(calls()[1] ?? '', /install -y -q --no-install-recommends one two$/);

  writeFileSync(join(folder, 'lists', 'mirror_dists_main_binary-amd64_Packages'), '');
  apt('three');
  assert.deepEqual(installMissing([row('three')], machine()), []);
  assert.equal(calls().length, 3);
});

test('a package that the distribution lacks keeps no other out, is reported, and is not tried again at once', () => {
  apt('one');
  const wanted = [row('strange'), row('one')];
  assert.deepEqual(
    installMissing(wanted, machine()).map((still) => still.name),
    ['strange'],
  );
  assert.ok(
    said.includes('apt could not install strange: Unable to locate package strange'),
    said.join('\n'),
  );
  assert.ok(said.includes('not available: strange; without it little works.'));

  const before = calls().length;
  installMissing(wanted, machine());
  assert.equal(calls().length, before);
  installMissing(wanted, machine(), true);
  assert.ok(calls().length > before);
});

test('without rights nothing is run, and the command to type is told', () => {
  apt('one');
  const still = installMissing([row('one')], machine({ isRoot: false, path: [join(folder, 'bin')] }));
  assert.equal(still.length, 1);
  assert.deepEqual(calls(), []);
  assert.equal(
    said.at(-1),
    'to install what is missing, as root: apt-get update && apt-get install --no-install-recommends one',
  );
});

test('sudo is used where it asks no password, else only on a terminal', () => {
  apt('one', 'two');
  script('sudo', 'if [ "$1" = -n ]; then [ -e "$0.free" ] || exit 1; shift; fi; exec "$@"');
  const user = (onTerminal: boolean) => machine({ isRoot: false, onTerminal });
  assert.equal(installMissing([row('one')], user(false)).length, 1);
  assert.equal(installMissing([row('one')], user(true)).length, 0);
  assert.ok(said.includes('sudo may ask for your password.'));
  writeFileSync(join(folder, 'bin', 'sudo.free'), '');
  assert.equal(installMissing([row('two')], user(false)).length, 0);
});

test('a machine without apt starts all the same', () => {
  const still = installMissing([row('one')], machine({ path: [join(folder, 'bin')] }));
  assert.equal(still.length, 1);
});
