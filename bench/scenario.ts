// One comparison: what we do over HTTP on a warm service, against what a user would otherwise run.
import { documentOf, SIZES, type Size, withCopies } from './documents.ts';

/** A program started for each document. `{out}` stands for a path in the run's own folder. */
export interface RivalProgram {
  program: string;
  /** What is run, where a shell starts it. */
  runs?: string;
  /** Where that of the program does not say enough. */
  name?: string;
  args: readonly string[];
  env?: Record<string, string>;
}

/** A rival that is kept running, as ours is. */
export interface RivalService {
  name: string;
  start(): Promise<RunningRival>;
}

export interface RunningRival {
  call(): Promise<boolean>;
  /** Its first process: the time of it and of all it started counts. */
  pid: number;
  stop(): Promise<void>;
}

export interface Goals {
  /** Times as fast as the rival, one call after the other: the best calls compared, and the 10 % quantiles. */
  aloneRatio?: number;
  throughputRatio?: number;
  perSecond?: number;
  medianMs?: number;
  /** The largest any worker has been, in MB resident, when the scenario ends. */
  peakMb?: number;
}

export interface Scenario {
  name: string;
  /** Operation path, or `pipeline`. */
  op: string;
  /** Files of the request by field; paths. */
  files: Record<string, string[]>;
  params: Record<string, string>;
  rival: RivalProgram | RivalService | null;
  /** Requests measured for each round; slow work wants fewer. */
  requests: number;
  connections: number;
  /** How many our service may have; as many as there are processors where it is not said. */
  workers?: number;
  /** The same work on a document of so many pages: how it grows is fitted over all of one name. */
  grows?: { work: string; pages: number };
  goals?: Goals;
}

interface SizedWork {
  work: string;
  op: string;
  params?: Record<string, string>;
  /** The rival for a document; `{out}` as of RivalProgram. */
  rival: ((path: string) => RivalProgram) | null;
  /** How often the document goes in: merging takes several. */
  times?: number;
  workers?: number;
  /** Requests for each round by size; a size that is not named is left out. */
  requests: Partial<Record<Size, number>>;
  goals?: Partial<Record<Size, Goals>>;
}

const CONNECTIONS = 8;

/** The same work on 2, 100 and 1,000 pages and on 50 MB. Documents are made when a scenario is run. */
export function onEverySize({
  work,
  op,
  params = {},
  rival,
  times = 1,
  workers,
  requests,
  goals,
}: SizedWork): Scenario[] {
  return (Object.entries(requests) as [Size, number][]).map(([size, count]) => ({
    name: `${work}, ${size}`,
    op,
    get files() {
      return { fileInput: withCopies(documentOf(size), times) };
    },
    params,
    get rival() {
      return rival?.(documentOf(size)) ?? null;
    },
    requests: count,
    connections: CONNECTIONS,
    ...(workers === undefined ? {} : { workers }),
    // Its pages are few and its bytes many: it says nothing of how the work grows with pages.
    ...(size === '50 MB' ? {} : { grows: { work, pages: SIZES[size].pages } }),
    ...(goals?.[size] ? { goals: goals[size] } : {}),
  }));
}
