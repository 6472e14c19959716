// The door to poppler's programs: a second opinion on what text a document holds (pdftotext), and pages as drawings in
// other languages (pdftocairo, pdftops).
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Content } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import type { EngineState } from '../engine-state.ts';
import { probeProgram } from '../installed.ts';
import { ProgramFailure, runProgram } from '../process.ts';
import { programVersion } from '../program-version.ts';
import { epsOf, MISSING, type PageSize, psOf, svgOf } from './vectors.ts';
import { type PageWords, wordsOf } from './words.ts';

export type { PageSize } from './vectors.ts';
export type { PageWords, Word } from './words.ts';

export interface Poppler {
  /** The words of every page with their places; else whether the program is missing or gave up on the document. */
  words(content: Content): Promise<PageWords[] | 'missing' | 'gave-up'>;
  /** Undefined where it is missing. */
  version(): Promise<string | undefined>;
  /** Verbs that draw want a file of ours; pages count from 1. Undefined where a page cannot be drawn. */
  svg(pdf: string, page: number): Promise<string | undefined>;
  eps(pdf: string, page: number, size: PageSize): Promise<string | undefined>;
  /** All pages in one file. */
  ps(pdf: string, sizes: readonly PageSize[]): Promise<string | undefined>;
}

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

export function createPoppler(job: JobContext): Poppler {
  const { newFile, log } = job;
  return {
    svg: (pdf, page) => svgOf(job, pdf, page),
    eps: (pdf, page, size) => epsOf(job, pdf, page, size),
    ps: (pdf, sizes) => psOf(job, pdf, sizes),
    version: () => programVersion('pdftotext', '-v'),
    async words(content) {
      const path = 'path' in content ? content.path : newFile('pdf');
      if ('bytes' in content) writeFileSync(path, content.bytes);
      try {
        const { code, stdout } = await runProgram('pdftotext', ['-bbox', '-enc', 'UTF-8', path, '-'], {
          cwd: dirname(path),
          timeoutMs: TIMEOUT_MS,
          maxOutputBytes: MAX_OUTPUT_BYTES,
        });
        return code === 0 ? wordsOf(stdout.toString('utf8')) : 'gave-up';
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error;
        if (error.fault === 'not_found') return 'missing';
        log.warn('pdftotext gave up', { engine: 'poppler', fault: error.fault });
        return 'gave-up';
      }
    },
  };
}

export const probe = async (): Promise<EngineState> => probeProgram('pdftotext', MISSING);
