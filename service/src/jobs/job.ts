// A checked call, as plain data that crosses the border to a worker process, and what comes back.
// A single operation is a pipeline of one.
import type { FileKind } from '../contract/kinds.ts';
import type { ProblemData } from '../contract/problems.ts';
import type { Reproducible } from '../contract/reproducible.ts';
import type { TraceContext } from '../contract/trace-context.ts';
import type { EngineName } from '../engines/engines.ts';

/** A file handed to a job: in memory when small, in the pieces it came in, else a name inside the job's directory. */
export interface JobFile {
  name: string;
  size: number;
  content: { chunks: readonly Uint8Array[] } | { file: string };
}

export interface JobStep {
  /** Path form: group/name. */
  op: string;
  params: Record<string, unknown>;
  /** Passwords to try on encrypted PDFs, in order. */
  passwords: readonly string[];
  /** Secondary file fields. */
  extraFiles: Record<string, JobFile[]>;
}

/** From the first, before the second. */
export interface PageRange {
  from: number;
  to: number;
}

export interface Job {
  id: string;
  steps: readonly JobStep[];
  files: readonly JobFile[];
  /** Pages of another job that this one is to help with; it has one step and one file. */
  part?: PageRange;
  /** Whether this came through the pipeline: failures then carry step and op, several results are `output.zip`. */
  pipeline: boolean;
  /** Somebody wants to hear how far it is. */
  tellsProgress?: boolean;
  /** The same request is to give the same bytes whenever it is sent. */
  reproducible?: Reproducible;
  /** The request it came with, where traces are collected; it stays with the job when that is done later. */
  trace?: TraceContext;
}

export type PageResult = { bytes: Uint8Array } | { file: string };

/** What a caller will receive. `file` stands in the job's directory, which lives until the response is sent. */
export interface JobResult {
  content: { bytes: Uint8Array } | { file: string };
  size: number;
  mediaType: string;
  /** Absent: no Content-Disposition. */
  name?: string;
  kind: FileKind;
  headers: Record<string, string>;
}

export type JobOutcome =
  | { state: 'made'; result: JobResult }
  | { state: 'nothing' }
  | { state: 'failed'; problem: ProblemData; cause?: string };

/** What came of the pages of a part, from its first on: of all of them, or of as many as there was time for. */
export type PartOutcome = { state: 'pages'; pages: PageResult[] };

export type EngineNeeds = readonly EngineName[];
