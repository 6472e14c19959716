// Programs that a worker started may outlive it where no isolation holds them together, when the API process died without
// a word. They would go on taking memory, and write into directories that are given to others.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/** Ends all processes whose home or present directory lies in `root`, with their groups; how many there were. */
export function endSurvivors(root: string): number {
  const place = realPath(root);
  if (place === undefined) return 0;
  const found = processIds().filter((pid) => homesOf(pid).some((home) => home.startsWith(place + sep)));
  const own = groupOf(process.pid);
  const groups = new Set(found.map(groupOf).filter((group) => group > 1 && group !== own));
  for (const target of [...[...groups].map((group) => -group), ...found]) kill(target);
  return found.length;
}

const processIds = (): number[] =>
  attempt(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);

/** Those of other users are not told, and not ours to end. */
function homesOf(pid: number): string[] {
  const variables = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '').split('\0');
  const home = variables.find((variable) => variable.startsWith('HOME='))?.slice('HOME='.length);
  const directory = attempt(() => readlinkSync(`/proc/${pid}/cwd`), '');
  return home === undefined ? [directory] : [home, directory];
}

/** Of proc_pid_stat(5): the third field after the name, which may hold anything. */
function groupOf(pid: number): number {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[2] ?? 0);
}

const realPath = (path: string): string | undefined => attempt(() => realpathSync(path), undefined);

function kill(target: number): void {
  attempt(() => process.kill(target, 'SIGKILL'), false);
}

/** A process may be gone at any moment. */
function attempt<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
