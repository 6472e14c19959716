// The door to veraPDF, the reference checker of PDF/A and PDF/UA, a separate program. Optional: where it is not
// installed nothing is asked.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { InputFile } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import type { Verdict } from '../../pdf/conformance/check.ts';
import type { Standard } from '../../pdf/conformance/standards.ts';
import { isInstalled } from '../installed.ts';
import { ProgramFailure, runProgram } from '../process.ts';
import { PROGRAM } from './program.ts';
import { verdictOf } from './report.ts';

export interface Verapdf {
  /** Undefined where the program is missing, gives up, or does not know the standard. */
  check(file: Pick<InputFile, 'content'>, standard: Standard): Promise<Verdict | undefined>;
}

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export function createVerapdf({ newFile, log }: JobContext): Verapdf {
  return {
    async check({ content }, standard) {
      if (!isInstalled(PROGRAM)) return undefined;
      const path = 'path' in content ? content.path : newFile('pdf');
      if ('bytes' in content) writeFileSync(path, content.bytes);
      const args = ['--flavour', standard.id, '--format', 'xml', '--maxfailuresdisplayed', '100', path];
      try {
        const { stdout } = await runProgram(PROGRAM, args, {
          cwd: dirname(path),
          timeoutMs: TIMEOUT_MS,
          maxOutputBytes: MAX_OUTPUT_BYTES,
        });
        const verdict = verdictOf(stdout.toString('utf8'), standard);
        if (!verdict) log.warn('veraPDF gave no verdict', { engine: 'verapdf', standard: standard.id });
        return verdict;
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error;
        log.warn('veraPDF gave up', { engine: 'verapdf', fault: error.fault });
        return undefined;
      }
    },
  };
}
