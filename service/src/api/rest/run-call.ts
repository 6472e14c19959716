// One call from its body to its answer: read the form, plan, claim uploads, run, keep, send.
import { writeFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Workspace } from '../../jobs/workspace.ts';
import { accept } from './accept-call.ts';
import { type Answer, answerOf, type ReplayedAnswer, sendAnswer } from './answer.ts';
import { callerOf, disconnectSignal, onceOver } from './call.ts';
import { isDeliveryField, refuseWebhook } from './delivery-fields.ts';
import type { ReadPart } from './forms/form.ts';
import { withQuery } from './forms/query-fields.ts';
import { readForm } from './forms/read-form.ts';
import type { HeldBytes, Room } from './held-bytes.ts';
import { beginOnce, fingerprint, idempotencyKeyOf, type Lease, NO_LEASE } from './idempotency.ts';
import type { ServerParts } from './parts.ts';
import { type CallKind, fetchesNow, planned, type TakenCall } from './planned-call.ts';
import { asynchronousPreference, NO_PREFERENCE } from './preference.ts';
import { deliverResult } from './result-address.ts';

export type CallHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function callHandler(parts: ServerParts, held: HeldBytes, kind: CallKind): CallHandler {
  return async (request, reply) => {
    const key = idempotencyKeyOf(request.raw);
    const workspace = parts.workspaces.create();
    const share = held.share(request.call.key?.id);
    try {
      const maxBytes = parts.config.limits.requestBytes;
      const { fileFields } = kind;
      const isRead = (name: string): boolean => isDeliveryField(name) || kind.isRead(name);
      const digest = key !== undefined;
      const form = await readForm(request.raw, { maxBytes, workspace, share, digest, fileFields, isRead });
      const read = withQuery(request.raw.url ?? '', form, kind.declaredName);
      request.call.bytesIn = sizeOf(read);
      const signal = disconnectSignal(reply.raw);
      const later = asynchronousPreference(request.raw) ?? (kind.batch ? NO_PREFERENCE : undefined);
      const work = (lease: Lease): Promise<Answer | ReplayedAnswer> => {
        const taken = { parts, kind, request, reply, read, workspace, share, signal, lease };
        return later ? accept(taken, later, key) : perform(taken);
      };
      const answer =
        key === undefined ? await work(NO_LEASE) : await once(parts, kind, request, read, key, work);
      return await sendAnswer(request, reply, await kept(answer, workspace, share));
    } finally {
      // A result is streamed from the workspace, so both live until the response is sent or broken.
      onceOver(reply.raw, () => {
        share.giveBack();
        void workspace.remove().catch((error) => parts.log.error('a workspace was not removed', { error }));
      });
    }
  };
}

/** Answers wait for callers who read slowly: in memory while there is room, else on disk. */
async function kept<T extends Answer | ReplayedAnswer>(
  answer: T,
  workspace: Workspace,
  room: Room,
): Promise<T | Answer> {
  const { body } = answer;
  if (body === null || !('bytes' in body) || room.take(body.bytes.length)) return answer;
  const path = workspace.path(workspace.newFile());
  await writeFile(path, body.bytes, { flag: 'wx', mode: 0o600 });
  return { ...answer, body: { path, size: body.bytes.length } };
}

const sizeOf = (read: readonly ReadPart[]): number =>
  read.reduce(
    (sum, { part }) => sum + ('file' in part ? part.file.size : 'text' in part ? part.text.length : 0),
    0,
  );

async function once(
  parts: ServerParts,
  kind: CallKind,
  request: FastifyRequest,
  read: readonly ReadPart[],
  key: string,
  work: (lease: Lease) => Promise<Answer | ReplayedAnswer>,
): Promise<Answer | ReplayedAnswer> {
  const begun = await beginOnce(parts.state.replays, parts.log, {
    owner: callerOf(request).id,
    key,
    fingerprint: fingerprint(kind.path, read),
  });
  return 'replay' in begun ? begun.replay : work(begun.lease);
}

async function perform(taken: TakenCall): Promise<Answer> {
  const { parts, workspace, signal, lease, request } = taken;
  const owner = callerOf(request).id;
  return planned(taken, fetchesNow(taken), async ({ job, claims, ignored, delivery }) => {
    refuseWebhook(delivery);
    const { resultUrl } = delivery;
    const made = answerOf(await parts.runner.run(job, workspace, { owner, signal }), workspace);
    const told = { ...made, headers: { ...made.headers, ...ignored } };
    const delivering = { outbound: parts.outbound, owner, signal };
    const answer = resultUrl === undefined ? told : await deliverResult(delivering, resultUrl, told);
    // Kept first: should we die in between, a retry finds the answer and does not miss the upload.
    await lease.keep(answer);
    await claims.consume();
    return answer;
  });
}
