// One scenario, measured: ours and the rival take turns, so that a slow moment of the machine meets both.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningService } from '../test/service.ts';
import { Client, formBody, type Measured, measure, runProgram, together } from './load.ts';
import { largestPeakMb, memoryOf } from './memory.ts';
import { cpuOfEnded, cpuOfTree } from './processes.ts';
import { rivalName } from './report.ts';
import { isInstalled } from './rivals/installed.ts';
import type { RunningRival, Scenario } from './scenario.ts';

/** V8 compiles what was called some hundred times. */
const WARM_UP = 400;
const WARM_UP_MS = 4000;
/** Rounds under load: each so many calls, or as many as begin in this time. */
const ROUNDS = 2;
const ROUND_MS = 2500;
/** Calls one after the other: so many, or as many as fit into this time. */
const ALONE = 40;
const ALONE_MS = 6000;
const FEWEST_ALONE = 3;
/** Where calls take so long that a part of a comparison is not done by then, it ends with what there is. */
const PATIENCE_MS = 20_000;
const MEMORY_LOOK_MS = 250;

export interface Side {
  /** One call after the other. */
  alone: Measured;
  /** At as many connections as the scenario says. */
  loaded: Measured;
  /** Processor time of a call, in milliseconds: all processes, whatever they did it for. */
  aloneCpuMs: number;
  loadedCpuMs: number;
}

export interface Comparison {
  ours: Side;
  rival: Side | null;
  /** The rival, where it could not be started. */
  missing?: string;
  /** Connections under load. */
  atOnce: number;
  /** All our processes under load, shared pages counted once. */
  memoryMb: number;
  /** The largest of our processes so far. */
  peakMb: number;
}

interface Party {
  call(): Promise<boolean>;
  cpuSeconds(): number;
}

export async function compare(
  scenario: Scenario,
  service: RunningService,
  folder: string,
): Promise<Comparison> {
  const { op, files, params, requests } = scenario;
  const connections = Math.min(scenario.connections, requests);
  const body = formBody(files, params);
  const client = new Client(service.url, service.key, connections);
  const pid = service.process.pid ?? 0;
  const ours: Party = { call: () => client.post(op, body), cpuSeconds: () => cpuOfTree(pid) };
  const running = await startRival(scenario);
  const rival = running
    ? { call: running.call, cpuSeconds: () => cpuOfTree(running.pid) }
    : programOf(scenario, folder);
  const missing = rival ? undefined : rivalName(scenario);
  const memory = new MemoryWatch(pid);
  try {
    // Workers start with the load, and code is compiled as it is used.
    await measure(WARM_UP, connections, ours.call, WARM_UP_MS);
    const parties = rival ? [ours, rival] : [ours];
    const alone = await takeTurns(parties, Math.min(ALONE, requests));
    // One request at a time is what was measured already.
    const loaded = connections > 1 ? await underLoad(parties, requests, connections) : alone.map(asLoaded);
    const side = (at: number): Side => ({ ...(alone[at] as Alone), ...(loaded[at] as Loaded) });
    return {
      ours: side(0),
      rival: rival ? side(1) : null,
      ...(missing ? { missing } : {}),
      atOnce: connections,
      memoryMb: memory.stop(),
      peakMb: largestPeakMb(pid),
    };
  } finally {
    memory.stop();
    client.close();
    await running?.stop();
  }
}

type Alone = Pick<Side, 'alone' | 'aloneCpuMs'>;
type Loaded = Pick<Side, 'loaded' | 'loadedCpuMs'>;

const asLoaded = ({ alone, aloneCpuMs }: Alone): Loaded => ({ loaded: alone, loadedCpuMs: aloneCpuMs });

async function startRival({ rival }: Scenario): Promise<RunningRival | undefined> {
  return rival && 'start' in rival ? rival.start().catch(() => undefined) : undefined;
}

function programOf({ rival }: Scenario, folder: string): Party | undefined {
  if (!rival || 'start' in rival || !isInstalled(rival.runs ?? rival.program)) return undefined;
  let serial = 0;
  return {
    call: async () => {
      serial += 1;
      // Programs that make many files make them beside the path they are told.
      const own = join(folder, `rival-${serial}`);
      mkdirSync(own);
      const out = join(own, 'out');
      const isMade = await runProgram(
        rival.program,
        rival.args.map((arg) => arg.replace('{out}', out)),
        rival.env,
      );
      // Results of large documents would fill the disk.
      rmSync(own, { recursive: true, force: true });
      return isMade;
    },
    cpuSeconds: cpuOfEnded,
  };
}

async function takeTurns(parties: readonly Party[], most: number): Promise<Alone[]> {
  const calls = parties.map((): Measured[] => []);
  const before = parties.map((party) => party.cpuSeconds());
  const began = performance.now();
  const isOver = (turn: number): boolean =>
    performance.now() - began > (turn < FEWEST_ALONE ? PATIENCE_MS : ALONE_MS);
  for (let turn = 0; turn < most && (turn === 0 || !isOver(turn)); turn += 1) {
    for (const [at, { call }] of parties.entries()) calls[at]?.push(await measure(1, 1, call));
  }
  return parties.map((party, at) => {
    const alone = together(calls[at] ?? []);
    return { alone, aloneCpuMs: (1000 * (party.cpuSeconds() - (before[at] ?? 0))) / alone.calls };
  });
}

/** Starting programs is slow: a quarter of the calls tells as much. */
async function underLoad(parties: readonly Party[], requests: number, atOnce: number): Promise<Loaded[]> {
  const rounds = parties.map((): Measured[] => []);
  const cpu = parties.map(() => 0);
  const began = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - began < PATIENCE_MS; round += 1) {
    for (const [at, party] of parties.entries()) {
      const calls = at === 0 ? requests : Math.max(Math.min(requests, atOnce), Math.ceil(requests / 4));
      const before = party.cpuSeconds();
      rounds[at]?.push(await measure(calls, atOnce, party.call, ROUND_MS));
      cpu[at] = (cpu[at] ?? 0) + party.cpuSeconds() - before;
    }
  }
  return parties.map((_, at) => {
    const all = together(rounds[at] ?? []);
    return { loaded: all, loadedCpuMs: (1000 * (cpu[at] ?? 0)) / all.calls };
  });
}

class MemoryWatch {
  private most = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.timer = setInterval(() => {
      this.most = Math.max(this.most, memoryOf(pid).pssMb);
    }, MEMORY_LOOK_MS);
  }

  stop(): number {
    clearInterval(this.timer);
    return this.most;
  }
}
