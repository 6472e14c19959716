// POST /api/v1/batch: one operation or pipeline for each of many files, as one job.
import type { FastifyInstance } from 'fastify';
import { isBatchText, planBatch } from '../../../operations/batch.ts';
import { OPERATIONS } from '../../../operations/index.generated.ts';
import { fileFieldOf, fileFieldsOf, readsText } from '../../../operations/plan.ts';
import { requireScope } from '../authentication.ts';
import { callerOf } from '../call.ts';
import { gate } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import type { ServerParts } from '../parts.ts';
import { callHandler } from '../run-call.ts';
import { permitted } from './pipeline.ts';

const PATH = '/api/v1/batch';

export function addBatch(app: FastifyInstance, parts: ServerParts, held: HeldBytes): void {
  const maxBytes = parts.config.limits.requestBytes;
  const operations = Object.values(OPERATIONS);
  app.post(
    PATH,
    { onRequest: gate(parts, { operation: 'batch', maxBytes }) },
    callHandler(parts, held, {
      path: PATH,
      batch: true,
      plan: (given, request, onUnknown) => {
        const plan = planBatch(given, onUnknown);
        if (plan.pipeline) requireScope(callerOf(request), 'pipeline');
        return permitted(plan, request, parts);
      },
      fileFields: fileFieldsOf(operations),
      isRead: (name) => isBatchText(name) || operations.some((operation) => readsText(operation, name)),
      declaredName: fileFieldOf,
    }),
  );
}
