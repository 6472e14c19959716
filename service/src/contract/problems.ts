// Every failure a caller can meet, in one table. Interface 7.1, 7.2 and operations 1.8.
// `detail` is for the caller and never holds tool output; `cause` is for the log.
import { type MachineFault, machineFaultOf } from './machine-faults.ts';
import { withoutUnseen } from './unseen.ts';

interface ProblemKind {
  code: Code;
  status: number;
  title: string;
  hint: string;
}

export type Code =
  | 'bad_request'
  | 'invalid_document'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'unavailable'
  | 'missing_dependency'
  | 'internal';

const kinds = <T extends Record<string, ProblemKind>>(table: T): T => table;

export const PROBLEMS = kinds({
  // Reasons that equal their code: nothing finer is known.
  bad_request: {
    code: 'bad_request',
    status: 400,
    title: 'Bad request',
    hint: 'Check the request against the operation in /v1/openapi.json.',
  },
  invalid_document: {
    code: 'invalid_document',
    status: 400,
    title: 'Invalid document',
    hint: 'Check that the file opens in a PDF viewer; misc/repair may help.',
  },
  unauthorized: {
    code: 'unauthorized',
    status: 401,
    title: 'Unauthorized',
    hint: 'Send a valid API key in the X-API-KEY header, or as Authorization: Bearer.',
  },
  forbidden: {
    code: 'forbidden',
    status: 403,
    title: 'Forbidden',
    hint: 'Use a key whose plan and scopes allow this operation.',
  },
  not_found: {
    code: 'not_found',
    status: 404,
    title: 'Not found',
    hint: 'The paths of this service are listed in /v1/openapi.json.',
  },
  rate_limited: {
    code: 'rate_limited',
    status: 429,
    title: 'Rate limit reached',
    hint: 'Wait for the seconds given in Retry-After, then send the request again.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'Unavailable',
    hint: 'Send the request again after the seconds given in Retry-After.',
  },
  missing_dependency: {
    code: 'missing_dependency',
    status: 503,
    title: 'Missing dependency',
    hint: 'Ask the operator of this service to install what the detail names.',
  },
  internal: {
    code: 'internal',
    status: 500,
    title: 'Internal error',
    hint: 'Send the request again; if it fails again, report the X-Request-Id.',
  },

  // Interface 7.2
  invalid_pdf: {
    code: 'invalid_document',
    status: 400,
    title: 'Not a readable PDF',
    hint: 'misc/repair may mend a damaged PDF; the operations of convert make PDFs of other files.',
  },
  password_required: {
    code: 'invalid_document',
    status: 400,
    title: 'Password required',
    hint: 'Send the password of the document in the field inputPassword.',
  },
  wrong_password: {
    code: 'invalid_document',
    status: 400,
    title: 'Wrong password',
    hint: 'Send the user or owner password of the document in the field inputPassword.',
  },
  page_out_of_range: {
    code: 'bad_request',
    status: 400,
    title: 'Page out of range',
    hint: 'Ask analysis/page-count how many pages the document has.',
  },
  invalid_page_selection: {
    code: 'bad_request',
    status: 400,
    title: 'Invalid page selection',
    hint: 'Valid forms: a comma list with ranges such as 1,3,5-8, an open range such as 7-, the word all, and expressions such as 2n.',
  },
  invalid_parameter: {
    code: 'bad_request',
    status: 400,
    title: 'Invalid parameter',
    hint: 'The fields of every operation, with what each takes and its default, stand in /v1/openapi.json.',
  },
  unsupported_file_type: {
    code: 'bad_request',
    status: 400,
    title: 'Unsupported file type',
    hint: 'The content of a file tells its type, not its name; convert/file/pdf and convert/img/pdf make PDFs of most others.',
  },
  url_not_allowed: {
    code: 'bad_request',
    status: 400,
    title: 'URL not allowed',
    hint: 'Send a public http or https address; the operator may allow others by BINDERY_URL_ALLOW_HOSTS.',
  },
  upload_incomplete: {
    code: 'bad_request',
    status: 400,
    title: 'Upload incomplete',
    hint: 'Send the missing chunks, then complete the upload.',
  },
  payload_too_large: {
    code: 'bad_request',
    status: 413,
    title: 'Payload too large',
    hint: 'Send large files through a chunked upload: POST /api/v1/uploads.',
  },
  url_fetch_failed: {
    code: 'bad_request',
    status: 422,
    title: 'Page could not be loaded',
    hint: 'Check that the address answers with a web page.',
  },
  upload_not_found: {
    code: 'not_found',
    status: 404,
    title: 'Upload not found',
    hint: 'Upload the file again: an id lives one hour and is used up by the first successful operation.',
  },
  job_not_found: {
    code: 'not_found',
    status: 404,
    title: 'Job not found',
    hint: 'Send the call again: a job is known until its expiresAt, and to the key that sent it.',
  },
  upload_limit_reached: {
    code: 'rate_limited',
    status: 429,
    title: 'Too many uploads in progress',
    hint: 'Use or delete uploads in progress, or retry after the seconds given in Retry-After.',
  },
  insufficient_storage: {
    code: 'unavailable',
    status: 507,
    title: 'Storage full',
    hint: 'Send the request again after the seconds given in Retry-After, when room was made.',
  },

  // Operations 1.8
  nothing_found: {
    code: 'bad_request',
    status: 400,
    title: 'Nothing found',
    hint: 'security/get-info-on-pdf tells what the document holds; a scan has no text before misc/ocr-pdf.',
  },
  conformance_failed: {
    code: 'invalid_document',
    status: 422,
    title: 'Cannot be made to conform',
    hint: 'No file is returned. Ask for a lower level or a later part of the standard, or mend what the detail names.',
  },
  redaction_unverified: {
    code: 'bad_request',
    status: 422,
    title: 'Redaction unverified',
    hint: 'No file is returned. Try convertPDFToImage, or redact whole pages.',
  },
  idempotency_key_reused: {
    code: 'bad_request',
    status: 422,
    title: 'Idempotency key reused',
    hint: 'Send a new Idempotency-Key with a different request.',
  },
  request_in_progress: {
    code: 'bad_request',
    status: 409,
    title: 'Request in progress',
    hint: 'The first request with this Idempotency-Key is still running; retry after the seconds given in Retry-After.',
  },

  // Ours: where a finer word helps a caller decide what to do.
  method_not_allowed: {
    code: 'bad_request',
    status: 405,
    title: 'Method not allowed',
    hint: 'Use one of the methods in the Allow header.',
  },
  delivery_failed: {
    code: 'bad_request',
    status: 422,
    title: 'Result could not be delivered',
    hint: 'Check that resultUrl takes a PUT and has not expired; then send the request again with a fresh address.',
  },
  text_unreadable: {
    code: 'bad_request',
    status: 422,
    title: 'Text unreadable',
    hint: 'Recognise the text by its looks first (misc/ocr-pdf with force-ocr), then send the result.',
  },
  range_not_satisfiable: {
    code: 'bad_request',
    status: 416,
    title: 'Range not satisfiable',
    hint: 'Ask for bytes within the size given in Content-Range, or for all of them.',
  },
  request_timeout: {
    code: 'bad_request',
    status: 408,
    title: 'Request timeout',
    hint: 'Send the whole request without long pauses; large files go through a chunked upload.',
  },
  text_not_replaced: {
    code: 'bad_request',
    status: 422,
    title: 'Text not replaced',
    hint: 'No file is returned. Try a shorter text, or one in letters that the fonts of this service have.',
  },
  document_too_costly: {
    code: 'invalid_document',
    status: 422,
    title: 'Document asks for too much',
    hint: 'Simplify what the detail names: fewer pages, smaller images, coarser patterns. The same file fails again.',
  },
  deadline_exceeded: {
    code: 'unavailable',
    status: 503,
    title: 'Deadline exceeded',
    hint: 'Send a smaller document or fewer pages, or ask the operator to raise BINDERY_DEADLINE_MS.',
  },
  memory_exceeded: {
    code: 'unavailable',
    status: 503,
    title: 'Memory limit exceeded',
    hint: 'Send a smaller document, or ask the operator to raise BINDERY_WORKER_MEMORY_MB.',
  },
});

