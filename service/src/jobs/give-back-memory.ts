// Starting leaves behind as much garbage as the process then holds. Node gives it back only under pressure, which a
// quiet service never meets: one full collection once it stands halves what it takes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MIB } from '../contract/limits.ts';

export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc') as Collect;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // V8 takes code from the cache only under the flags it was compiled with.
  setFlagsFromString('--no-expose-gc');
}

type Collect = (options: object) => void;
let collect: Collect | undefined;

/** So many bytes of short-lived buffers are left to lie. */
const YOUNG_BYTES = 8 * MIB;
let youngBytes = 0;

/**
 * Bodies of requests come in buffers that nobody needs a moment later. V8 counts them, and after some tens of megabytes
 * goes through the whole heap to find them, which takes longer than all else about an upload. A look at what is young
 * finds them as well, and takes half a millisecond.
 */
export function noteYoungBuffer(bytes: number): void {
  youngBytes += bytes;
  if (youngBytes < YOUNG_BYTES) return;
  youngBytes = 0;
  collect?.({ type: 'minor', execution: 'sync' });
}

/**
 * Bodies of requests come in buffers that nobody needs a moment later, and that V8 counts as if they stayed: some
 * megabytes of them, and it goes through the whole heap, which took longer than all else about an upload. The heap may
 * become three times what is in use. To be called when all code is loaded (see above).
 */
export function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=200');
}
