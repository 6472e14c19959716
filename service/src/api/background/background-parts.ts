// What asynchronous calls are run with.
import type { Config } from '../../config.ts';
import type { Log } from '../../contract/log.ts';
import type { Runner } from '../../jobs/runner.ts';
import type { Workspaces } from '../../jobs/workspace.ts';
import type { State } from '../../state/state.ts';
import type { Outbound } from '../rest/outbound.ts';

export interface BackgroundParts {
  config: Pick<Config, 'jobs' | 'limits'>;
  state: State;
  runner: Runner;
  workspaces: Workspaces;
  outbound: Outbound;
  log: Log;
}
