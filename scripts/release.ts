// `npm run release -- patch` (or minor, major, 1.2.3): one version in all packages, its part of the changelog, a commit
// and a tag. Nothing is pushed or published; `--dry-run` only says what would be done.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nextVersion, releaseChangelog } from './changelog.ts';

const PACKAGES = ['.', 'service', 'sdk', 'cli', 'mcp'];

interface Options {
  root: string;
  wanted: string;
  /** Such as 2026-01-31. */
  date: string;
  dryRun: boolean;
  /** Refreshes generated files and proves that all is well; throws where it is not. */
  prove(): void;
  say(line: string): void;
}

/** The new version. */
export function release({ root, wanted, date, dryRun, prove, say }: Options): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed');
  const version = nextVersion(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version, wanted);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`the tag ${tag} is there already`);
  const path = join(root, 'CHANGELOG.md');
  const { changelog, notes } = releaseChangelog(readFileSync(path, 'utf8'), version, date);
  say(`${tag}\n\n${notes}\n`);
  if (dryRun) return version;
  writeFileSync(path, changelog);
  for (const folder of PACKAGES) setVersion(join(root, folder, 'package.json'), version);
  setLockedVersions(join(root, 'package-lock.json'), version);
  setProjectVersion(join(root, 'clients/python/pyproject.toml'), version);
  setChartVersion(join(root, 'deploy/helm/bindery/Chart.yaml'), version);
  try {
    prove();
  } catch (error) {
    git('checkout', '--', '.');
    throw error;
  }
  git('commit', '--all', '--quiet', '--message', `Release ${version}`, '--message', notes);
  git('tag', '--annotate', tag, '--message', `Release ${version}\n\n${notes}`);
  return version;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function setVersion(path: string, version: string): void {
  if (!existsSync(path)) return;
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify(renumbered(manifest, version), null, 2)}\n`);
}

function setLockedVersions(path: string, version: string): void {
  if (!existsSync(path)) return;
  const lock: Manifest & { packages: Record<string, Manifest> } = JSON.parse(readFileSync(path, 'utf8'));
  for (const folder of PACKAGES) {
    const entry = lock.packages[folder === '.' ? '' : folder];
    if (entry) Object.assign(entry, renumbered(entry, version));
  }
  writeFileSync(path, `${JSON.stringify({ ...lock, version }, null, 2)}\n`);
}

function setProjectVersion(path: string, version: string): void {
  if (!existsSync(path)) return;
  const project = readFileSync(path, 'utf8');
  writeFileSync(path, project.replace(/^version = ".*"$/m, `version = "${version}"`));
}

function setChartVersion(path: string, version: string): void {
  if (!existsSync(path)) return;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}

/** Packages of this project name each other by their exact version. */
function renumbered(manifest: Manifest, version: string): Manifest {
  const named = (dependencies: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, wanted]) => [
        name,
        name.startsWith('@bindery/') ? version : wanted,
      ]),
    );
  const { dependencies, devDependencies } = manifest;
  return {
    ...manifest,
    ...(manifest.version === undefined ? {} : { version }),
    ...(dependencies ? { dependencies: named(dependencies) } : {}),
    ...(devDependencies ? { devDependencies: named(devDependencies) } : {}),
  };
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const run = (...args: string[]): void => {
    execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  };
  const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
  try {
    if (wanted.length !== 1) throw new Error('say which: npm run release -- patch (or minor, major, 1.2.3)');
    const version = release({
      root,
      wanted: wanted[0] ?? '',
      date: new Date().toISOString().slice(0, 10),
      dryRun: process.argv.includes('--dry-run'),
      prove: () => {
        run('scripts/generate.ts');
        run('scripts/check.ts');
      },
      say: console.log,
    });
    console.log(`${version} is committed and tagged here. It is published by: git push --follow-tags`);
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
