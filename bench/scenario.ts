// One comparison: what we do over HTTP on a warm service, against what a user would otherwise run.

export interface Scenario {
  name: string;
  /** Operation path, or `pipeline`. */
  op: string;
  /** Files of the request by field; paths. */
  files: Record<string, string[]>;
  params: Record<string, string>;
  /** The rival: a program started for each document. `{in}` and `{out}` stand for paths of the run's own folder. */
  rival: { program: string; args: readonly string[]; env?: Record<string, string> } | null;
  /** Requests measured for each round; slow work wants fewer. */
  requests: number;
  connections: number;
  /** What must hold, where something must. */
  goals?: {
    throughputRatio?: number;
    perSecond?: number;
    medianMs?: number;
    /** The largest any worker has been, in MB resident, when the scenario ends. */
    peakMb?: number;
  };
}
