// How it shows that a job needed more memory than its worker may have. A failed allocation leaves no trace but what
// the one who asked for it does then: mostly it says so, some use what they did not get and crash without a word.
import { readFileSync } from 'node:fs';
import type { Ending } from './worker-process.ts';

/**
 * What JavaScript, C++, WebAssembly and GLib say when an allocation fails, a thread finds no room for its stack, or a
 * library none for its code.
 */
const SAID = new RegExp(
  [
    '(?:out of|insufficient|not enough) memory',
    'cannot allocate memory',
    'ENOMEM',
    'bad_alloc',
    'allocation failed',
    'failed to allocate',
    'Z_MEM_ERROR',
    'cannot enlarge memory',
    'Error creating thread',
    'Resource temporarily unavailable',
    'failed to map segment',
    'cannot map zero-fill pages',
  ].join('|'),
  'i',
);

export const saysOutOfMemory = (words: string): boolean => SAID.test(words);

/** SIGBUS and SIGSEGV, as signals and as the exit code of what stands around a worker: memory used that is not there. */
const FAULTS = [7, 11];
const FAULT_SIGNALS: readonly (string | null)[] = ['SIGBUS', 'SIGSEGV'];

/** Workers that crash without a word for want of memory were seen to have taken 97 hundredths and more. */
const EXHAUSTED_PERCENT = 95;

/** An allocation that failed may show as anything: a library that cannot be loaded, an assertion somewhere. */
const FULL_PERCENT = 85;

/** Whether this process has taken nearly all it may: false where nothing limits it. */
export function isNearlyFull(): boolean {
  try {
    const limit = Number(/^Max data size\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
    const dataKb = Number(/^VmData:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]);
    return dataKb * 1024 * 100 >= limit * FULL_PERCENT;
  } catch {
    return false;
  }
}

/** Whoever says why it ends is believed; only a silent fault with nothing left counts as a shortage all the same. */
export function endedForMemory({ code, signal, stderr, memoryShare }: Ending): boolean {
  if (stderr.trim() !== '') return saysOutOfMemory(stderr);
  const faulted = FAULT_SIGNALS.includes(signal) || FAULTS.includes(Number(code) - 128);
  return faulted && memoryShare >= EXHAUSTED_PERCENT;
}
