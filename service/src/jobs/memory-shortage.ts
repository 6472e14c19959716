// How it shows that a job needed more memory than its worker may have: in words, or in nothing but a crash.
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
    'Invalid typed array length',
    'Invalid array buffer length',
    'memory access out of bounds',
    'cannot enlarge memory',
    'Error creating thread',
    'Resource temporarily unavailable',
    'failed to map segment',
    'cannot map zero-fill pages',
  ].join('|'),
  'i',
);

export const saysOutOfMemory = (words: string): boolean => SAID.test(words);

/** SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV: as signals, and as the exit code of what stands around a worker. */
const CRASHES = [4, 5, 6, 7, 11];
const CRASH_SIGNALS: readonly (string | null)[] = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGSEGV'];

/**
 * Libraries that do not look whether an allocation worked crash without a word. With this much of the limit taken, the
 * next large allocation fails.
 */
const CROWDED_PERCENT = 50;

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

export function endedForMemory({ code, signal, stderr, memoryShare }: Ending): boolean {
  if (saysOutOfMemory(stderr)) return true;
  const crashed = CRASH_SIGNALS.includes(signal) || CRASHES.includes(Number(code) - 128);
  return crashed && memoryShare >= CROWDED_PERCENT;
}
