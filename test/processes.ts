// Processes as /proc shows them: finding the workers of a service, to do them harm, and what a process holds.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

export function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}

/** The Node processes of workers below `pid`; shells and isolation around them are left out. */
export const workersOf = (pid: number): number[] =>
  descendants(pid).filter((child) => {
    const [program = '', ...args] = commandOf(child);
    return program.endsWith('node') && args.some((arg) => arg.endsWith('jobs/worker.ts'));
  });

/** The arguments of a process, the program first; none where it has ended. */
export const commandOf = (pid: number): string[] => read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);

/** A line of /proc/<pid>/status; empty where the process has ended. */
export const statusOf = (pid: number, label: string): string =>
  new RegExp(`^${label}:\\s+(.*)$`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? '';

/** Chromium writes the command of each of its processes anew, as one argument. */
const isChromium = (pid: number, what: RegExp): boolean => {
  const command = commandOf(pid).join(' ');
  return /^\S*chrom/.test(command) && what.test(command);
};

/** Browsers below `pid`: each its main process, not those that it starts for pages, graphics and the like. */
export const browsersOf = (pid: number): number[] =>
  descendants(pid).filter((child) => isChromium(child, /^(?!.* --type=).* --remote-debugging-pipe/));

/** The processes in which browsers below `pid` show pages. */
export const renderersOf = (pid: number): number[] =>
  descendants(pid).filter((child) => isChromium(child, / --type=renderer/));

/** Kills processes of which some end by themselves with the others. */
export function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Ends a process that was stopped by a signal of one's choice. */
export function strike(pid: number, signal: 'SIGKILL' | 'SIGSEGV'): void {
  process.kill(pid, signal);
  // A stopped process takes other signals only when it goes on; SIGKILL does not wait for that.
  if (signal !== 'SIGKILL') process.kill(pid, 'SIGCONT');
}

/** A figure of /proc/<pid>/status in bytes, such as VmHWM, the most memory it ever had. */
export function memoryOf(pid: number, figure: 'VmHWM' | 'VmRSS'): number {
  const found = new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1];
  return Number(found ?? Number.NaN) * 1024;
}

/** What a process has open: paths of files, `socket:`, `pipe:` and the like. */
export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** What calls may have left open: files without a name, but for those by which it exchanges bytes with its workers. */
export const namelessFiles = (pid: number): string[] =>
  openFiles(pid).filter(
    (path) =>
      path.endsWith(' (deleted)') &&
      !(/\/(?:exchange|mark) \(deleted\)$/.test(path) && existsSync(path.slice(0, path.lastIndexOf('/')))),
  );

/** Waits for something that comes in its own time; generous, for machines that are busy. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  waitMs = 30_000,
): Promise<Exclude<T, false | null | undefined>> {
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (Date.now() > giveUpAt) throw new Error(`waited too long: ${what}`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}
