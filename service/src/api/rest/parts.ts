// What the routes are built from.
import type { Config } from '../../config.ts';
import type { Log } from '../../contract/log.ts';
import type { SharedTraffic } from '../../contract/shared-servers.ts';
import type { IsolationLevel } from '../../jobs/isolation.ts';
import type { PublicReportKey } from '../../jobs/report-signing.ts';
import type { Runner } from '../../jobs/runner.ts';
import type { Workspaces } from '../../jobs/workspace.ts';
import type { State } from '../../state/state.ts';
import type { Supervision } from '../../supervision.ts';
import type { BackgroundCalls } from '../background/background-calls.ts';
import type { AuditLog } from '../observing/audit-log.ts';
import type { Telemetry } from '../observing/telemetry.ts';
import type { FailedKeys } from './failed-keys.ts';
import type { Outbound } from './outbound.ts';
import type { Workbench } from './routes/workbench.ts';
import type { TurnedOff } from './turned-off.ts';

export interface NodeFigures {
  traffic: SharedTraffic;
  /** Nodes that work on documents, as far as this one knows. */
  workerNodes(): number;
  /** Jobs that this node took over from one that died. */
  retries(): number;
}

export interface ServerParts {
  config: Config;
  state: State;
  runner: Runner;
  background: BackgroundCalls;
  workspaces: Workspaces;
  /** The OpenAPI document, ready to be sent. */
  openapi: string;
  log: Log;
  version: string;
  supervision: Supervision;
  failedKeys: FailedKeys;
  /** The way to addresses that callers name. */
  outbound: Outbound;
  turnedOff: TurnedOff;
  /** Where the operator wants one. */
  auditLog?: AuditLog | undefined;
  /** How workers are isolated: the weakest of all nodes; undefined while none is known. */
  isolation(): IsolationLevel | undefined;
  /** Where nodes share their work. */
  nodes?: NodeFigures;
  /** Where the operator has a collector for it. */
  telemetry?: Telemetry | undefined;
  /** What redaction reports can be checked with. */
  reportKey: PublicReportKey;
  /** The page for people; undefined where it is turned off or was not built. */
  workbench?: Workbench | undefined;
}
