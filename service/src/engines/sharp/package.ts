// Whether libvips is here. Asking loads nothing: it takes tens of megabytes.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { EngineState } from '../engine-state.ts';

export async function probe(): Promise<EngineState> {
  try {
    const home = new URL('../package.json', import.meta.resolve('sharp'));
    const { version, optionalDependencies } = JSON.parse(await readFile(home, 'utf8')) as {
      version: string;
      optionalDependencies: Record<string, string>;
    };
    const { resolve } = createRequire(home);
    const binaries = Object.keys(optionalDependencies).filter((name) => !name.includes('libvips'));
    if (binaries.some((name) => isThere(() => resolve(`${name}/package`))))
      return { available: true, version };
  } catch {
    // Told below.
  }
  return { available: false, missing: 'The npm package sharp is missing or damaged; run npm ci.' };
}

function isThere(resolve: () => string): boolean {
  try {
    return resolve() !== '';
  } catch {
    return false;
  }
}
