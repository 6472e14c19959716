// sdk/dist: the client as it is published, JavaScript with types, for Node and browsers. `npm run build -w sdk`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const SDK = join(ROOT, 'sdk');

/** Into `folder`, which is made anew. */
export function buildSdk(folder: string = join(SDK, 'dist')): void {
  rmSync(folder, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-p', join(SDK, 'tsconfig.json'), '--outDir', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The compiler rewrites imports in code, not in declarations.
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.d.ts'))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
  }
}

if (import.meta.main) buildSdk();
