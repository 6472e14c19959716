// POST /api/v1/pipeline: several operations in one request (operations 9).
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../../contract/problems.ts';
import { asPipelineParts, HANDLE_DATA_FIELD } from '../../../operations/handle-data.ts';
import { OPERATIONS } from '../../../operations/index.generated.ts';
import { PIPELINE_TEXT, planPipeline } from '../../../operations/pipeline.ts';
import { fileFieldOf, fileFieldsOf, type Part, type Plan } from '../../../operations/plan.ts';
import { groupOf, requireScope } from '../authentication.ts';
import { callerOf } from '../call.ts';
import { gate, requireEngines } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import type { ServerParts } from '../parts.ts';
import { callHandler } from '../run-call.ts';

const PATH = '/api/v1/pipeline';

export function addPipeline(app: FastifyInstance, parts: ServerParts, held: HeldBytes): void {
  const maxBytes = parts.config.limits.requestBytes;
  const add = (path: string, read: (given: readonly Part[]) => readonly Part[], names: ReadonlySet<string>) =>
    app.post(
      path,
      { onRequest: gate(parts, { operation: 'pipeline', group: 'pipeline', maxBytes, queued: true }) },
      callHandler(parts, held, {
        path,
        plan: (given, request, onUnknown) => permitted(planPipeline(read(given), onUnknown), request, parts),
        fileFields: fileFieldsOf(Object.values(OPERATIONS)),
        isRead: (name) => names.has(name),
        declaredName: fileFieldOf,
      }),
    );
  add(PATH, (given) => given, PIPELINE_TEXT);
  add(`${PATH}/handleData`, asPipelineParts, new Set([...PIPELINE_TEXT, HANDLE_DATA_FIELD]));
}

/** A key needs the scope of every step, and this machine the engines: the pipeline is no way around either. */
export function permitted(plan: Plan, request: FastifyRequest, parts: ServerParts): Plan {
  for (const [step, { op }] of plan.steps.entries()) {
    try {
      requireScope(callerOf(request), groupOf(op));
      parts.turnedOff.refuse(op);
      requireEngines(parts.runner, OPERATIONS[op]?.uses ?? []);
    } catch (error) {
      throw Problem.from(error).at({ step, op });
    }
  }
  return plan;
}
