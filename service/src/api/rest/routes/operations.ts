// The tree is the API: every operation is POST /api/v1/<its path>.
import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../../../operations/index.generated.ts';
import { declaredName, fileFieldsOf, planCall, readsText } from '../../../operations/plan.ts';
import { groupOf } from '../authentication.ts';
import { gate } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import type { ServerParts } from '../parts.ts';
import { callHandler } from '../run-call.ts';

export function addOperations(app: FastifyInstance, parts: ServerParts, held: HeldBytes): void {
  for (const [op, operation] of Object.entries(OPERATIONS)) {
    const { uses } = operation;
    const path = `/api/v1/${op}`;
    const maxBytes = parts.config.limits.requestBytes;
    app.post(
      path,
      { onRequest: gate(parts, { operation: op, group: groupOf(op), uses, maxBytes, queued: true }) },
      callHandler(parts, held, {
        path,
        plan: (given, _request, onUnknown) => planCall(op, given, onUnknown),
        fileFields: fileFieldsOf([operation]),
        isRead: (name) => readsText(operation, name),
        declaredName: (sent) => declaredName(operation, sent),
      }),
    );
  }
}
