// The client: one method for each operation, grouped as the service's paths are.
import { type BatchWork, batchCall } from './batches.ts';
import { begun, type Call, type Caller, performed } from './calls.ts';
import { type Connection, connect, type ServiceStatus } from './connection.ts';
import { clientError } from './errors.ts';
import { FileAddress, refused } from './file-addresses.ts';
import { Jobs } from './jobs.ts';
import { listOf, operationCall } from './operation-calls.ts';
import {
  OPERATIONS,
  type OperationGroups,
  type OperationPath,
  type OperationRow,
} from './operations.generated.ts';
import { Pipeline, type PipelineStep, pipelineCall } from './pipeline.ts';
import { CALL_REPEATS, type CallLimits, callLimits, requested } from './requests.ts';
import { FileResult, jsonOf } from './results.ts';
import { openSource } from './sources.ts';
import type { CallOptions, FileSource, Hooks } from './types.ts';
import { removeUpload, Upload, uploadFile } from './uploads.ts';

export interface BinderyOptions {
  /** Such as http://127.0.0.1:8080. */
  baseUrl: string | URL;
  apiKey: string;
  /** For a whole call; 5 minutes. 0: no limit. */
  timeoutMs?: number;
  /** How often a call that failed for a passing reason is repeated; 2. */
  retries?: number;
  /** Another `fetch`, for proxies and tests. */
  fetch?: typeof fetch;
  /** For logs. */
  hooks?: Hooks;
}

const FIVE_MINUTES_MS = 5 * 60 * 1000;
const DEFAULT_URL = 'http://127.0.0.1:8080';

class Client {
  private readonly connection: Connection;
  private readonly timeoutMs: number;
  private readonly retries: number;
  private known: Promise<ServiceStatus> | undefined;
  /** Calls in the background. */
  readonly jobs: Jobs;

  constructor({
    baseUrl,
    apiKey,
    timeoutMs = FIVE_MINUTES_MS,
    retries = 2,
    fetch: fetcher,
    hooks = {},
  }: BinderyOptions) {
    this.connection = connect(baseUrl, apiKey, fetcher ?? ((input, init) => fetch(input, init)), hooks);
    this.timeoutMs = timeoutMs;
    this.retries = retries;
    this.jobs = new Jobs(this.connection, timeoutMs, retries, (call, options) =>
      begun(call, this.caller(this.limits(options), options)),
    );
    for (const [path, row] of Object.entries(OPERATIONS)) this.addMethod(path as OperationPath, row);
  }

  static fromEnvironment(options: Partial<BinderyOptions> = {}): Client {
    const { BINDERY_URL, BINDERY_API_KEY } = typeof process === 'object' ? process.env : {};
    const apiKey = options.apiKey ?? BINDERY_API_KEY;
    if (!apiKey) throw new TypeError('BINDERY_API_KEY is not set: it holds the API key of the service.');
    return new Client({ ...options, apiKey, baseUrl: options.baseUrl ?? (BINDERY_URL || DEFAULT_URL) });
  }

  /** The limits of the service. */
  status(options: CallOptions = {}): Promise<ServiceStatus> {
    return this.readStatus(this.limits(options));
  }

  /** Sends a file in chunks, whatever its size, for use in a later call. */
  async upload(source: FileSource, options: CallOptions = {}): Promise<Upload> {
    const limits = this.limits(options);
    const { file, drop } = await openSource(source, limits.signal).catch((error: unknown) => {
      throw limits.failure(error);
    });
    if (file instanceof Upload) return file;
    if (file instanceof FileAddress)
      throw refused(
        'A FileAddress is fetched by the service; it cannot be uploaded.',
        'Give it to a call as it is.',
      );
    let sentBytes = 0;
    try {
      return await uploadFile(this.connection, file, limits, (bytes) => {
        sentBytes += bytes;
        options.onProgress?.({ sentBytes, totalBytes: file.size });
      });
    } catch (error) {
      throw limits.failure(error);
    } finally {
      await drop();
    }
  }

  /** Removes an upload that is not wanted any more. */
  deleteUpload(upload: Upload): Promise<void> {
    return removeUpload(this.connection, upload.id);
  }

  /** The start of a pipeline: add steps, then run it. */
  pipeline(fileInput: FileSource | readonly FileSource[]): Pipeline {
    return new Pipeline(listOf(fileInput), (call, options) => this.fileOf(call, options));
  }