export type Reason = keyof typeof PROBLEMS;

/** Where in a pipeline a failure happened, and other members a problem document gains. */
export interface ProblemContext {
  step?: number;
  op?: string;
  file?: string;
}

/** A problem as plain data: what crosses process borders and is stored. */
export interface ProblemData extends ProblemContext {
  reason: Reason;
  detail: string;
  hint?: string;
  retryAfterSeconds?: number;
}

interface ProblemOptions extends ProblemContext {
  hint?: string;
  cause?: unknown;
  retryAfterSeconds?: number;
}

const MACHINE_FAULTS: Record<MachineFault, string> = {
  insufficient_storage: 'There is no room left on the disk of this service.',
  unavailable: 'This service is short of something it needs at the moment.',
};

export class Problem extends Error {
  readonly reason: Reason;
  readonly detail: string;
  readonly options: ProblemOptions;

  constructor(reason: Reason, detail: string, options: ProblemOptions = {}) {
    // It may repeat words of a caller, and is shown in terminals.
    const shown = withoutUnseen(detail, ' ');
    super(`${reason}: ${shown}`, { cause: options.cause });
    this.name = 'Problem';
    this.reason = reason;
    this.detail = shown;
    this.options = options;
  }

  get status(): number {
    return PROBLEMS[this.reason].status;
  }

