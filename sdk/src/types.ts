// What callers hand over.
import type { FileAddress } from './file-addresses.ts';
import type { JobDocument, JobProgress } from './job-documents.ts';
import type { Upload } from './uploads.ts';

/** Bytes that arrive piece by piece: web streams, Node's streams, generators. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export type FileContent = Blob | Uint8Array | ArrayBuffer | ByteStream;

/** Content under a name of your choice; a `File` has one already. */
export interface NamedContent {
  name: string;
  content: FileContent;
}

/**
 * A document: a path on this machine (Node), a `file:` URL (Node), an `http(s):` URL that this machine fetches, a
 * Blob or File, bytes, a stream, content with a name, an upload made before, or an address that the service fetches.
 */
export type FileSource = string | URL | FileContent | NamedContent | Upload | FileAddress;

/** A selection such as `1,3,5-8`, `7-`, `all` or `2n`; or page numbers. */
export type PageSelection = string | number | readonly number[];

export interface Progress {
  /** Bytes that have arrived at the service. */
  sentBytes: number;
  totalBytes: number;
  /** How far the work itself is, of a call in the background. */
  work?: JobProgress;
}

/** What is known of an answer beside its body. */
export interface AnswerFacts {
  status: number;
  headers: Headers;
  /** Names the request in the service's log. */
  requestId: string | undefined;
}

/** For logs: each is told of every request, uploads and repeats among them. Keys and contents are not told. */
export interface Hooks {
  /** `path` is what follows /api/v1/. */
  onRequest?(facts: { method: string; path: string }): void;
  onResponse?(facts: AnswerFacts & { method: string; path: string; ms: number }): void;
  /** No answer came. */
  onFailure?(facts: { method: string; path: string; ms: number; error: unknown }): void;
}

export interface CallOptions {
  /** Ends the call: it fails with the code `cancelled`. */
  signal?: AbortSignal;
  /** For the whole call, uploads included; 5 minutes unless set here or in the client, none in the background. 0: no limit. */
  timeoutMs?: number;
  /** Called as files that need a chunked upload arrive, and as the work of a call in the background goes on. */
  onProgress?: (progress: Progress) => void;
  /** How often this call is repeated where it failed for a passing reason; as the client says unless given. */
  retries?: number;
  /** Told of the answer, JSON results among them: status, headers, request id. */
  onResponse?: (answer: AnswerFacts) => void;
  /** Repeating a call under the same key gives the first answer again; one is made for each call unless given. */
  idempotencyKey?: string;
  /**
   * The call becomes a job of the service: it goes on whatever happens to this connection, without the usual limit of
   * time, and its result is awaited here all the same. `jobs.start` does not wait.
   */
  background?: boolean;
  /**
   * Where the service is to PUT the result: a pre-signed https address. What is answered then tells of it:
   * `delivered()` of the result.
   */
  resultUrl?: string | URL;
  /** In the background: whom the service tells when the job has ended, by the Standard Webhooks convention. */
  webhookUrl?: string | URL;
  /** What that is signed with: 24 to 64 bytes as base64; absent: the secret of the API key. */
  webhookSecret?: string;
  /** Called with the job as soon as a call in the background was accepted. */
  onJob?: (job: JobDocument) => void;
}
