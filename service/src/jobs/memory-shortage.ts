// How it shows that a job needed more memory than its worker may have: in words, or in nothing but a crash.
import type { Ending } from './worker-process.ts';

/** What JavaScript, C++, WebAssembly and GLib say when an allocation fails, or a thread finds no room for its stack. */
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

export function endedForMemory({ code, signal, stderr, memoryShare }: Ending): boolean {
  if (saysOutOfMemory(stderr)) return true;
  const crashed = CRASH_SIGNALS.includes(signal) || CRASHES.includes(Number(code) - 128);
  return crashed && memoryShare >= CROWDED_PERCENT;
}