  /** The same problem, told where it happened; what is already known is not overwritten. */
  at(context: ProblemContext): Problem {
    return new Problem(this.reason, this.detail, { ...context, ...this.options });
  }

  toData(): ProblemData {
    const { cause: _cause, ...rest } = this.options;
    return { reason: this.reason, detail: this.detail, ...rest };
  }

  static fromData({ reason, detail, ...options }: ProblemData): Problem {
    return new Problem(reason, detail, options);
  }

  /**
   * The one door for anything thrown. What comes from a fault of the machine is told as such, whatever it was taken
   * for; what else is not a Problem is `internal`, its text kept for the log.
   */
  static from(thrown: unknown): Problem {
    const fault = machineFaultOf(thrown instanceof Problem ? thrown.options.cause : thrown);
    if (thrown instanceof Problem) return fault && thrown.status !== 503 ? thrown.as(fault) : thrown;
    const options = { cause: thrown };
    if (fault) return new Problem(fault, MACHINE_FAULTS[fault], options);
    return new Problem('internal', 'The service failed unexpectedly.', options);
  }

  /** The same failure, taken for what the machine did. */
  private as(fault: MachineFault): Problem {
    if (this.reason === fault) return this;
    const { step, op, cause } = this.options;
    return new Problem(fault, MACHINE_FAULTS[fault], { cause }).at({
      ...(step === undefined ? {} : { step }),
      ...(op === undefined ? {} : { op }),
    });
  }
}

/** The most frequent problem: a field or a file of a request is not what the operation takes. */
export const invalidParameter = (detail: string, options?: ProblemOptions): Problem =>
  new Problem('invalid_parameter', detail, options);

/** RFC 9457 members plus code, reason, hint and error (interface 2.3). */
export function problemDocument(problem: ProblemData): Record<string, unknown> {
  const kind = PROBLEMS[problem.reason];
  const { step, op, file } = problem;
  return {
    type: `urn:bindery:problem:${problem.reason}`,
    title: kind.title,
    status: kind.status,
    detail: problem.detail,
    code: kind.code,
    reason: problem.reason,
    hint: problem.hint ?? kind.hint,
    // Interface 2.3: "Legacy mirror of detail; for 404 a stable title".
    error: kind.status === 404 ? kind.title : problem.detail,
    ...(step === undefined ? {} : { step }),
    ...(op === undefined ? {} : { op }),
    ...(file === undefined ? {} : { file }),
  };
}
