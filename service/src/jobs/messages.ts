// What travels between the API process and a worker. A worker that a document has subverted may send anything:
// messages are believed only as far as they can be checked.
import {
  EGRESS_LIMITS,
  FETCH_METHODS,
  type FetchedAnswer,
  isHeaderOfPage,
  type OutboundAnswer,
  type OutboundFetch,
  type OutboundRequest,
} from '../contract/egress.ts';
import { LIMITS } from '../contract/limits.ts';
import { PROBLEMS, type ProblemData } from '../contract/problems.ts';
import type { EngineName, EngineStates } from '../engines/engines.ts';
import type { SentJob } from './exchange.ts';
import type { JobOutcome, PageRange, PageResult, PartOutcome } from './job.ts';

/** A body too large for a message lies in a file, where the worker can see it. */
export type FetchedReply = Omit<FetchedAnswer, 'body'> & ({ body: Uint8Array } | { file: string });

/** What came back from outside. */
export type OutboundReply = OutboundAnswer | FetchedReply;

export type ToWorker =
  | { kind: 'run'; sent: SentJob; dir: string }
  | { kind: 'answer'; askId: number; answer: OutboundReply | ProblemData }
  | { kind: 'helped'; askId: number; reply: HelpReply }
  /** The signed report as text. */
  | { kind: 'signed'; askId: number; report: string | ProblemData }
  /** Others wait for this worker: the part it is at ends with the page in hand. */
  | { kind: 'enough'; jobId: string };

/** How many workers have nothing to do; what came of pages; none: nobody could help. */
export type HelpReply = { idle: number } | { pages: PageResult[] } | 'none';

export type FromWorker =
  | { kind: 'ready'; engines: EngineStates }
  /** A step of a pipeline begins: should the worker die, the caller learns where. */
  | { kind: 'step'; jobId: string; step: number }
  /** So many pages or files of the step at work are done. Only where somebody asked. */
  | { kind: 'progress'; jobId: string; done: number; of: number }
  /** The job asks for a request to the outside. */
  | { kind: 'ask'; jobId: string; askId: number; request: OutboundRequest }
  /** The job asks for a web page, or a part of one. */
  | { kind: 'fetch'; jobId: string; askId: number; request: OutboundFetch }
  /** The job could use help: by how many; with these pages of one of its files; with no more of what it asked for. */
  | { kind: 'help'; jobId: string; askId: number; request: HelpRequest }
  /** The job asks for the facts of a redaction to be made a signed report. */
  | { kind: 'sign'; jobId: string; askId: number; facts: string }
  /**
   * `retire`: the worker must not be given another job. `warm`: engines it keeps running. `exchangedBytes`: so many of
   * the result lie in the exchange, not in the message.
   */
  | {
      kind: 'done';
      jobId: string;
      outcome: JobOutcome | PartOutcome;
      madeDirectory: boolean;
      retire: boolean;
      warm: EngineName[];
      exchangedBytes: number;
    };

export type HelpRequest =
  | { what: 'idle' }
  | { what: 'pages'; file: number; range: PageRange }
  | { what: 'enough'; asked: number };

export type Ready = Extract<FromWorker, { kind: 'ready' }>;
export type StepBegun = Extract<FromWorker, { kind: 'step' }>;
export type Progressed = Extract<FromWorker, { kind: 'progress' }>;
export type Ask = Extract<FromWorker, { kind: 'ask' }>;
export type Fetch = Extract<FromWorker, { kind: 'fetch' }>;
export type Help = Extract<FromWorker, { kind: 'help' }>;
export type Sign = Extract<FromWorker, { kind: 'sign' }>;
export type Done = Extract<FromWorker, { kind: 'done' }>;

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** Names a worker may give: files of its job's directory, never a way out of it. */
const FILE_NAME = /^(?:in|out)-\d+(?:\.[a-z0-9]{1,10})?$/;

