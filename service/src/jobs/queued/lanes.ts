// Jobs stand in lanes, one for each set of programs that they need: a node takes from those whose programs it has.
import { Problem } from '../../contract/problems.ts';
import type { EngineName, EngineStates } from '../../engines/engines.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import type { Job } from '../job.ts';

/** Engines that one machine has and another may not; all others come with the service. */
const PROGRAMS: readonly EngineName[] = [
  'browser',
  'calibre',
  'ghostscript',
  'office',
  'poppler',
  'rsvg',
  'tesseract',
  'verapdf',
];

/** Names of programs in order, with a plus between. */
export type Lane = string;
const PLAIN: Lane = 'plain';

const laneOf = (programs: readonly EngineName[]): Lane => programs.join('+') || PLAIN;

const programsOf = (lane: Lane): string[] => (lane === PLAIN ? [] : lane.split('+'));

const has = (engines: EngineStates, name: string): boolean => engines[name as EngineName]?.available ?? false;

export const mayServe = (engines: EngineStates, lane: Lane): boolean =>
  programsOf(lane).every((name) => has(engines, name));

/** For what each operation may use: what a node that has these engines will be asked for first. */
export function lanesOf(engines: EngineStates): Lane[] {
  const lanes = Object.keys(OPERATIONS).flatMap((op) => laneAmong([op], [engines]) ?? []);
  return [...new Set(lanes)];
}

/**
 * Where a job is to stand: with all that its steps need, and as much of what they may use as one node has. Throws
 * `missing_dependency` where no node has what they need.
 */
export function laneFor({ steps }: Job, nodes: readonly EngineStates[]): Lane {
  const ops = steps.map(({ op }) => op);
  const lane = laneAmong(ops, nodes);
  if (lane !== undefined) return lane;
  const needed = needsOf(ops).needed;
  const missing = needed.find((name) => nodes.every((engines) => !has(engines, name)));
  const said = missing && nodes.map((engines) => engines[missing]?.missing).find(Boolean);
  throw new Problem(
    'missing_dependency',
    said ?? `No machine of this service has all that this call needs: ${needed.join(', ')}.`,
  );
}

function laneAmong(ops: readonly string[], nodes: readonly EngineStates[]): Lane | undefined {
  const { needed, wished } = needsOf(ops);
  const able = nodes.filter((engines) => needed.every((name) => has(engines, name)));
  const sets = able.map((engines) =>
    PROGRAMS.filter((name) => needed.includes(name) || (wished.includes(name) && has(engines, name))),
  );
  const fullest = sets.sort((a, b) => b.length - a.length)[0];
  return fullest && laneOf(fullest);
}

function needsOf(ops: readonly string[]): { needed: EngineName[]; wished: EngineName[] } {
  const declared = ops.map((op) => OPERATIONS[op]);
  return {
    needed: declared.flatMap((operation) => [...(operation?.uses ?? [])] as EngineName[]),
    wished: declared.flatMap((operation) => [...(operation?.mayUse ?? [])] as EngineName[]),
  };
}

/** What the nodes have together: an engine is there where one of them has it. */
export function enginesOfAll(nodes: readonly EngineStates[]): EngineStates | undefined {
  if (nodes.length === 0) return undefined;
  const told = nodes.flatMap((engines) => Object.entries(engines));
  return Object.fromEntries([
    ...told.filter(([, { available }]) => !available),
    ...told.filter(([, { available }]) => available),
  ]) as EngineStates;
}
