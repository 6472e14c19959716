// What a keyed call passes before its body is read: key, scope, rate, engines, size, room in the queue.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import type { EngineNeeds } from '../../jobs/job.ts';
import type { Runner } from '../../jobs/runner.ts';
import { ADMIN } from '../../state/plans.ts';
import { bringsKey, findAdminKey, findKey, requireScope, unauthorized } from './authentication.ts';
import { declaredSize, refuseDeclaredSize, refuseEncoding } from './forms/body.ts';
import type { ServerParts } from './parts.ts';
import { asynchronousPreference } from './preference.ts';
import { countCall, requireRate } from './rate-limit.ts';

export interface GateOptions {
  /** The word for metrics and log. */
  operation: string;
  /** The scope a key needs; absent: any valid key will do. */
  group?: string;
  uses?: EngineNeeds;
  maxBytes?: number;
  /** Its work is done by a worker. */
  queued?: boolean;
}

export type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function gate(parts: ServerParts, options: GateOptions): Gate {
  const { state, config, runner, failedKeys, turnedOff } = parts;
  const { operation, group, uses = [], maxBytes, queued = false } = options;
  return async (request, reply) => {
    const { call } = request;
    call.operation = operation;
    if (group === ADMIN) call.key = findAdminKey(request, config.adminKey);
    call.key ??= await findKey(request, state.keys);
    if (call.key === undefined) {
      const refusal = bringsKey(request) ? failedKeys.note(call.from.address) : undefined;
      throw refusal ?? unauthorized(request);
    }
    const verdict = await countCall(call.key, reply, state.rates, config.rate);
    if (group !== undefined) requireScope(call.key, group);
    requireRate(verdict);
    turnedOff.refuse(operation);
    requireEngines(runner, uses);
    refuseEncoding(request.raw);
    if (maxBytes !== undefined) refuseDeclaredSize(request.raw, maxBytes);
    // What is done later waits elsewhere.
    if (queued && asynchronousPreference(request.raw) === undefined)
      runner.requireRoom(call.key.id, operation, declaredSize(request.raw));
  };
}

/** 503 missing_dependency, "naming what to install". */
export function requireEngines(runner: Pick<Runner, 'engines'>, uses: EngineNeeds): void {
  const missing = missingEngine(runner, uses);
  if (missing !== undefined) throw new Problem('missing_dependency', missing);
}

/** What to install, as a sentence. Before the first worker is up nothing is known to be missing. */
export function missingEngine(runner: Pick<Runner, 'engines'>, uses: EngineNeeds): string | undefined {
  if (uses.length === 0) return undefined;
  const engines = runner.engines();
  for (const name of uses) {
    const engine = engines?.[name];
    if (engine === undefined || engine.available) continue;
    return engine.missing ?? `This operation needs ${name}, which is not installed.`;
  }
  return undefined;
}
