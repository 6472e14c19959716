// The service as one process tree: state, workers, HTTP. Ends by SIGTERM or SIGINT, finishing work in flight.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce } from './announce.ts';
import { Background } from './api/background/background.ts';
import { AuditLog } from './api/observing/audit-log.ts';
import { RotatingFile } from './api/observing/rotating-file.ts';
import { openApiJson } from './api/openapi/document.ts';
import { FailedKeys } from './api/rest/failed-keys.ts';
import { Outbound } from './api/rest/outbound.ts';
import { openWorkbench } from './api/rest/routes/workbench.ts';
import { TurnedOff } from './api/rest/turned-off.ts';
import { buildServer } from './api/server.ts';
import { type Config, readConfig, unknownSettings } from './config.ts';
import { createLog, type Log } from './contract/log.ts';
import { prepareDataFolder } from './data-folder.ts';
import { primeCode } from './jobs/code-cache.ts';
import { collectLessOften, giveBackMemory } from './jobs/give-back-memory.ts';
import { chooseIsolation } from './jobs/isolation.ts';
import { Pool } from './jobs/pool.ts';
import { ReportSigner } from './jobs/report-signing.ts';
import { endSurvivors } from './jobs/survivors.ts';
import { Workspaces } from './jobs/workspace.ts';
import { dataFolderFailure, listenFailure, StartFailure, sharedStateFailure } from './start-failure.ts';
import { openEmbeddedState } from './state/embedded/embedded.ts';
import type { State } from './state/state.ts';
import { Supervision } from './supervision.ts';

const SWEEP_MS = 60_000;

export async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const supervision = new Supervision(log);
  for (const name of unknownSettings()) log.warn('unknown setting', { name });
  const turnedOff = turnedOffIn(config);
  prepareDataFolder(config.dataDir);
  const auditLog = await openAuditLog(config, log);
  const state = await openState(config, log);
  await seedKey(config, state);
  const isolation = await chooseIsolation(config.workers.isolation, config.dataDir).catch((error: Error) => {
    throw new StartFailure(error.message);
  });
  await primeCode();
  const work = join(config.dataDir, 'work');
  const survivors = endSurvivors(work);
  if (survivors > 0) log.warn('processes of an earlier life were ended', { processes: survivors });
  const workspaces = new Workspaces(work);
  const reportSigner = new ReportSigner(state.reportKey, VERSION);
  const runner = new Pool(
    {
      ...config.workers,
      isolation,
      logLevel: config.logLevel,
      dataDir: config.dataDir,
      fontDir: config.fontDir,
      allowHosts: config.allowHosts,
      reportSigner,
    },
    workspaces,
    log,
  );
  const outbound = new Outbound(config.allowHosts);
  const background = new Background({ config, state, runner, workspaces, outbound, log });
  const workbench = config.workbench ? openWorkbench(WORKBENCH_FOLDER) : undefined;
  const openapi = openApiJson(config, turnedOff.operations());
  const app = buildServer({
    ...{
      config,
      state,
      runner,
      background,
      workspaces,
      openapi,
      log,
      version: VERSION,
      supervision,
      isolation,
    },
    failedKeys: new FailedKeys(config.failedKeys),
    outbound,
    turnedOff,
    auditLog,
    reportKey: reportSigner.publicKey,
    workbench,
  });
  const address = await app.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
    await background.close();
    await runner.close();
    await state.close();
    throw listenFailure(config.host, config.port, error);
  });
  const sweeper = setInterval(
    () => void state.sweep(new Date()).catch((error) => log.error('sweep failed', { error })),
    SWEEP_MS,
  );
  const stop = stopOnce(async () => {
    clearInterval(sweeper);
    background.stop();
    await app.shutdown(config.shutdownMs);
    await background.close();
    await runner.close();
    await state.close();
    await auditLog?.close();
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

async function openState(config: Config, log: Log): Promise<State> {
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
  if ((await keys.list()).length > 0) return { fromEnvironment: false };
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
