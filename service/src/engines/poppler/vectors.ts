// Pages as drawings in other languages: poppler's pdftocairo and pdftops, separate programs (GPL: never in process).
import { readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesAt, withFile } from '../../contract/file-bytes.ts';
import { MIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import { isReproducible, momentToTell } from '../../contract/reproducible.ts';
import { hasOutput, ProgramFailure, runProgram } from '../process.ts';

/** A page as displayed, in points. */
export interface PageSize {
  width: number;
  height: number;
}

export interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

const TIMEOUT_MS = 120_000;
/** A longer file keeps the boxes that the program wrote into it. */
const MAX_REPAIRED_BYTES = 256 * MIB;
export const MISSING = 'poppler-utils (Debian and Ubuntu: apt-get install poppler-utils)';

/** The page (from 1) as SVG; undefined where the program cannot draw it. */
export function svgOf(job: JobContext, pdf: string, page: number): Promise<string | undefined> {
  return drawn(job, 'pdftocairo', ['-svg', ...only(page)], pdf, 'svg');
}

/** The page as EPS, its box that of the page. */
export async function epsOf(
  job: JobContext,
  pdf: string,
  page: number,
  size: PageSize,
): Promise<string | undefined> {
  if (isWide(size)) return drawn(job, 'pdftops', ['-level3', '-eps', ...only(page)], pdf, 'eps');
  const path = await drawn(job, 'pdftocairo', ['-eps', ...only(page)], pdf, 'eps');
  if (path !== undefined) stateBoxes(path, [size]);
  return path;
}

/** All pages as PostScript. */
export async function psOf(
  job: JobContext,
  pdf: string,
  sizes: readonly PageSize[],
): Promise<string | undefined> {
  if (sizes.some(isWide)) return drawn(job, 'pdftops', ['-level3', '-origpagesizes'], pdf, 'ps');
  const path = await drawn(job, 'pdftocairo', ['-ps', '-paper', 'match'], pdf, 'ps');
  if (path !== undefined) stateBoxes(path, sizes);
  return path;
}

const only = (page: number): string[] => ['-f', String(page), '-l', String(page)];

/**
 * cairo turns wide pages to stand upright on paper. pdftops does not, but turns the whole of a page with
 * transparency into pixels, where cairo keeps all that can stay a vector: each gets the pages it is better at.
 */
const isWide = ({ width, height }: PageSize): boolean => width > height;

async function drawn(
  { newFile, log }: JobContext,
  program: string,
  args: readonly string[],
  pdf: string,
  extension: string,
): Promise<string | undefined> {
  const output = newFile(extension);
  try {
    const { code } = await runProgram(program, [...args, pdf, output], {
      cwd: dirname(output),
      timeoutMs: TIMEOUT_MS,
      // Equal documents give equal files, as far as the program can.
      env: { SOURCE_DATE_EPOCH: '0' },
    });
    if (code === 0 && hasOutput(output)) {
      if (isReproducible()) tellDate(output);
      return output;
    }
    log.info('poppler could not draw', { engine: 'poppler', program, code });
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.fault === 'not_found') throw new Problem('missing_dependency', MISSING, { cause: error });
    log.warn('poppler gave up', { engine: 'poppler', program, fault: error.fault });
  }
  return undefined;
}

const HEADER_BYTES = 4096;

/** PostScript says when it was made, as C's ctime does: always in as many characters. */
function tellDate(path: string): void {
  withFile(path, 'r+', (file) => {
    const header = bytesAt({ path }, 0, HEADER_BYTES).toString('latin1');
    const told = /(?<=^%%CreationDate: )\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/m.exec(header);
    if (told) writeSync(file, Buffer.from(ctime(momentToTell())), 0, told[0].length, told.index);
  });
}

/** `Tue Jan  1 00:00:00 1980` */
function ctime(date: Date): string {
  const [weekday = '', day = '', month = '', year, time] = date.toUTCString().split(/,? /);
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

/** cairo 1.16 states boxes of some drawing it met; readers cut pages by them. */
function stateBoxes(path: string, sizes: readonly PageSize[]): void {
  if (statSync(path).size > MAX_REPAIRED_BYTES) return;
  const largest = {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
  let page = 0;
  const repaired = readFileSync(path, 'latin1').replace(/^%%(Page)?BoundingBox: .*$/gm, (_, ofPage) => {
    const { width, height } = ofPage ? (sizes[page++] ?? largest) : largest;
    return `%%${ofPage ?? ''}BoundingBox: 0 0 ${Math.ceil(width)} ${Math.ceil(height)}`;
  });
  writeFileSync(path, repaired, 'latin1');
}
