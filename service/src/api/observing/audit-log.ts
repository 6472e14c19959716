// Who did what and when, one line for each call: for those who must be able to tell later. Words of ours, ids, sizes
// and addresses; never what documents hold or are called.
import type { FastifyRequest } from 'fastify';
import type { Call } from '../rest/call.ts';
import type { RotatingFile } from './rotating-file.ts';

export interface AuditLine {
  time: string;
  requestId: string;
  /** Where the call came from. */
  client: string;
  /** Who called: the id and the name of the key; absent where it brought none that is valid. */
  key?: string;
  keyName?: string;
  method: string;
  operation: string;
  /** The key that was administered. */
  target?: string;
  /** `refused`: the caller's fault (4xx); `failed`: ours (5xx); `left`: the caller went before the answer. */
  outcome: 'done' | 'refused' | 'failed' | 'left';
  status: number;
  reason?: string;
  bytesIn: number;
  bytesOut: number;
  ms: number;
}

export interface Ended {
  status: number;
  answered: boolean;
  milliseconds: number;
}

export class AuditLog {
  readonly #file: RotatingFile;

  constructor(file: RotatingFile) {
    this.#file = file;
  }

  note({ id, method, call }: FastifyRequest, ended: Ended): void {
    this.#file.write(JSON.stringify(auditLine(id, method, call, ended)));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function auditLine(requestId: string, method: string, call: Call, ended: Ended): AuditLine {
  const { key, target, problem, operation, bytesIn, bytesOut } = call;
  return {
    time: new Date().toISOString(),
    requestId,
    client: call.from.address,
    ...(key && { key: key.id, keyName: key.name }),
    method,
    operation,
    ...(target !== undefined && { target }),
    outcome: outcomeOf(ended),
    status: ended.status,
    ...(problem && { reason: problem.reason }),
    bytesIn,
    bytesOut,
    ms: Math.round(ended.milliseconds),
  };
}

function outcomeOf({ status, answered }: Ended): AuditLine['outcome'] {
  if (!answered) return 'left';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}
