// Scripts run in an isolated Node, as a worker is, to see what they can reach.
import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { MIB } from '../../src/contract/limits.ts';
import { computeOnce } from '../../src/contract/maps.ts';
import { chooseIsolation, type IsolationLevel, isolatedNode, WORKER_PATH } from '../../src/jobs/isolation.ts';

const run = promisify(execFile);
const NOBODY = 65534;

export interface Place {
  data: string;
  ownDir: string;
  inputDir: string;
  secrets: Record<string, string>;
}

export const IS_ROOT = process.getuid?.() === 0;

/** A data folder as the service has it: keys, two workers' directories, work in both. */
export function makePlace(owner?: number): Place {
  const data = mkdtempSync(join(tmpdir(), 'bindery-isolation-'));
  const [ownDir, otherDir, inputDir] = ['worker-1', 'worker-2', 'inputs-1'].map((name) =>
    join(data, 'work', name),
  ) as [string, string, string];
  for (const dir of [ownDir, otherDir, inputDir]) mkdirSync(dir, { recursive: true });
  const made = { keys: join(data, 'keys.sqlite'), otherWorker: join(otherDir, 'document.pdf') };
  for (const path of [...Object.values(made), join(inputDir, 'in-1')]) writeFileSync(path, 'secret');
  if (owner !== undefined)
    for (const path of [data, join(data, 'work'), ownDir, otherDir, inputDir]) chownSync(path, owner, owner);
  after(() => rmSync(data, { recursive: true, force: true }));
  return { data, ownDir, inputDir, secrets: { ...made, shadow: '/etc/shadow' } };
}

export const mine = makePlace();
export const nobodys = makePlace(IS_ROOT ? NOBODY : undefined);

const absences = new Map<IsolationLevel, Promise<string | false>>();

/** Why an isolation cannot be tried here, or false. */
export function absent(isolation: IsolationLevel): Promise<string | false> {
  return computeOnce(absences, isolation, () =>
    chooseIsolation(isolation).then(
      () => false,
      () => `${isolation} does not work here: install bubblewrap, allow user namespaces, use a newer kernel`,
    ),
  );
}

export interface Launch {
  memoryBytes?: number;
  /** As another user, who has no rights of root. */
  unprivileged?: boolean;
}

/** Runs `script` in an isolated Node; it says what it found as `say(value)`. */
export async function inside(
  isolation: IsolationLevel,
  script: string,
  given: unknown = null,
  launch: Launch = {},
): Promise<unknown> {
  const { data, ownDir, inputDir } = launch.unprivileged ? nobodys : mine;
  const prologue =
    'const fs = require("node:fs"); const given = JSON.parse(process.argv[1]);' +
    'const tried = (act) => { try { act(); return "done"; } catch (error) { return error.code ?? String(error); } };' +
    'const say = (value) => { fs.writeSync(1, JSON.stringify(value)); process.exit(0); };';
  const { program, args } = isolatedNode(isolation, {
    args: ['-e', prologue + script, JSON.stringify(given)],
    hiddenDir: data,
    ownDir,
    readable: [inputDir],
    memoryBytes: launch.memoryBytes ?? 1024 * MIB,
  });
  const user = launch.unprivileged
    ? ['setpriv', '--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']
    : [];
  const [command = '', ...rest] = [...user, program, ...args];
  const { stdout } = await run(command, rest, {
    cwd: ownDir,
    env: { PATH: WORKER_PATH, HOME: ownDir },
  });
  return JSON.parse(stdout);
}
