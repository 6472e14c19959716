// The two services that are compared: one from a revision, one from the working tree, each in its own checkout.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RunningService, startService } from '../../test/service.ts';
import type { Answer } from './answers.ts';
import type { SameCall } from './calls.ts';

/** A checkout whose code was never compiled takes its time on a busy machine. */
const START_MS = 300_000;

const ROOT = resolve(import.meta.dirname, '../..');

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const tryGit = (...args: string[]): string | undefined => {
  try {
    return git(...args) || undefined;
  } catch {
    return undefined;
  }
};

/** A revision as its commit, or undefined where there is none of that name. */
export const commitOf = (revision: string): string | undefined =>
  tryGit('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);

/** Where this work began: the merge base with main; on main itself, what is committed, else the last release. */
export function defaultRevision(): string {
  const head = git('rev-parse', 'HEAD');
  const base = ['main', 'origin/main'].map((branch) => tryGit('merge-base', 'HEAD', branch)).find(Boolean);
  if (base !== undefined && base !== head) return base;
  if (tryGit('status', '--porcelain') !== undefined) return head;
  return tryGit('describe', '--tags', '--abbrev=0', 'HEAD^') ?? tryGit('rev-parse', 'HEAD^') ?? head;
}

export interface Sides {
  base: RunningService;
  here: RunningService;
  close(): Promise<void>;
}

export async function startSides(commit: string, workers: number, allowHosts: string[]): Promise<Sides> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-same-'));
  const started: RunningService[] = [];
  const close = async () => {
    await Promise.all(started.map((service) => service.remove()));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const checkout = join(dir, 'checkout');
    mkdirSync(checkout);
    execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, checkout], { cwd: ROOT });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const env = {
      BINDERY_WORKERS: String(workers),
      BINDERY_URL_ALLOW_HOSTS: allowHosts.join(','),
      BINDERY_LOG_LEVEL: 'error',
    };
    const base = await startService({
      root: checkout,
      startMs: START_MS,
      env: { ...env, NODE_COMPILE_CACHE: join(dir, 'code') },
    });
    started.push(base);
    const here = await startService({ startMs: START_MS, env });
    started.push(here);
    return { base, here, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The dependencies are those of the working tree on both sides. */
export const hasOtherDependencies = (commit: string): boolean =>
  tryGit('diff', '--name-only', commit, '--', 'package-lock.json') !== undefined;

export async function ask(service: RunningService, call: SameCall): Promise<Answer> {
  const form = new FormData();
  for (const [name, text] of Object.entries(call.params)) form.append(name, text);
  for (const { field, name, read } of call.files) form.append(field, new File([read()], name), name);
  const send = () => service.post(call.operation, form);
  // A connection that was idle for long may be closed at the very moment it is used again.
  const response = await send().catch(send);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
