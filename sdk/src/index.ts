export { BATCH_MANIFEST, type BatchEntry, type BatchWork, readBatchManifest } from './batches.ts';
export { Bindery, type BinderyOptions } from './client.ts';
export type { ServiceStatus } from './connection.ts';
export {
  BinderyError,
  type ClientCode,
  type ErrorCode,
  type ErrorReason,
  type ProblemDocument,
} from './errors.ts';
export { type DeliveredResult, FileAddress } from './file-addresses.ts';
export type { JobDocument, JobProgress, JobStatus, JobWebhook } from './job-documents.ts';
export { type JobList, Jobs } from './jobs.ts';
export * from './operations.generated.ts';
export { Pipeline, type PipelineStep, type StepPath } from './pipeline.ts';
export { plainLine, plainText } from './plain-words.ts';
export type { ProblemCode, ProblemReason } from './reasons.generated.ts';
export { type RedactionReport, reportKeyOf, verifyReport } from './redaction-report.ts';
export { FileResult } from './results.ts';
export type {
  AnswerFacts,
  ByteStream,
  CallOptions,
  FileContent,
  FileSource,
  Hooks,
  NamedContent,
  PageSelection,
  Progress,
} from './types.ts';
export { Upload } from './uploads.ts';
