// The service as one process tree: state, workers, HTTP. Ends by SIGTERM or SIGINT, finishing work in flight.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.ts';
import { Background } from './api/background/background.ts';
import { doubtOfAddress } from './api/mcp/service-address.ts';
import { AuditLog } from './api/observing/audit-log.ts';
import { RotatingFile } from './api/observing/rotating-file.ts';
import type { Telemetry } from './api/observing/telemetry.ts';
import { openApiJson } from './api/openapi/document.ts';
import { FailedKeys } from './api/rest/failed-keys.ts';
import { Outbound } from './api/rest/outbound.ts';
import { openWorkbench } from './api/rest/routes/workbench.ts';
import { TurnedOff } from './api/rest/turned-off.ts';
import { buildServer } from './api/server.ts';
import { type Config, readConfig, unknownSettings } from './config.ts';
import { createLog, type Log } from './contract/log.ts';
import type { SharedServers } from './contract/shared-servers.ts';
import { prepareDataFolder } from './data-folder.ts';
import { collectLessOften, giveBackMemory } from './jobs/give-back-memory.ts';
import { ReportSigner } from './jobs/report-signing.ts';
import { dataFolderFailure, listenFailure, StartFailure, sharedStateFailure } from './start-failure.ts';
import { openEmbeddedState } from './state/embedded/embedded.ts';
import type { SharedState } from './state/shared/shared-state.ts';
import type { State } from './state/state.ts';
import { Supervision } from './supervision.ts';
import { openWork } from './work.ts';

const SWEEP_MS = 60_000;

export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const supervision = new Supervision(log);
  for (const name of unknownSettings()) log.warn('unknown setting', { name });
  const doubt = doubtOfAddress(config);
  if (doubt !== undefined) log.warn(doubt);
  const turnedOff = turnedOffIn(config);
  prepareDataFolder(config.dataDir);
  const auditLog = await openAuditLog(config, log);
  const telemetry = await openTelemetry(config, log);
  const state = await openState(config, log);
  await seedKey(config, state);
  const reportSigner = new ReportSigner(state.reportKey, VERSION);
  const work = await openWork(config, serversOf(state), reportSigner, log);
  const { workspaces, isolation } = work;
  const outbound = new Outbound(config.allowHosts);
  const runner = telemetry?.traced(work.runner) ?? work.runner;
  const background = new Background({ config, state, runner, workspaces, outbound, log });
  // Calls that are kept are brought to the queue by nodes that callers reach.
  if (config.role === 'worker') background.stop();
  const workbench = config.workbench ? openWorkbench(WORKBENCH_FOLDER) : undefined;
  const openapi = openApiJson(config, turnedOff.operations());
  const app = buildServer({
    ...{ config, state, runner, background, workspaces, openapi, log, version: VERSION, supervision },
    isolation,
    ...(work.nodes && { nodes: work.nodes }),
    failedKeys: new FailedKeys(config.failedKeys),
    outbound,
    turnedOff,
    auditLog,
    telemetry,
    reportKey: reportSigner.publicKey,
    workbench,
  });
  const address = await app.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await background.close();
    await work.close(0);
    await state.close();
    throw listenFailure(config.host, config.port, error);
  });
  const sweeper = setInterval(
    () => void state.sweep(new Date()).catch((error) => log.error('sweep failed', { error })),
    SWEEP_MS,
  );
  const stop = stopOnce(async () => {
    clearInterval(sweeper);
    const giveUpAt = performance.now() + config.shutdownMs;
    background.stop();
    await app.shutdown(config.shutdownMs);
    await background.close();
    await work.close(Math.max(0, giveUpAt - performance.now()));
    await state.close();
    await auditLog?.close();
    await telemetry?.close();
  }, log);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { port } = app.server.address() as AddressInfo;
  supervision.begin(port, config.blockedMs, () => stop('supervisor gone'));
  const keys = await firstKey(config, state);
  const page = config.workbench ? (workbench ? 'on' : 'not built') : 'off';
  await announce({ address: config.baseUrl ?? address, version: VERSION, runner, isolation, page, ...keys });
  giveBackMemory();
  collectLessOften();
}

/** Made by scripts/build-web.ts, at the start at the latest. */
const WORKBENCH_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));

const VERSION = (
  JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8')) as {
    version: string;
  }
).version;

function turnedOffIn({ disabledOperations }: Config): TurnedOff {
  try {
    return new TurnedOff(disabledOperations);
  } catch (error) {
    throw new StartFailure((error as Error).message);
  }
}

/** Loaded where it is asked for. */
async function openTelemetry({ telemetry }: Config, log: Log): Promise<Telemetry | undefined> {
  if (telemetry === null) return undefined;
  const { Telemetry } = await import('./api/observing/telemetry.ts');
  return new Telemetry(telemetry, VERSION, log);
}

async function openAuditLog({ auditLog }: Config, log: Log): Promise<AuditLog | undefined> {
  if (auditLog === null) return undefined;
  const file = new RotatingFile({
    ...auditLog,
    lost: (lines, error) => log.error('lines of the audit log were lost', { lines, error }),
  });
  await file.open().catch((error: Error) => {
    throw new StartFailure(`BINDERY_AUDIT_LOG: ${auditLog.path} cannot be written (${error.message}).`);
  });
  return new AuditLog(file);
}

/** Only a state that several nodes share has them. */
const serversOf = (state: State | SharedState): SharedServers | undefined =>
  'servers' in state ? state.servers : undefined;

async function openState(config: Config, log: Log): Promise<State | SharedState> {
  const { dataDir, shared } = config;
  if (shared) {
    // Loaded in this mode alone.
    const { openSharedState } = await import('./state/shared/shared-state.ts');
    return openSharedState({ ...shared, dataDir, log }).catch((error: Error) => {
      throw sharedStateFailure(error);
    });
  }
  try {
    const state = await openEmbeddedState({ dataDir, log });
    await state.sweep(new Date());
    return state;
  } catch (error) {
    throw dataFolderFailure(dataDir, error);
  }
}

export interface SeededKeys {
  /** A key made at this first start; it is never shown again. */
  newSecret?: string;
  fromEnvironment: boolean;
}

async function seedKey({ apiKey }: Config, { keys }: State): Promise<void> {
  const name = 'BINDERY_API_KEY';
  await keys.seed(apiKey === null ? null : { name, plan: 'unlimited', scopes: ['*'], secret: apiKey });
}

/** Made only when nothing can keep the start from telling it: it is shown once. */
async function firstKey(config: Config, { keys }: State): Promise<SeededKeys> {
  if (config.apiKey !== null) return { fromEnvironment: true };
  // A node that callers do not reach tells nobody.
  if (config.role === 'worker' || (await keys.list()).length > 0) return { fromEnvironment: false };
  const { secret } = await keys.create({
    name: 'first key',
    plan: 'standard',
    scopes: ['*'],
    expiresAt: null,
  });
  return { newSecret: secret, fromEnvironment: false };
}

/** A second signal does not wait. */
function stopOnce(stop: () => Promise<void>, log: Log): (signal: string) => void {
  let stopping = false;
  return (signal) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info('stopping', { signal });
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stop failed', { error });
        process.exit(1);
      },
    );
  };
}
