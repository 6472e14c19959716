// One document at a time through the LibreOffice of this process; whatever a document does to it, the next finds
// a sound one.
import type { Content, InputFile } from '../../contract/files.ts';
import type { Log } from '../../contract/log.ts';
import { machineFaultOf } from '../../contract/machine-faults.ts';
import { Problem } from '../../contract/problems.ts';
import { ProgramFailure } from '../process.ts';
import { isEnciphered, protectedFile } from './document-kind.ts';
import { type OfficeKind, type OfficeTarget, writerName } from './formats.ts';
import { type Conversion, workName } from './office-folder.ts';
import { OfficeProcess } from './office-process.ts';
import { convertOnce } from './one-shot.ts';
import { mayConnect } from './pipes.ts';
import { MISSING, officeFolder } from './program.ts';
import { csvOptions, plainText, TEXT_OPTIONS } from './text-files.ts';
import type { PropertyValues } from './urp-coding.ts';
import { UnoException } from './urp-connection.ts';

export interface ConvertOptions {
  timeoutMs?: number;
}

/** How a PDF is made. */
export interface PdfOptions {
  /** Comments become annotations; absent: they are left out. */
  comments?: boolean;
}

interface JobContext {
  newFile(extension: string): string;
  log: Log;
}

/** Below the deadline a request has by default: the caller is to hear why. */
const TIMEOUT_MS = 180_000;
/** Memory that LibreOffice does not give back grows with each document. */
const DOCUMENTS_EACH = 50;

let running: OfficeProcess | undefined;
/** The next one: on its way, and when it is there. */
let starting: Promise<OfficeProcess> | undefined;
let successor: OfficeProcess | undefined;
/** Documents in a row that have one of their own before it is tried to keep one up again. */
let aloneLeft = 0;
/** Starts that failed in a row: one alone may be owed to a busy moment, many to the machine. */
let failedStarts = 0;
const LONGEST_ALONE = 63;
let queue: Promise<unknown> = Promise.resolve();

/** Whether a document would find LibreOffice up. */
export const isWarm = (): boolean => running?.isAlive === true || successor?.isAlive === true;

export function convertFile(
  job: JobContext,
  file: InputFile,
  from: OfficeKind,
  to: OfficeTarget,
  { timeoutMs = TIMEOUT_MS, ...pdf }: ConvertOptions & PdfOptions,
): Promise<Content> {
  const turn = queue.then(() => convertNow(job, file, describe(job, file, from, to, pdf), timeoutMs));
  queue = turn.catch(() => {});
  return turn;
}

async function convertNow(
  job: JobContext,
  file: InputFile,
  conversion: Conversion,
  timeoutMs: number,
): Promise<Content> {
  const folder = officeFolder();
  if (!folder) throw new Problem('missing_dependency', MISSING);
  const watch = new Watch(file.name, timeoutMs);
  try {
    const outcome = await attempt(job, folder, conversion, watch);
    if (outcome === 'made') return { path: conversion.target };
    throw unreadable(file);
  } catch (error) {
    if (error instanceof Problem || machineFaultOf(error)) throw error;
    if (watch.problem) throw watch.problem;
    // A LibreOffice that was started for this document alone and crashed may be out of order for any.
    if (error instanceof ProgramFailure) throw error.fault === 'timeout' ? watch.lapse() : error;
    throw unreadable(file, error);
  } finally {
    watch.end();
    renew(folder);
  }
}

async function attempt(
  job: JobContext,
  folder: string,
  conversion: Conversion,
  watch: Watch,
): Promise<'made' | 'unreadable'> {
  const kept = await keptOffice(job, folder);
  if (!kept) return convertOnce(folder, conversion, watch.leftMs());
  try {
    return await convertWith(kept, conversion, watch);
  } catch (error) {
    if (error instanceof UnoException || watch.problem || machineFaultOf(error)) throw error;
    job.log.warn('LibreOffice ended with a document, which is given one of its own', {
      error: String(error),
    });
    return convertAlone(folder, conversion, watch, error);
  }
}

/** What an earlier document left behind may have been the end of the kept one, or what only windows need. */
async function convertAlone(folder: string, conversion: Conversion, watch: Watch, why: unknown) {
  try {
    return await convertOnce(folder, conversion, watch.leftMs());
  } catch (error) {
    const isOwn = machineFaultOf(error) || (error instanceof ProgramFailure && error.fault === 'timeout');
    throw isOwn ? error : why;
  }
}

