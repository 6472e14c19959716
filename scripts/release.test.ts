import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nextVersion, releaseChangelog } from './changelog.ts';
import { release } from './release.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const CHANGELOG =
  '# Changelog\n\nWords.\n\n## Unreleased\n\n- New: rotate.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n';

/** A repository with two packages that name each other. */
function repository(): { root: string; git(...args: string[]): string; read(path: string): string } {
  const root = mkdtempSync(join(tmpdir(), 'bindery-release-'));
  folders.push(root);
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const put = (path: string, value: unknown): void =>
    writeFileSync(
      join(root, path),
      typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`,
    );
  mkdirSync(join(root, 'sdk'));
  mkdirSync(join(root, 'cli'));
  put('package.json', { name: 'bindery', version: '0.1.0' });
  put('sdk/package.json', { name: '@bindery/sdk', version: '0.1.0' });
  const dependencies = { '@bindery/sdk': '0.1.0', yaml: '^2.0.0' };
  put('cli/package.json', { name: '@bindery/cli', version: '0.1.0', dependencies });
  put('package-lock.json', {
    name: 'bindery',
    version: '0.1.0',
    packages: {
      '': { version: '0.1.0' },
      cli: { version: '0.1.0', dependencies },
      'node_modules/yaml': { version: '2.0.0' },
    },
  });
  put('CHANGELOG.md', CHANGELOG);
  git('init', '--quiet');
  git('config', 'user.name', 'Tester');
  git('config', 'user.email', 'tester@example.org');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  return { root, git, read: (path) => readFileSync(join(root, path), 'utf8') };
}

const options = (root: string) => ({
  root,
  wanted: 'minor',
  date: '2026-02-03',
  dryRun: false,
  prove() {},
  say() {},
});

test('versions go up by a step or to one that is named', () => {
  assert.equal(nextVersion('0.1.9', 'patch'), '0.1.10');
  assert.equal(nextVersion('0.1.9', 'minor'), '0.2.0');
  assert.equal(nextVersion('0.1.9', 'major'), '1.0.0');
  assert.equal(nextVersion('0.1.9', '0.1.10'), '0.1.10');
  assert.throws(() => nextVersion('0.2.0', '0.1.10'), /not after/);
  assert.throws(() => nextVersion('0.2.0', 'big'), /neither/);
});

test('what is unreleased goes under the version; nothing, or a version twice, is refused', () => {
  const { changelog, notes } = releaseChangelog(CHANGELOG, '0.2.0', '2026-02-03');
  assert.equal(notes, '- New: rotate.');
  assert.match(
    changelog,
    /## Unreleased\n\n## 0\.2\.0 \(2026-02-03\)\n\n- New: rotate\.\n\n## 0\.1\.0 \(2026-01-01\)\n/,
  );
  assert.throws(() => releaseChangelog(changelog, '0.3.0', '2026-02-04'), /nothing stands under Unreleased/);
  assert.throws(() => releaseChangelog(CHANGELOG, '0.1.0', '2026-02-04'), /already/);
});

test('a release is one version everywhere, one commit and one tag', () => {
  const { root, git, read } = repository();
  assert.equal(release(options(root)), '0.2.0');
  assert.equal(JSON.parse(read('sdk/package.json')).version, '0.2.0');
  assert.deepEqual(JSON.parse(read('cli/package.json')).dependencies, {
    '@bindery/sdk': '0.2.0',
    yaml: '^2.0.0',
  });
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual(
    [
      lock.version,
      lock.packages[''].version,
      lock.packages.cli.dependencies['@bindery/sdk'],
      lock.packages['node_modules/yaml'].version,
    ],
    ['0.2.0', '0.2.0', '0.2.0', '2.0.0'],
  );
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(git('describe', '--exact-match'), 'v0.2.0');
  assert.match(git('log', '-1', '--format=%B'), /^Release 0\.2\.0\n\n- New: rotate\.$/);
});

test('a dry run changes nothing; changes not committed and checks that fail stop a release', () => {
  const { root, git } = repository();
  assert.equal(release({ ...options(root), dryRun: true }), '0.2.0');
  assert.equal(git('tag'), '');
  const prove = (): never => {
    throw new Error('check failed');
  };
  assert.throws(() => release({ ...options(root), prove }), /check failed/);
  assert.equal(git('status', '--porcelain'), '');
  writeFileSync(join(root, 'new.txt'), 'x');
  assert.throws(() => release(options(root)), /not committed/);
});
