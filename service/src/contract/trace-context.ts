// W3C Trace Context: which trace a request belongs to, told by its caller or begun here.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface TraceContext {
  traceId: string;
  /** Of the request itself. */
  spanId: string;
  /** The caller's. */
  parentSpanId: string | undefined;
  /** Others' words, handed on as they came. */
  traceState: string | undefined;
  sampled: boolean;
}

export interface Sampler {
  /** Of traces that begin here; 0 to 1. */
  ratio: number;
  /** Whether a caller's decision holds. */
  parentBased: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;
const LONGEST_TRACESTATE = 512;
const isZero = (hex: string): boolean => /^0+$/.test(hex);

export const newSpanId = (): string => randomBytes(8).toString('hex');

export function traceContext(headers: IncomingHttpHeaders, sampler: Sampler): TraceContext {
  const given = headers.traceparent;
  const [, version = 'ff', traceId = '', parentSpanId = '', flags = '00', more] =
    TRACEPARENT.exec(typeof given === 'string' ? given : '') ?? [];
  // Version 00 has nothing after its flags; later ones may.
  const isValid =
    version !== 'ff' && !isZero(traceId) && !isZero(parentSpanId) && (version !== '00' || more === undefined);
  if (!isValid) {
    const fresh = randomBytes(16).toString('hex');
    return {
      ...{ traceId: fresh, spanId: newSpanId(), parentSpanId: undefined, traceState: undefined },
      sampled: isChosen(fresh, sampler.ratio),
    };
  }
  const state = headers.tracestate;
  return {
    traceId,
    spanId: newSpanId(),
    parentSpanId,
    traceState: typeof state === 'string' && state.length <= LONGEST_TRACESTATE ? state : undefined,
    sampled: sampler.parentBased ? (Number.parseInt(flags, 16) & 1) === 1 : isChosen(traceId, sampler.ratio),
  };
}

/** By the trace alone, so that everybody on its way decides the same. */
const isChosen = (traceId: string, ratio: number): boolean =>
  ratio >= 1 || Number.parseInt(traceId.slice(18), 16) / 2 ** 56 < ratio;

/** As it is handed on. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
