// Starting leaves behind as much garbage as the process then holds. Node gives it back only under pressure, which a
// quiet service never meets: one full collection once it stands halves what it takes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  // V8 takes code from the cache only under the flags it was compiled with.
  setFlagsFromString('--no-expose-gc');
}

/**
 * Bodies of requests come in buffers that nobody needs a moment later, and that V8 counts as if they stayed: some
 * megabytes of them, and it goes through the whole heap, which took longer than all else about an upload. The heap may
 * become three times what is in use. To be called when all code is loaded (see above).
 */
export function collectLessOften(): void {
  setFlagsFromString('--heap-growing-percent=200');
}
