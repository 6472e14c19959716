// Who does the jobs: the workers of this machine, or whichever node takes them from the queue that several share.
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Log } from './contract/log.ts';
import type { SharedServers, SharedTraffic } from './contract/shared-servers.ts';
import { primeCode } from './jobs/code-cache.ts';
import { chooseIsolation, type IsolationLevel } from './jobs/isolation.ts';
import { Pool } from './jobs/pool.ts';
import type { ReportSigner } from './jobs/report-signing.ts';
import type { Runner } from './jobs/runner.ts';
import { endSurvivors } from './jobs/survivors.ts';
import { Workspaces } from './jobs/workspace.ts';
import { StartFailure } from './start-failure.ts';

export interface Work {
  runner: Runner;
  workspaces: Workspaces;
  /** How workers are isolated, here or on the nodes that have them. */
  isolation(): IsolationLevel | undefined;
  /** Where nodes share their work. */
  nodes?: { traffic: SharedTraffic; workerNodes(): number; retries(): number };
  /** What is at work for other nodes goes on for this time. */
  close(graceMs: number): Promise<void>;
}

/** `servers`: those that several nodes share; absent: all is done here. */
export async function openWork(
  config: Config,
  servers: SharedServers | undefined,
  reportSigner: ReportSigner,
  log: Log,
): Promise<Work> {
  const isolation = config.role === 'api' ? undefined : await isolationOf(config);
  await primeCode();
  const work = join(config.dataDir, 'work');
  const survivors = endSurvivors(work);
  if (survivors > 0) log.warn('processes of an earlier life were ended', { processes: survivors });
  const workspaces = new Workspaces(work);
  const pool = isolation && new Pool(poolSettings(config, isolation, reportSigner), workspaces, log);
  if (servers === undefined && pool)
    return { runner: pool, workspaces, isolation: () => isolation, close: () => pool.close() };
  if (servers === undefined) throw new StartFailure('a node without workers needs others that have some');
  return openShared(config, servers, { pool, isolation, workspaces }, log);
}

async function openShared(
  config: Config,
  servers: SharedServers,
  own: { pool: Pool | undefined; isolation: IsolationLevel | undefined; workspaces: Workspaces },
  log: Log,
): Promise<Work> {
  const { pool, isolation, workspaces } = own;
  // Loaded in this mode alone.
  const { JobTaker } = await import('./jobs/queued/job-taker.ts');
  const { QueueRunner } = await import('./jobs/queued/queue-runner.ts');
  const taker =
    pool &&
    isolation &&
    (await JobTaker.open({ ...config.workers, isolation }, servers, pool, workspaces, log));
  const sender =
    config.role === 'worker' ? undefined : await QueueRunner.open(config.workers, servers, log, pool);
  const runner = sender ?? pool;
  if (runner === undefined) throw new StartFailure('this node would do nothing');
  return {
    runner,
    workspaces,
    isolation: () => isolation ?? sender?.isolation,
    nodes: {
      traffic: servers.traffic,
      workerNodes: () => sender?.workerNodes ?? 1,
      retries: () => taker?.retries ?? 0,
    },
    async close(graceMs) {
      await taker?.close(graceMs);
      await sender?.close();
      await pool?.close();
      await workspaces.close();
    },
  };
}

const isolationOf = (config: Config): Promise<IsolationLevel> =>
  chooseIsolation(config.workers.isolation, config.dataDir).catch((error: Error) => {
    throw new StartFailure(error.message);
  });

const poolSettings = (config: Config, isolation: IsolationLevel, reportSigner: ReportSigner) => ({
  ...config.workers,
  isolation,
  logLevel: config.logLevel,
  dataDir: config.dataDir,
  fontDir: config.fontDir,
  allowHosts: config.allowHosts,
  reportSigner,
});
