// What leaves the machine: documents are worked on without network, so a job asks for the few requests it may make.

export interface OutboundRequest {
  url: string;
  contentType: string;
  accept: string;
  body: Uint8Array;
  maxAnswerBytes: number;
  timeoutMs: number;
}

export interface OutboundAnswer {
  contentType: string;
  body: Uint8Array;
}

/** A request of a web page, for itself or for what it is made of, or to those whom certificates name. */
export interface OutboundFetch {
  url: string;
  method: FetchMethod;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
  maxAnswerBytes: number;
  timeoutMs: number;
}

/** As it was sent: a redirection is an answer, and the body is still packed. */
export interface FetchedAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** There was more than could be taken. */
  cut: boolean;
}

export const FETCH_METHODS = ['GET', 'HEAD', 'POST'] as const;
export type FetchMethod = (typeof FETCH_METHODS)[number];

export interface Egress {
  /** Throws url_not_allowed or url_fetch_failed. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Follows no redirection; a body longer than `maxAnswerBytes` is cut off there. Throws url_not_allowed or url_fetch_failed. */
  fetch(request: OutboundFetch): Promise<FetchedAnswer>;
}

export const EGRESS_LIMITS = {
  requestBytes: 64 * 1024,
  answerBytes: 1024 * 1024,
  timeoutMs: 30_000,
  /** For a whole file that a caller named by address, redirections included. */
  fileTimeoutMs: 120_000,
  /** For a whole result that goes to an address of the caller's. */
  resultTimeoutMs: 300_000,
  /** Operations 3, url/pdf: "more than 50 MB". */
  pageBytes: 50 * 1024 * 1024,
  /** "Up to 5 redirects". */
  redirects: 5,
  /** What one page may ask for, and how much of it at the same time. */
  fetches: 2000,
  fetchesAtOnce: 16,
  /** What the certificates of one job may have to be asked for. */
  authorityFetches: 60,
  headerBytes: 64 * 1024,
} as const;

/** Whose server is asked, and where the body ends, is not for a page to say. */
const NOT_FOR_PAGES =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Whether a page may send a header. */
export const isHeaderOfPage = (name: string, value: string): boolean =>
  /^[a-z0-9-]+$/i.test(name) && !NOT_FOR_PAGES.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
