// The command line from its sources, run in a folder against a started service.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunningService } from './service.ts';

const MAIN = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));

export interface Ran {
  status: number | null;
  out: string;
  err: string;
}

export function runCommand({ url, key }: RunningService, folder: string, args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, ...args],
    { cwd: folder, env: { PATH: process.env.PATH, BINDERY_URL: url, BINDERY_API_KEY: key } },
  );
  return { status, out: String(stdout), err: String(stderr) };
}
