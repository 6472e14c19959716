// Memory of the service and every process it started, from /proc.
import { readFileSync } from 'node:fs';

export interface Memory {
  processes: number;
  /** Sum of resident sizes: pages shared between processes count in each. */
  rssMb: number;
  /** Proportional sizes: shared pages count once. */
  pssMb: number;
}

export function memoryOf(rootPid: number): Memory {
  const total = { processes: 0, rssMb: 0, pssMb: 0 };
  for (const pid of treeOf(rootPid)) {
    const rollup = read(`/proc/${pid}/smaps_rollup`);
    total.processes += 1;
    total.rssMb += kib(rollup, 'Rss') / 1024;
    total.pssMb += kib(rollup, 'Pss') / 1024;
  }
  return total;
}

/** The largest resident size a process has had, in MB. */
const peakRssMb = (pid: number): number => kib(read(`/proc/${pid}/status`), 'VmHWM') / 1024;

/** The largest resident size that the process or any it started has had. */
export const largestPeakMb = (rootPid: number): number => Math.max(...treeOf(rootPid).map(peakRssMb));

export function treeOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => treeOf(Number(child))))];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const kib = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
