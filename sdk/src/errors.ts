// One error class. Branch on `reason`, and fall back to `code`.

import type { ProblemCode, ProblemReason } from './reasons.generated.ts';

/** The service's problem document (application/problem+json). */
export interface ProblemDocument {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  reason?: string;
  hint?: string;
  /** In a pipeline: the step that failed, from 0, its operation, and the file to blame. */
  step?: number;
  op?: string;
  file?: string;
}

/** Failures that no problem document tells of. */
export type ClientCode =
  | 'no_content'
  | 'timeout'
  | 'cancelled'
  | 'network_error'
  | 'bad_response'
  | 'input_unreadable';

/** For editors and exhaustive branches; a newer service may know others. */
export type ErrorCode = ProblemCode | ClientCode | (string & {});
export type ErrorReason = ProblemReason | ClientCode | (string & {});

export const CLIENT_HINTS: Record<ClientCode, string> = {
  no_content: 'The call worked, but there is nothing to return, such as no table in the document.',
  timeout: 'Allow more time with timeoutMs.',
  cancelled: 'The call was ended by its abort signal.',
  network_error: 'Check the address of the service, and that it is running.',
  bad_response: 'Check that the address is that of a Bindery service.',
  input_unreadable: 'Check the path and that the file may be read.',
};

interface ErrorFacts {
  code: string;
  reason: string;
  status?: number | undefined;
  hint?: string | undefined;
  problem?: ProblemDocument | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

export class BinderyError extends Error {
  override readonly name = 'BinderyError';
  /** Coarse: one of the service's codes, or a client code. */
  readonly code: ErrorCode;
  /** Fine; equal to `code` where there is nothing finer. */
  readonly reason: ErrorReason;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  readonly hint: string | undefined;
  readonly problem: ProblemDocument | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.reason = facts.reason;
    this.status = facts.status;
    this.hint = facts.hint;
    this.problem = facts.problem;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Interface 7.4: "clients treat a 204 as this failure". */
export const noContent = ({ status, headers }: Response): BinderyError =>
  new BinderyError('There is nothing to return.', {
    ...{ code: 'no_content', reason: 'no_content', hint: CLIENT_HINTS.no_content, status },
    requestId: headers.get('x-request-id') ?? undefined,
  });

export const clientError = (code: ClientCode, message: string, cause?: unknown): BinderyError =>
  new BinderyError(message, { code, reason: code, hint: CLIENT_HINTS[code], cause });

/** Of the system's errors with files. */
const FILE_TROUBLE: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'that is not permitted',
  ENOSPC: 'there is no room left',
};

export function troubleWith(error: unknown): string {
  const { code } = error as { code?: unknown };
  return FILE_TROUBLE[String(code)] ?? (error instanceof Error ? error.message : String(error));
}

/** A path of this machine that a result cannot go to. */
export const unwritable = (path: string, error: unknown): BinderyError =>
  new BinderyError(`${path} cannot be written: ${troubleWith(error)}.`, {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Choose a path that is free, in a folder that may be written, or ask for overwriting.',
    cause: error,
  });
