// Names of objects that pass: each begins with the time at which it may go, so that whoever sweeps finds the first to
// go first, without asking anybody.
/** Below it stands what passes; a rule of the bucket may remove it all after two days. */
export const TRANSIENT = 'transient/';
export const TRANSIENT_DAYS = 2;

const TIME_DIGITS = 14;

export type TransientKind = 'upload' | 'replay' | 'file' | 'job';

export const transientName = (kind: TransientKind, id: string, expiresAt: Date): string =>
  `${TRANSIENT}${String(expiresAt.getTime()).padStart(TIME_DIGITS, '0')}-${kind}-${id}`;

export interface TransientObject {
  kind: string;
  id: string;
  expiresAt: number;
}

/** Undefined for what is none of ours. */
export function readTransientName(name: string): TransientObject | undefined {
  const [, time, kind = '', id = ''] = /^transient\/(\d{14})-([a-z]+)-([\w-]+)/.exec(name) ?? [];
  return time === undefined ? undefined : { kind, id, expiresAt: Number(time) };
}

/** Below it stands what asynchronous jobs need, as long as they need it: in the order in which it was made. */
export const JOB_OBJECTS = 'jobs/';

export const jobObjectName = (jobId: string, name: string, madeAt: Date): string =>
  `${JOB_OBJECTS}${String(madeAt.getTime()).padStart(TIME_DIGITS, '0')}-${jobId}/${name}`;

/** Undefined for what is none of ours. */
export function readJobObjectName(name: string): { id: string; madeAt: number } | undefined {
  const [, time, id] = /^jobs\/(\d{14})-([\w-]+)\//.exec(name) ?? [];
  return time === undefined || id === undefined ? undefined : { id, madeAt: Number(time) };
}
