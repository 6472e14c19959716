// The door to librsvg's program: drawings in SVG become PDF, vectors stay vectors and text stays text.
import { dirname } from 'node:path';
import type { InputFile } from '../../contract/files.ts';
import { MIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { EngineState } from '../engine-state.ts';
import { probeProgram } from '../installed.ts';
import { ProgramFailure, runProgram } from '../process.ts';
import { type Size, withSize } from './drawing-size.ts';

export interface Rsvg {
  /**
   * A PDF of one page that shows the drawing; a CSS pixel is 0.75 points. Nothing outside the drawing is read.
   * Problems name the field that brought the file. A drawing that says no size gets `otherwise`, else it is as large as
   * what is drawn. `zoom` makes the page, and what is on it, larger or smaller.
   */
  toPdf(file: InputFile, field: string, otherwise?: Size, zoom?: number): Promise<Uint8Array>;
}

const PROGRAM = 'rsvg-convert';
const TIMEOUT_MS = 60_000;
/** More markup than this is no drawing. */
const MAX_SVG_BYTES = 50 * MIB;
const MAX_PDF_BYTES = 200 * MIB;
const MISSING = 'rsvg-convert, for SVG drawings (Debian and Ubuntu: apt-get install librsvg2-bin)';

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

export function createRsvg({ newFile, log }: JobContext): Rsvg {
  return {
    async toPdf(file, field, otherwise, zoom = 1) {
      if (file.size > MAX_SVG_BYTES)
        throw new Problem('unsupported_file_type', `${field}: ${file.name} is too large for an SVG drawing.`);
      // Read from standard input the drawing has no place of its own, so that it can refer to nothing beside it.
      const svg = otherwise ? withSize(file.bytes(), otherwise) : file.bytes();
      const args = ['--format=pdf', ...(zoom === 1 ? [] : [`--zoom=${zoom.toFixed(12)}`])];
      const { code, stdout } = await run(svg, args, dirname(newFile('svg')), field, file.name);
      if (code === 0 && stdout.subarray(0, 5).toString('latin1') === '%PDF-') return stdout;
      log.info('drawing refused', { engine: 'rsvg', code });
      throw unreadable(field, file.name);
    },
  };
}

async function run(svg: Uint8Array, args: readonly string[], cwd: string, field: string, name: string) {
  try {
    return await runProgram(PROGRAM, args, {
      cwd,
      timeoutMs: TIMEOUT_MS,
      stdin: svg,
      maxOutputBytes: MAX_PDF_BYTES,
      // The date of the file is not that of the drawing; equal drawings give equal files.
      env: { SOURCE_DATE_EPOCH: '0' },
    });
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.fault === 'not_found') throw new Problem('missing_dependency', MISSING, { cause: error });
    throw new Problem('unsupported_file_type', `${field}: ${name} is too complex a drawing.`, {
      cause: error,
    });
  }
}

const unreadable = (field: string, name: string): Problem =>
  new Problem('unsupported_file_type', `${field}: ${name} is not a readable SVG drawing.`);

export const probe = async (): Promise<EngineState> => probeProgram(PROGRAM, MISSING);