  /** A pipeline whose steps come from elsewhere, such as a file. */
  async runPipeline(
    fileInput: FileSource | readonly FileSource[],
    steps: readonly PipelineStep[],
    options: CallOptions = {},
  ): Promise<FileResult> {
    return this.fileOf(pipelineCall(listOf(fileInput), steps), options);
  }

  /**
   * The same for each of many files (500 at most), always in the background: a ZIP of the results with manifest.json,
   * which `readBatchManifest` reads. A file that fails does not fail the others.
   */
  async batch(
    fileInput: FileSource | readonly FileSource[],
    work: BatchWork,
    options: CallOptions = {},
  ): Promise<FileResult> {
    return this.fileOf(batchCall(fileInput, work), { ...options, background: true });
  }

  /** Any operation by its path, for programs that choose at run time; JSON results come as a file, too. */
  async call(
    path: string,
    files: Record<string, FileSource | readonly FileSource[]>,
    params: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<FileResult> {
    return this.fileOf(operationCall(path, files, params), options);
  }

  private addMethod(path: OperationPath, row: OperationRow): void {
    const group = path.split('/')[0] ?? '';
    const groups = this as unknown as Record<string, Record<string, unknown>>;
    groups[group] ??= {};
    const mainFile = row.files[0] === 'fileInput';
    groups[group][row.method] = async (...args: unknown[]) => {
      const [source, params, options] = (mainFile ? args : [undefined, ...args]) as [
        FileSource | readonly FileSource[] | undefined,
        Record<string, unknown> | undefined,
        CallOptions | undefined,
      ];
      const call = operationCall(path, source === undefined ? {} : { fileInput: source }, params ?? {});
      return row.result === 'json' ? this.jsonOf(call, options ?? {}) : this.fileOf(call, options ?? {});
    };
  }

  private async fileOf(call: Call, options: CallOptions): Promise<FileResult> {
    const limits = this.limits(options);
    return new FileResult(await performed(call, this.caller(limits, options)), limits.failure);
  }

  private async jsonOf(call: Call, options: CallOptions): Promise<unknown> {
    if (options.resultUrl !== undefined)
      throw refused(
        `${call.path} answers JSON here: resultUrl has no place.`,
        'Use bindery.call, whose result is a file.',
      );
    const limits = this.limits(options);
    return new FileResult(await performed(call, this.caller(limits, options)), limits.failure).json();
  }

  private limits({ background, timeoutMs, signal }: CallOptions): CallLimits {
    return callLimits(timeoutMs ?? (background ? 0 : this.timeoutMs), signal);
  }

  private caller(limits: CallLimits, options: CallOptions): Caller {
    const repeats = { ...CALL_REPEATS, retries: options.retries ?? this.retries };
    return { connection: this.connection, limits, options, repeats, status: () => this.knownStatus(limits) };
  }

  /** Asked once: limits change only when the service is set up anew. */
  private knownStatus(limits: CallLimits): Promise<ServiceStatus> {
    this.known ??= this.readStatus(limits).catch((error: unknown) => {
      this.known = undefined;
      throw error;
    });
    return this.known;
  }

  private async readStatus(limits: CallLimits): Promise<ServiceStatus> {
    const send = (signal: AbortSignal) => this.connection.send('info/status', { signal });
    const status = await jsonOf<ServiceStatus>(
      await requested(send, limits, { ...CALL_REPEATS, retries: this.retries }),
      limits.failure,
    );
    if (Number.isSafeInteger(status.maxUploadBytes) && Number(status.maxUploadBytes) > 0)
      return status as ServiceStatus;
    throw clientError('bad_response', 'The status of the service cannot be understood.');
  }
}

/** A client of the service at `baseUrl`: `bindery.general.rotatePdf('in.pdf', { angle: 90 })`. */
export type Bindery = Client & OperationGroups;

/** The methods of the groups are made in the constructor from the table of operations. */
export const Bindery = Client as unknown as {
  new (options: BinderyOptions): Bindery;
  /** From BINDERY_URL (absent: this machine, port 8080) and BINDERY_API_KEY (Node). */
  fromEnvironment(options?: Partial<BinderyOptions>): Bindery;
};
