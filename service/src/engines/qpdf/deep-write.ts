// Writing on a stack of its own. When qpdf linearizes it follows references by recursion: a flat outline of a hundred
// thousand bookmarks is as deep as it is long, and koffi gives its calls 16 MiB at most.
import koffi from 'koffi';
import { tooCostly } from '../../contract/work-budget.ts';

/** Some hundred bytes for each object in a row; only what is used is taken. */
const STACK_BYTES = 256 * 1024 * 1024;
/** 600,000 in a row were written on such a stack, a million were not. */
const MOST_IN_A_ROW = 500_000;

/** Each object may hang on the one before: too many in a row would end the process. */
export function requireShallow(objects: number): void {
  if (objects > MOST_IN_A_ROW)
    throw tooCostly(`The document has ${objects} objects; no more than ${MOST_IN_A_ROW} can be linearized.`);
}
/** pthread_attr_t is 56 or 64 bytes long. */
const ATTRIBUTES_BYTES = 64;

/** A function of one pointer that returns an int, called on a thread with a large stack and waited for. */
export function onDeepStack(start: unknown, otherwise: (argument: unknown) => number) {
  const threads = bindThreads();
  if (!threads) return otherwise;
  return (argument: unknown): number => {
    const attributes = Buffer.alloc(ATTRIBUTES_BYTES);
    if (threads.initAttributes(attributes) !== 0) return otherwise(argument);
    const thread = [0];
    const failed =
      threads.setStackSize(attributes, STACK_BYTES) !== 0 ||
      threads.create(thread, attributes, start, argument) !== 0;
    threads.destroyAttributes(attributes);
    // No room for such a stack under the worker's memory limit: most documents need none.
    if (failed) return otherwise(argument);
    const value = [0n];
    threads.join(thread[0], value);
    // What the register holds beyond an int means nothing.
    return Number(BigInt.asIntN(32, BigInt(value[0] ?? 0n)));
  };
}

function bindThreads() {
  try {
    const c = koffi.load('libc.so.6');
    return {
      initAttributes: c.func('int pthread_attr_init(uint8_t *attributes)'),
      setStackSize: c.func('int pthread_attr_setstacksize(uint8_t *attributes, size_t size)'),
      destroyAttributes: c.func('int pthread_attr_destroy(uint8_t *attributes)'),
      create: c.func(
        'int pthread_create(_Out_ uintptr_t *thread, const uint8_t *attributes, void *start, void *argument)',
      ),
      join: c.func('int pthread_join(uintptr_t thread, _Out_ uint64_t *value)'),
    };
  } catch {
    // Before glibc 2.34 threads are another library.
    return undefined;
  }
}
