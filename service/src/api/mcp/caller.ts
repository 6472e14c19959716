// Who calls a tool, and what the tools work with.
import type { TraceContext } from '../../contract/trace-context.ts';
import type { ApiKey } from '../../state/state.ts';
import type { HeldShare } from '../rest/held-bytes.ts';
import type { Metrics } from '../rest/metrics.ts';
import type { ServerParts } from '../rest/parts.ts';
import type { SignedAddresses } from './signed-addresses.ts';

export interface McpParts extends ServerParts {
  addresses: SignedAddresses;
  metrics: Metrics;
}

export interface Caller {
  key: ApiKey;
  /** The address under which this caller reaches the service, without a slash at the end. */
  base: string;
  /** Ends the call besides the protocol's own ways. */
  cancelled?: AbortSignal | undefined;
  requestId: string;
  trace?: TraceContext | undefined;
  /** What is held in memory and on disk for this message. */
  share: HeldShare;
}

/** What log and metrics tell of a call. */
export interface ToldOfCall {
  /** The operation that the tool ran. */
  operation: string;
  /** Why it failed. */
  reason: string;
  bytesIn: number;
  bytesOut: number;
}

/** Of one call: ends with it. */
export interface CallContext extends Caller {
  parts: McpParts;
  told: ToldOfCall;
  signal: AbortSignal;
  /** Tells a waiting client that the work goes on, and how much of it is done, from 0 to 1; nothing where it did not ask. */
  progress(message: string, done?: number): void;
  /** Whether the client asked to be told. */
  wantsProgress: boolean;
}