async function convertWith(kept: OfficeProcess, conversion: Conversion, watch: Watch) {
  // Time may have run out while LibreOffice came up.
  if (watch.problem) throw watch.problem;
  watch.onEnd = () => kept.kill();
  try {
    return await kept.convert(conversion);
  } catch (error) {
    // A document that failed half-way may still be open.
    kept.kill();
    throw error;
  } finally {
    watch.onEnd = () => {};
  }
}

async function keptOffice({ log }: JobContext, programs: string): Promise<OfficeProcess | undefined> {
  if (aloneLeft > 0) {
    aloneLeft -= 1;
    return undefined;
  }
  if (successor?.isAlive) {
    running?.kill();
    running = successor;
  }
  successor = undefined;
  if (running?.isAlive) return running;
  if (!(await mayConnect())) return undefined;
  try {
    running = await (starting ?? OfficeProcess.start(programs));
    successor = undefined;
    failedStarts = 0;
    return running;
  } catch (error) {
    if (machineFaultOf(error)) throw error;
    log.error('LibreOffice cannot be kept up', { error: String(error) });
    failedStarts += 1;
    aloneLeft = Math.min(2 ** failedStarts - 1, LONGEST_ALONE);
    return undefined;
  }
}

/** One that has served its time works on until its successor is up; one that is gone leaves nobody. */
function renew(programs: string): void {
  if (aloneLeft > 0 || starting || successor?.isAlive) return;
  if (!running || (running.isAlive && running.served < DOCUMENTS_EACH)) return;
  starting = OfficeProcess.start(programs);
  starting
    .then((started) => {
      successor = started;
    })
    .catch(() => {})
    .finally(() => {
      starting = undefined;
    });
}

function describe(
  job: JobContext,
  file: InputFile,
  from: OfficeKind,
  to: OfficeTarget,
  { comments = false }: PdfOptions,
): Conversion {
  const text = from === 'txt' || from === 'csv' ? plainText(file.bytes()) : undefined;
  return {
    content: text === undefined ? file.content : { text },
    name: workName(file.base, from),
    load: { ...LOAD, ...(from === 'txt' ? TEXT_OPTIONS : from === 'csv' ? csvOptions(text ?? '') : {}) },
    target: job.newFile(to),
    extension: to,
    store: {
      FilterName: writerName(from, to),
      Overwrite: true,
      ...(to === 'pdf' ? { FilterData: { properties: { ...PDF, ExportNotes: comments } } } : {}),
    },
  };
}

const NEVER = { short: 0 };
const LOAD: PropertyValues = {
  Hidden: true,
  Silent: true,
  ReadOnly: true,
  MacroExecutionMode: NEVER,
  UpdateDocMode: NEVER,
};

const PDF: PropertyValues = {
  UseTaggedPDF: true,
  ExportBookmarks: true,
  ExportFormFields: true,
  // Links to files stay as they were written: a path of ours is nobody's business.
  ExportLinksRelativeFsys: true,
  ReduceImageResolution: false,
  Quality: 90,
};

function unreadable(file: InputFile, cause?: unknown): Problem {
  if (isEnciphered(file)) return protectedFile(file.name);
  return new Problem(
    'unsupported_file_type',
    `${file.name} is damaged, or no document that can be converted.`,
    { cause },
  );
}

/** Ends what takes too long. */
class Watch {
  problem: Problem | undefined;
  onEnd = (): void => {};
  private readonly name: string;
  private readonly timeoutMs: number;
  private readonly endAt: number;
  private readonly timer: NodeJS.Timeout;

  constructor(name: string, timeoutMs: number) {
    this.name = name;
    this.timeoutMs = timeoutMs;
    this.endAt = Date.now() + timeoutMs;
    this.timer = setTimeout(() => {
      this.lapse();
      this.onEnd();
    }, timeoutMs);
  }

  lapse(): Problem {
    const seconds = Math.round(this.timeoutMs / 1000);
    this.problem ??= new Problem(
      'deadline_exceeded',
      `Converting ${this.name} took more than ${seconds} seconds.`,
    );
    return this.problem;
  }

  leftMs(): number {
    return Math.max(1, this.endAt - Date.now());
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
