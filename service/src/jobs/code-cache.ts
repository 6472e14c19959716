// Node keeps the code it has stripped of types and compiled in a cache folder (NODE_COMPILE_CACHE, set by the
// launcher). Workers may read it, not write it: whoever could write it could put code into the next process. So
// all code is put there once, before the first worker starts; that saves each process 25 MB, and half of the time
// it takes to start.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOBODY } from './isolation.ts';

const SOURCE_DIR = fileURLToPath(new URL('..', import.meta.url));
const PRIME_FILE = join(SOURCE_DIR, 'prime.ts');
const PRIME_LIMIT_MS = 60_000;

/** The folder for NODE_COMPILE_CACHE of workers, where this process uses one. */
export function codeCacheDir(): string | undefined {
  const own = getCompileCacheDir();
  return own === undefined ? undefined : dirname(own);
}

/** Fills the cache, unless that was done for this very code. */
export async function primeCode(): Promise<void> {
  const dir = codeCacheDir();
  if (dir === undefined) return;
  linkForWorkers();
  if (readStamp(stampFile(dir)) === sourceState()) return;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PRIME_FILE], {
    stdio: 'ignore',
    env: { NODE_COMPILE_CACHE: dir, PATH: '/usr/bin:/bin' },
    timeout: PRIME_LIMIT_MS,
  });
  await new Promise((resolve) => {
    child.on('exit', resolve);
    child.on('error', resolve);
  });
}

/** For the process that has filled the cache. */
export function markPrimed(): void {
  const dir = codeCacheDir();
  if (dir === undefined) return;
  try {
    writeFileSync(stampFile(dir), sourceState());
  } catch {
    // A cache that cannot be marked is primed again next time.
  }
}

/** Node has a folder in the cache for each user. Inside the isolation that is nobody, who takes what is ours. */
function linkForWorkers(): void {
  const own = getCompileCacheDir() ?? '';
  const theirs = own.replace(/-\d+$/, `-${NOBODY}`);
  if (theirs === own) return;
  try {
    symlinkSync(basename(own), theirs);
  } catch {
    // It is there already, or nothing can be written here.
  }
}

const stampFile = (dir: string): string => join(dir, 'primed');

function readStamp(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function sourceState(): string {
  const hash = createHash('sha256').update(process.version);
  for (const entry of readdirSync(SOURCE_DIR, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
