// One operation or pipeline for each of many files, as one job.
import type { Call } from './calls.ts';
import { type BinderyError, clientError } from './errors.ts';
import { listOf, operationCall } from './operation-calls.ts';
import { type PipelineStep, pipelineCall } from './pipeline.ts';
import { plainLine } from './plain-words.ts';
import { problemError } from './problems.ts';
import { parsedJson } from './results.ts';
import type { FileSource } from './types.ts';

/** What is done to each file: an operation with its fields, or the steps of a pipeline. */
export type BatchWork =
  | {
      operation: string;
      params?: Record<string, unknown>;
      /** Files for further fields of the operation, the same for each document. */
      files?: Record<string, FileSource | readonly FileSource[]>;
    }
  | { steps: readonly PipelineStep[] };

/** What came of one file. */
export interface BatchEntry {
  /** Its name as it was sent. */
  file: string;
  /** The name of what was made, inside the ZIP; null: there was nothing to return, or it failed. */
  result: string | null;
  mediaType: string;
  /** Why it failed. */
  error?: BinderyError;
}

/** The file of a batch's result that tells of each file. */
export const BATCH_MANIFEST = 'manifest.json';

const RESULT_TYPES: readonly string[] = ['application/octet-stream', 'application/zip'];

export function batchCall(fileInput: FileSource | readonly FileSource[], work: BatchWork): Call {
  const documents = listOf(fileInput);
  if ('steps' in work) return { ...pipelineCall(documents, work.steps), path: 'batch', types: RESULT_TYPES };
  const { operation, params = {}, files = {} } = work;
  const call = operationCall(operation, { ...files, fileInput: documents }, params);
  return {
    ...call,
    path: 'batch',
    types: RESULT_TYPES,
    fields: (places) => [['operation', operation], ...call.fields(places)],
  };
}

const strange = (): BinderyError =>
  clientError('bad_response', 'The manifest of the batch cannot be understood.');

/** What the manifest of a batch tells of its files, in the order they were sent. */
export function readBatchManifest(text: string): BatchEntry[] {
  const manifest = parsedJson<{ files?: unknown } | null>(text);
  if (!Array.isArray(manifest?.files)) throw strange();
  return manifest.files.map(entryIn);
}

function entryIn(value: unknown): BatchEntry {
  if (typeof value !== 'object' || value === null) throw strange();
  const { file, status, result, mediaType, problem } = value as Record<string, unknown>;
  if (typeof file !== 'string') throw strange();
  const told = { file: plainLine(file), mediaType: typeof mediaType === 'string' ? mediaType : '' };
  if (status === 'failed') return { ...told, result: null, error: problemError(problem) ?? strange() };
  if (status !== 'succeeded' || (typeof result !== 'string' && result !== null)) throw strange();
  return { ...told, result };
}
