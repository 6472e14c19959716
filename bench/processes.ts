// Processor time of processes, from /proc: what a noisy machine changes least.
import { readFileSync } from 'node:fs';
import { treeOf } from './memory.ts';

const TICKS_PER_SECOND = 100;

/** Fields 14 to 17 of proc_pid_stat(5): own time in user and kernel mode, and that of children that have ended. */
function ticks(pid: number | 'self'): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
  } catch {
    return [];
  }
}

const seconds = (counted: readonly number[]): number =>
  counted.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;

/** Of the process, all it started, and what those left behind when they ended. */
export const cpuOfTree = (pid: number): number =>
  treeOf(pid).reduce((sum, each) => sum + seconds(ticks(each)), 0);

/** Of programs that this process started and that have ended. */
export const cpuOfEnded = (): number => seconds(ticks('self').slice(2));
