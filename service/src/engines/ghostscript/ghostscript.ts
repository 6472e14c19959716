// The door to Ghostscript, a separate program (AGPL: never in process): pages are drawn anew, with fonts embedded and
// colours made plain, or put into a language of printers. PDF comes in; paths are ours, and no word of a caller is on the command line.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesAt } from '../../contract/file-bytes.ts';
import type { Content } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { EngineState } from '../engine-state.ts';
import { probeProgram } from '../installed.ts';
import { hasOutput, ProgramFailure, runProgram } from '../process.ts';

export interface Redrawing {
  /** What the pages are for: an archive (PDF/A of that part) or a printing press (PDF/X-4). */
  for: 1 | 2 | 3 | 'press';
  /** Colours of devices become those of this kind. */
  colours: 'RGB' | 'CMYK' | 'asTheyAre';
}

export interface Ghostscript {
  /**
   * The pages of a document drawn anew; nothing but what they show comes through. Undefined where the program cannot
   * draw the document. Throws missing_dependency where it is not installed.
   */
  redraw(content: Content, options: Redrawing): Promise<Content | undefined>;
  /** All pages for printers: PCL 6 (PCL XL), or XPS. As `redraw` where it cannot be. */
  forPrinters(content: Content, format: PrinterFormat): Promise<{ path: string } | undefined>;
}

export type PrinterFormat = 'pcl' | 'xps';

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

const PROGRAM = 'gs';
const PDF = '%PDF-';
const TIMEOUT_MS = 240_000;
const MISSING = 'Ghostscript (Debian and Ubuntu: apt-get install ghostscript)';

/** Nothing is read but the one file. */
const ALWAYS = ['-dSAFER', '-dBATCH', '-dNOPAUSE', '-dQUIET'];

/** Images stay as they are, pages are not turned. */
const REDRAWN = [
  '-sDEVICE=pdfwrite',
  '-dAutoRotatePages=/None',
  '-dEmbedAllFonts=true',
  '-dSubsetFonts=true',
  '-dCompressFonts=true',
  '-dDownsampleColorImages=false',
  '-dDownsampleGrayImages=false',
  '-dDownsampleMonoImages=false',
  '-dAutoFilterColorImages=false',
  '-dAutoFilterGrayImages=false',
  '-dColorImageFilter=/FlateEncode',
  '-dGrayImageFilter=/FlateEncode',
  '-dPassThroughJPEGImages=true',
  '-dPassThroughJPXImages=false',
  '-dOptimize=false',
  '-dShowAnnots=false',
];

/** What shows through becomes an image: as fine as a good printer, instead of the 720 dpi that is usual here. */
const FLATTENED = '-r300';

const FOR: Readonly<Record<Redrawing['for'], readonly string[]>> = {
  1: ['-dPDFA=1', '-dPDFACompatibilityPolicy=1', '-dCompatibilityLevel=1.4', FLATTENED],
  2: ['-dPDFA=2', '-dPDFACompatibilityPolicy=1', '-dCompatibilityLevel=1.7'],
  3: ['-dPDFA=3', '-dPDFACompatibilityPolicy=1', '-dCompatibilityLevel=1.7'],
  press: ['-dCompatibilityLevel=1.6'],
};

/** Letters as outlines: what makes an XPS writes them four times as long, and not all of them surely. */
const OUTLINED = ['-sDEVICE=pdfwrite', '-dNoOutputFonts', '-dAutoRotatePages=/None', '-dUseCropBox'];

/** Pages as they are displayed; what cannot be told as vectors becomes an image as fine as a good printer. */
const PRINTED: Readonly<Record<PrinterFormat, readonly string[]>> = {
  pcl: ['-sDEVICE=pxlcolor', '-dUseCropBox', '-r300'],
  xps: ['-sDEVICE=xpswrite', '-dUseCropBox', '-r300'],
};

const COLOURS: Readonly<Record<Redrawing['colours'], readonly string[]>> = {
  RGB: ['-sColorConversionStrategy=RGB', '-sProcessColorModel=DeviceRGB'],
  CMYK: ['-sColorConversionStrategy=CMYK', '-sProcessColorModel=DeviceCMYK'],
  asTheyAre: ['-sColorConversionStrategy=LeaveColorUnchanged'],
};

export function createGhostscript({ newFile, log }: JobContext): Ghostscript {
  /** `extension` of what comes out. */
  async function drawn(
    content: Content,
    extension: string,
    args: readonly string[],
  ): Promise<{ path: string } | undefined> {
    // The program would run anything else as PostScript.
    if (!isPdf(content)) return undefined;
    const input = 'path' in content ? content.path : newFile('pdf');
    if ('bytes' in content) writeFileSync(input, content.bytes);
    const output = newFile(extension);
    const whole = [...ALWAYS, ...args, `-sOutputFile=${output}`, input];
    try {
      const { code } = await runProgram(PROGRAM, whole, { cwd: dirname(output), timeoutMs: TIMEOUT_MS });
      if (code === 0 && hasOutput(output)) return { path: output };
      log.info('Ghostscript could not draw a document', { engine: 'ghostscript', code });
      return undefined;
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      if (error.fault === 'not_found') throw new Problem('missing_dependency', MISSING, { cause: error });
      log.warn('Ghostscript gave up', { engine: 'ghostscript', fault: error.fault });
      return undefined;
    }
  }
  return {
    redraw: (content, options) =>
      drawn(content, 'pdf', [...REDRAWN, ...FOR[options.for], ...COLOURS[options.colours]]),
    async forPrinters(content, format) {
      const pages = format === 'xps' ? await drawn(content, 'pdf', OUTLINED) : content;
      return pages && drawn(pages, format, PRINTED[format]);
    },
  };
}

const isPdf = (content: Content): boolean => bytesAt(content, 0, PDF.length).toString('latin1') === PDF;

export const probe = async (): Promise<EngineState> => probeProgram(PROGRAM, MISSING);
