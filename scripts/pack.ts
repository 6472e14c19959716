// `npm run pack`: dist/*.tgz, the packages sdk, cli and mcp as they are installed outside a clone. `npm pack` in one of
// their folders makes the same: npm calls this script before and after. Between the two, package.json is the published
// one; JavaScript stands in `dist` by then, so whoever imports the package meanwhile finds it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { buildCommand } from './build-commands.ts';
import { buildSdk } from './build-sdk.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = ['sdk', 'cli', 'mcp'] as const;
type Name = (typeof PACKAGES)[number];

interface Manifest {
  publishConfig?: { access?: string; types?: string; exports?: unknown };
  exports?: unknown;
  files?: readonly string[];
  scripts?: unknown;
  devDependencies?: unknown;
}

/** The package.json of the clone, while the published one is in its place. */
const SOURCE = 'package.source.json';

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** As users get it: what publishConfig says of `exports` and `types` holds, and nothing of the clone is named. */
export function publishedManifest(manifest: Manifest, repository: unknown): Manifest {
  const { publishConfig = {}, exports, scripts: _scripts, devDependencies: _dev, ...kept } = manifest;
  const { exports: published = exports, types, ...config } = publishConfig;
  return {
    ...kept,
    ...(published === undefined ? {} : { exports: published }),
    ...(types === undefined ? {} : { types }),
    publishConfig: config,
    ...(repository === undefined ? {} : { repository }),
  } as Manifest;
}

/** Where this clone comes from, where that is an address others can use; without a name or password in it. */
export function repositoryOf(origin: string, directory: string): unknown {
  const ssh = /^(?:ssh:\/\/)?git@([\w.-]+)[:/]([\w./-]+)$/.exec(origin);
  if (ssh) return { type: 'git', url: `git+ssh://git@${ssh[1]}/${ssh[2]}`, directory };
  if (!/^https:\/\//.test(origin) || !URL.canParse(origin)) return undefined;
  const { host, pathname } = new URL(origin);
  return { type: 'git', url: `git+https://${host}${pathname}`, directory };
}

function writePublished(name: Name, path: string): void {
  const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], { cwd: ROOT, encoding: 'utf8' });
  const published = publishedManifest(
    manifestIn(join(ROOT, name)),
    repositoryOf((stdout ?? '').trim(), name),
  );
  writeFileSync(path, `${JSON.stringify(published, null, 2)}\n`);
}

const built = async (name: Name, folder: string): Promise<void> =>
  name === 'sdk' ? buildSdk(folder) : buildCommand(name, folder);

/** Into `folder`; the paths of the tarballs, in the order of PACKAGES. */
export async function pack(folder: string): Promise<string[]> {
  const staged = mkdtempSync(join(tmpdir(), 'bindery-pack-'));
  try {
    for (const name of PACKAGES) {
      const home = join(ROOT, name);
      const copy = join(staged, name);
      mkdirSync(copy);
      await built(name, join(copy, 'dist'));
      for (const part of manifestIn(home).files ?? [])
        if (part !== 'dist') cpSync(join(home, part), join(copy, part), { recursive: true });
      copyFileSync(join(home, 'README.md'), join(copy, 'README.md'));
      copyFileSync(join(ROOT, 'LICENSE'), join(copy, 'LICENSE'));
      writePublished(name, join(copy, 'package.json'));
    }
    mkdirSync(folder, { recursive: true });
    const packages = PACKAGES.map((name) => `./${name}`);
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...packages], {
      cwd: staged,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return PACKAGES.map((name) => {
      const { version } = manifestIn(join(staged, name)) as { version: string };
      return join(folder, `bindery-${name}-${version}.tgz`);
    });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

async function before(name: Name): Promise<void> {
  const home = join(ROOT, name);
  // A pack that was broken off left it.
  restore(home);
  await built(name, join(home, 'dist'));
  copyFileSync(join(ROOT, 'LICENSE'), join(home, 'LICENSE'));
  const path = join(home, 'package.json');
  writePublished(name, `${path}.draft`);
  copyFileSync(path, join(home, SOURCE));
  renameSync(`${path}.draft`, path);
}

function restore(home: string): void {
  rmSync(join(home, 'LICENSE'), { force: true });
  if (existsSync(join(home, SOURCE))) renameSync(join(home, SOURCE), join(home, 'package.json'));
}

if (import.meta.main) {
  const [when] = process.argv.slice(2);
  if (when === 'before') await before(basename(process.cwd()) as Name);
  else if (when === 'after') restore(process.cwd());
  else console.log((await pack(join(ROOT, 'dist'))).join('\n'));
}
