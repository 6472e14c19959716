// The door to Calibre's ebook-convert, a separate program (GPL: never in process). Optional: nothing installs it.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { EngineState } from '../engine-state.ts';
import { isInstalled, probeProgram } from '../installed.ts';
import { ProgramFailure, runProgram } from '../process.ts';

export interface Calibre {
  /** Throws missing_dependency where the program is not installed, before anything is made for it. */
  require(): void;
  /** A book of ours as AZW3, for Kindles. Throws missing_dependency where the program is not installed. */
  azw3(epub: string): Promise<{ path: string }>;
}

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

const PROGRAM = 'ebook-convert';
const TIMEOUT_MS = 240_000;
const MISSING = 'ebook-convert, for AZW3 (Debian and Ubuntu: apt-get install calibre)';
const REFUSAL =
  'Books for Kindles (AZW3) need ebook-convert, which is not installed here (Debian and Ubuntu: apt-get install calibre).';

export function createCalibre({ newFile, log }: JobContext): Calibre {
  return {
    require() {
      if (!isInstalled(PROGRAM)) throw new Problem('missing_dependency', REFUSAL);
    },
    async azw3(epub) {
      const path = newFile('azw3');
      try {
        const { code } = await runProgram(PROGRAM, [epub, path], {
          cwd: dirname(path),
          timeoutMs: TIMEOUT_MS,
        });
        if (code === 0 && statSync(path).size > 0) return { path };
        log.warn('Calibre could not convert a book', { engine: 'calibre', code });
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error;
        if (error.fault === 'not_found') throw new Problem('missing_dependency', REFUSAL, { cause: error });
        log.warn('Calibre gave up', { engine: 'calibre', fault: error.fault });
      }
      throw new Problem('internal', 'The book could not be converted to AZW3.');
    },
  };
}

export const probe = async (): Promise<EngineState> => probeProgram(PROGRAM, MISSING);
