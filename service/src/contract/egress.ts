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

export interface Egress {
  /** Throws url_not_allowed or url_fetch_failed. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
}

export const EGRESS_LIMITS = {
  requestBytes: 64 * 1024,
  answerBytes: 1024 * 1024,
  timeoutMs: 30_000,
} as const;
