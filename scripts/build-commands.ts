// cli/dist and mcp/dist: the commands as they are published, JavaScript that any Node from 20.16 on runs. The client and
// its catalogue are inside; other packages are not. By itself it builds the command of a clone, where that is stale.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
/** As `engines` of their package.json says. */
const TARGET = 'node20.16';

/** 220 kB of object literals take 25 ms to compile, the same as text for JSON.parse a fifth of that. */
const catalogueAsJson: Plugin = {
  name: 'catalogue as JSON',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]catalogue\.generated\.ts$/ }, async ({ path }) => {
      const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
      const contents = Object.entries(exported)
        .map(
          ([name, value]) =>
            `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
        )
        .join('\n');
      return { contents, loader: 'js' };
    });
  },
};

/** Into `folder`, in the place of what was there. */
export async function buildCommand(name: 'cli' | 'mcp', folder = join(ROOT, name, 'dist')): Promise<void> {
  const home = join(ROOT, name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  const { build } = await import('esbuild');
  const draft = mkdtempSync(`${folder}-`);
  try {
    await build({
      entryPoints: [join(home, 'src', 'main.ts')],
      absWorkingDir: ROOT,
      outdir: draft,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: TARGET,
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'warning',
      external: [...Object.keys(dependencies), '@bindery/service/*'],
      plugins: [catalogueAsJson],
    });
    rmSync(folder, { recursive: true, force: true });
    // A temporary folder is for its owner alone.
    chmodSync(draft, 0o755);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** As cli/bin/bindery.cjs sees it. */
function isFresh(): boolean {
  const built = join(ROOT, 'cli', 'dist', 'main.js');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  return ['cli', 'sdk'].every((name) => {
    const folder = join(ROOT, name, 'src');
    return readdirSync(folder).every(
      (file) => file.endsWith('.test.ts') || statSync(join(folder, file)).mtimeMs <= mtimeMs,
    );
  });
}

if (import.meta.main && !isFresh()) await buildCommand('cli');
