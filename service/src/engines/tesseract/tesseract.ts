// The door to Tesseract, a separate program: the words of an image. Paths are ours, and languages are those installed:
// no word of a caller is on the command line.
import { dirname } from 'node:path';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { RecognisedPage, Turn } from '../../pdf/ocr/recognised.ts';
import { ProgramFailure, type ProgramResult, runProgram } from '../process.ts';
import { programVersion } from '../program-version.ts';
import { parseHocr } from './hocr.ts';
import { findData, MISSING, PROGRAM } from './program.ts';

export interface Tesseract {
  /** Codes of the languages this machine has. */
  readonly languages: readonly string[];
  /** Undefined where it is missing. */
  version(): Promise<string | undefined>;
  /** The words of an image file. Undefined where the program gives up on it; throws where it was killed or crashed. */
  recognise(
    image: string,
    options: { languages: readonly string[]; dpi: number },
  ): Promise<RecognisedPage | undefined>;
  /** Degrees clockwise by which the image is to be turned to stand upright; undefined where that cannot be told. */
  orientation(image: string, dpi: number): Promise<Turn | undefined>;
}

interface JobContext {
  log: Log;
}

/** A full page takes 2 to 9 seconds where cores are free. */
const PAGE_MS = 90_000;
const ORIENTATION_MS = 30_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** What the program says of resolutions it takes. */
const LEAST_DPI = 70;
const MOST_DPI = 2400;
/** Below this it guesses. */
const LEAST_ORIENTATION_CONFIDENCE = 2;
/** Layout found by itself, without looking how the page lies; and nothing but that. */
const LAYOUT = '3';
const ORIENTATION_ONLY = '0';

export function createTesseract({ log }: JobContext): Tesseract {
  const data = findData();
  const run = async (image: string, dpi: number, args: readonly string[], timeoutMs = PAGE_MS) => {
    if (!data) throw new Problem('missing_dependency', MISSING);
    const stated = Math.round(Math.min(MOST_DPI, Math.max(LEAST_DPI, dpi)));
    return runTesseract(
      [image, 'stdout', '--tessdata-dir', data.folder, '--dpi', String(stated), ...args],
      { cwd: dirname(image), timeoutMs },
      log,
    );
  };
  return {
    languages: data?.languages ?? [],
    version: () => programVersion(PROGRAM, '--version'),
    async recognise(image, { languages, dpi }) {
      const known = languages.filter((language) => data?.languages.includes(language));
      const args = ['-l', known.join('+'), '--psm', LAYOUT, '-c', 'tessedit_create_hocr=1'];
      const ran = await run(image, dpi, args);
      if (ran?.code === 0) return parseHocr(ran.stdout.toString('utf8'));
      if (ran) log.warn('Tesseract could not read a picture', { engine: 'tesseract', code: ran.code });
      return undefined;
    },
    async orientation(image, dpi) {
      if (!data?.canOrient) return undefined;
      const ran = await run(image, dpi, ['-l', 'osd', '--psm', ORIENTATION_ONLY], ORIENTATION_MS);
      const said = ran?.code === 0 ? ran.stdout.toString('utf8') : '';
      const confidence = Number(/Orientation confidence: ([\d.]+)/.exec(said)?.[1] ?? 0);
      const turn = Number(/Rotate: (\d+)/.exec(said)?.[1]);
      if (confidence < LEAST_ORIENTATION_CONFIDENCE) return undefined;
      return turn === 0 || turn === 90 || turn === 180 || turn === 270 ? turn : undefined;
    },
  };
}

async function runTesseract(
  args: readonly string[],
  { cwd, timeoutMs }: { cwd: string; timeoutMs: number },
  log: Log,
): Promise<ProgramResult | undefined> {
  try {
    return await runProgram(PROGRAM, args, {
      cwd,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      // Its threads fight for the cores; pages beside each other do not.
      env: { OMP_THREAD_LIMIT: '1' },
    });
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    if (error.fault === 'not_found') throw new Problem('missing_dependency', MISSING, { cause: error });
    if (error.fault === 'crashed')
      throw new Problem('unavailable', 'The recognition of its text ended unexpectedly.', { cause: error });
    log.warn('Tesseract gave up', { engine: 'tesseract', fault: error.fault });
    return undefined;
  }
}
