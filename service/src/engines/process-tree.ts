// Processes and what they started, as the kernel tells of them (proc(5)).
import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;
const DEEPEST = 20;

/** The process first, those that it started behind it. */
export function processTree(pid: number | undefined, depth = 0): number[] {
  if (pid === undefined || depth > DEEPEST) return [];
  const children = readProc(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap((child) => processTree(child, depth + 1))];
}

export interface ProcessMemory {
  residentBytes: number;
  /** Of the resident ones, code and other pages of files. */
  sharedBytes: number;
  /** Data and stack, which is what RLIMIT_DATA bounds. */
  dataBytes: number;
}

/** Nothing of a process that has ended. */
export function memoryOf(pid: number): ProcessMemory {
  const [, resident = 0, shared = 0, , , data = 0] = readProc(`/proc/${pid}/statm`)
    .split(' ')
    .map((pages) => Number(pages) * PAGE_BYTES);
  return { residentBytes: resident, sharedBytes: shared, dataBytes: data };
}

/** A tick of the clock that processor time is told in: a hundredth of a second on every Linux. */
const TICK_MS = 10;

/** Processor time it has taken so far. */
export function processorMs(pid: number): number {
  // Its name stands in brackets and may hold anything.
  const fields = readProc(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}
