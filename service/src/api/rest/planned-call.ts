// A call whose form was read becomes a job: its values checked, its uploads at hand.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.ts';
import type { Job } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Part, Plan } from '../../operations/plan.ts';
import type { OnUnknown } from '../../operations/unknown-names.ts';
import { answerOfProblem } from './answer.ts';
import { callerOf } from './call.ts';
import { type Delivery, takeDelivery } from './delivery-fields.ts';
import { FetchedFiles, type Fetches } from './fetched-files.ts';
import type { ReadPart } from './forms/form.ts';
import { IgnoredFields } from './forms/ignored-fields.ts';
import type { HeldShare } from './held-bytes.ts';
import type { Lease } from './idempotency.ts';
import type { ServerParts } from './parts.ts';
import { UploadClaims } from './upload-claims.ts';

export interface CallKind {
  /** The request's path: part of what makes two requests the same. */
  path: string;
  plan(parts: Part[], request: FastifyRequest, onUnknown: OnUnknown): Plan;
  /** Names under which files are awaited. */
  fileFields: ReadonlySet<string>;
  /** Whether text under this name is read by anyone. */
  isRead(name: string): boolean;
  /** Each of the files is a call of its own, done later. */
  batch?: boolean;
  /** What a field is called, whichever of its names was sent. */
  declaredName(sent: string): string;
}

/** A call whose form was read. */
export interface TakenCall {
  parts: ServerParts;
  kind: CallKind;
  request: FastifyRequest;
  reply: FastifyReply;
  read: readonly ReadPart[];
  workspace: Workspace;
  share: HeldShare;
  signal: AbortSignal;
  lease: Lease;
}

export interface PlannedCall {
  job: Job;
  claims: UploadClaims;
  /** Headers of the answer that tell what was ignored. */
  ignored: Record<string, string>;
  delivery: Delivery;
}

/** What is asked for by address is fetched now. */
export function fetchesNow({ parts, request, workspace, share, signal }: TakenCall): FetchedFiles {
  return new FetchedFiles(parts.outbound, {
    ...{ workspace, share, owner: callerOf(request).id, signal, broughtBytes: request.call.bytesIn },
    mostBytes: parts.config.limits.requestBytes,
  });
}

/** `work` gets the call as a job. */
export async function planned<T>(
  { parts, kind, request, reply, read, workspace, signal, lease }: TakenCall,
  fetches: Fetches,
  work: (planned: PlannedCall) => Promise<T>,
): Promise<T> {
  const owner = callerOf(request).id;
  const claims = new UploadClaims(parts.state.uploads, owner, workspace, fetches, parts.config.sourceDate);
  const ignored = new IgnoredFields();
  try {
    const { delivery, rest } = takeDelivery(read);
    const plan = kind.plan(
      rest.map(({ part }) => part),
      request,
      ignored.note,
    );
    await parts.outbound.requireAddress('resultUrl', delivery.resultUrl, signal);
    const { trace } = request.call;
    const job = { ...(await claims.toJob(plan)), ...(trace && { trace }) };
    request.call.bytesIn += fetches.bytes;
    return await work({ job, claims, ignored: ignored.headers(), delivery });
  } catch (error) {
    await claims.release();
    // A name that was ignored is often why something is missing.
    reply.headers(ignored.headers());
    await (error instanceof Problem && !signal.aborted && error.reason !== 'delivery_failed'
      ? lease.keep(answerOfProblem(error, ignored.headers()))
      : lease.giveUp());
    throw error;
  }
}
