// Numbers the contract fixes. What an operator may set stands in config.ts.

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

export const LIMITS = {
  filesPerRequest: 500,
  jsonBytes: MIB,
  jsonDepth: 64,
  textCharacters: 10_000,
  pageSelectionCharacters: 16_384,
  passwordBytes: 127,
  resultBytes: GIB,
  pipelineSteps: 50,
  pipelineFiles: 100,
  intermediateFiles: 2000,
  /** What one job may have made and still hold on disk: its files, and a result packed from them. */
  jobBytes: 3 * GIB,
  resultingPages: 20_000,
  idempotencyKeyCharacters: 255,
  idempotencyRetentionMs: 24 * 3600 * 1000,
  /** Asynchronous calls of one key that are known, finished ones too. */
  jobsOfKey: 10_000,
  /** Files of one batch, and what all that came of them may have together. */
  batchFiles: 500,
  batchResultBytes: 4 * GIB,
  /** Longest time an asynchronous call waits for its answer before it is told as a job. */
  preferredWaitSeconds: 300,
  uploadLifetimeMs: 3600 * 1000,
  /** Up to this size what a job fetches or prints stays in memory; above it, it is a file. */
  messageBytes: 256 * KIB,
  /** A multipart file part is kept in memory up to this size, then written to disk as it arrives. */
  spoolBytes: 2 * MIB,
} as const;
