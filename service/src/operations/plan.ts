// A request becomes a plan: which operations run on which files, checked before anything runs.
// The only door from a caller's words (REST, MCP) to a job.
import type { JobFile } from '../jobs/job.ts';

/** One part of a request, in the order sent. `<field>@upload` arrives as `uploadId` under the bare field name. */
export type Part =
  | { field: string; text: string }
  | { field: string; file: JobFile }
  | { field: string; uploadId: string };

/** A file of a plan: at hand, or an upload still to be claimed. */
export type PlannedFile = { file: JobFile } | { uploadId: string };

export interface PlannedStep {
  op: string;
  params: Record<string, unknown>;
  passwords: readonly string[];
  extraFiles: Record<string, PlannedFile[]>;
}

export interface Plan {
  pipeline: boolean;
  steps: readonly PlannedStep[];
  files: readonly PlannedFile[];
}