/** The message, or undefined where it is none of ours. */
export function readMessage(raw: unknown): FromWorker | undefined {
  if (!isObject(raw)) return undefined;
  if (raw.kind === 'ready') return isEngines(raw.engines) ? (raw as Ready) : undefined;
  if (typeof raw.jobId !== 'string') return undefined;
  if (raw.kind === 'step') return Number.isInteger(raw.step) ? (raw as StepBegun) : undefined;
  if (raw.kind === 'progress') return isCount(raw.done) && isCount(raw.of) ? (raw as Progressed) : undefined;
  if (raw.kind === 'ask')
    return isRequest(raw.request) && Number.isInteger(raw.askId) ? (raw as Ask) : undefined;
  if (raw.kind === 'fetch')
    return isFetch(raw.request) && Number.isInteger(raw.askId) ? (raw as Fetch) : undefined;
  if (raw.kind === 'help')
    return isHelp(raw.request) && Number.isInteger(raw.askId) ? (raw as Help) : undefined;
  if (raw.kind === 'sign')
    return typeof raw.facts === 'string' && Number.isInteger(raw.askId) ? (raw as Sign) : undefined;
  const isDone = raw.kind === 'done' && isOutcome(raw.outcome) && isTexts(raw.warm);
  return isDone && isExchanged(raw.exchangedBytes) ? (raw as Done) : undefined;
}

/** Documents have fewer pages. */
const MOST_PAGES = 10_000_000;

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_PAGES;

function isHelp(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.what === 'idle') return true;
  if (value.what === 'enough') return isCount(value.asked);
  const { range, file } = value;
  return (
    value.what === 'pages' &&
    isCount(file) &&
    isObject(range) &&
    isCount(range.from) &&
    isCount(range.to) &&
    Number(range.from) < Number(range.to)
  );
}

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= most;

const isRequest = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.url === 'string' &&
  [value.contentType, value.accept].every(
    (type) => typeof type === 'string' && /^[a-z0-9/+.-]+$/.test(type),
  ) &&
  value.body instanceof Uint8Array &&
  value.body.length <= EGRESS_LIMITS.requestBytes &&
  isWhole(value.maxAnswerBytes, EGRESS_LIMITS.answerBytes) &&
  isWhole(value.timeoutMs, EGRESS_LIMITS.timeoutMs);

const isFetch = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.url === 'string' &&
  FETCH_METHODS.some((method) => method === value.method) &&
  isHeaders(value.headers) &&
  (value.body === undefined ||
    (value.body instanceof Uint8Array && value.body.length <= EGRESS_LIMITS.requestBytes)) &&
  isWhole(value.maxAnswerBytes, EGRESS_LIMITS.pageBytes + 1) &&
  isWhole(value.timeoutMs, EGRESS_LIMITS.timeoutMs);

function isHeaders(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.reduce((sum, [name, text]) => sum + name.length + String(text).length, 0) <=
      EGRESS_LIMITS.headerBytes &&
    entries.every(([name, text]) => typeof text === 'string' && isHeaderOfPage(name, text))
  );
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length < 10 && value.every((text) => typeof text === 'string');

const isEngines = (value: unknown): boolean =>
  isObject(value) &&
  Object.values(value).every((state) => isObject(state) && typeof state.available === 'boolean');

function isOutcome(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.state === 'nothing') return true;
  if (value.state === 'pages') return Array.isArray(value.pages) && value.pages.every(isContent);
  if (value.state === 'failed') return isProblem(value.problem) && isTextOrAbsent(value.cause);
  return value.state === 'made' && isResult(value.result);
}

/** Results that are larger come as files. */
const isExchanged = (bytes: unknown): boolean => bytes === 0 || isWhole(bytes, LIMITS.spoolBytes);

const isProblem = (value: unknown): boolean =>
  isObject(value) &&
  Object.hasOwn(PROBLEMS, String(value.reason)) &&
  typeof value.detail === 'string' &&
  isTextOrAbsent(value.hint);

function isContent(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { bytes, file } = value;
  return (
    bytes instanceof Uint8Array || (typeof file === 'string' && FILE_NAME.test(file) && bytes === undefined)
  );
}

function isResult(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.content) || !isObject(value.headers)) return false;
  return (
    isContent(value.content) &&
    typeof value.mediaType === 'string' &&
    isTextOrAbsent(value.name) &&
    Object.values(value.headers).every((header) => typeof header === 'string')
  );
}
