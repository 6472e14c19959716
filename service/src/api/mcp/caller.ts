// Who calls a tool, and what the tools work with.
import type { ApiKey } from '../../state/state.ts';
import type { HeldShare } from '../rest/held-bytes.ts';
import type { ServerParts } from '../rest/parts.ts';
import type { SignedAddresses } from './signed-addresses.ts';

export interface McpParts extends ServerParts {
  addresses: SignedAddresses;
}

export interface Caller {
  key: ApiKey;
  /** The address under which this caller reaches the service, without a slash at the end. */
  base: string;
  /** Ends the call besides the protocol's own ways. */
  cancelled?: AbortSignal | undefined;
  /** What is held in memory and on disk for this message. */
  share: HeldShare;
}

/** Of one call: ends with it. */
export interface CallContext extends Caller {
  parts: McpParts;
  signal: AbortSignal;
  /** Tells a waiting client that the work goes on; nothing where it did not ask. */
  progress(message: string): void;
}
