// A checked call, as plain data that crosses the border to a worker process, and what comes back.
// A single operation is a pipeline of one.
import type { FileKind } from '../contract/kinds.ts';
import type { ProblemData } from '../contract/problems.ts';
import type { EngineName } from '../engines/engines.ts';

/** A file handed to a job: in memory when small, else a name inside the job's directory. */
export interface JobFile {
  name: string;
  size: number;
  content: { bytes: Uint8Array } | { file: string };
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

export interface Job {
  id: string;
  steps: readonly JobStep[];
  files: readonly JobFile[];
  /** Whether this came through the pipeline: failures then carry step and op, several results are `output.zip`. */
  pipeline: boolean;
}

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

export type EngineNeeds = readonly EngineName[];
