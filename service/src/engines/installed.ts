// Whether a program that a worker may start is there. Asks the file system only.
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { EngineState } from './engine-state.ts';

/** Where workers look for programs. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

export const isInstalled = (program: string): boolean =>
  FOLDERS.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** An engine that is one program, and nothing else has to be there. */
export const probeProgram = (program: string, missing: string): EngineState =>
  isInstalled(program) ? { available: true } : { available: false, missing };
