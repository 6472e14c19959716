// Prefer: respond-async (RFC 7240): the call is accepted, and done whether or not its caller stays.
import { createHash } from 'node:crypto';
import { Problem } from '../../contract/problems.ts';
import type { StoredJob } from '../../state/jobs.ts';
import { nameOf, newName } from '../../state/new-name.ts';
import { isFinished } from '../background/changes.ts';
import { aboutOf, jobDocument, jobPath } from '../background/job-document.ts';
import { LaterFiles } from '../background/later-files.ts';
import { partsOf } from '../background/stored-call.ts';
import type { AskedWebhook } from '../background/webhook-calls.ts';
import { secretOf, secretOfKey } from '../background/webhook-signature.ts';

import type { Answer, ReplayedAnswer } from './answer.ts';
import { secretIn } from './authentication.ts';
import { callerOf, onceOver } from './call.ts';
import type { Delivery } from './delivery-fields.ts';
import { ClientGone } from './forms/body.ts';
import { fingerprint } from './idempotency.ts';
import { planned, type TakenCall } from './planned-call.ts';
import { applied, type Preference } from './preference.ts';

/** The call becomes a job that outlives the connection; whoever waits for it a while may be answered at once. */
export async function accept(
  taken: TakenCall,
  preference: Preference,
  key: string | undefined,
): Promise<Answer | ReplayedAnswer> {
  const { parts, kind, request, reply, read, workspace, signal, lease } = taken;
  const owner = callerOf(request).id;
  // Should we die before the answer is kept, a retry finds the job that it began.
  const id = key === undefined ? newName() : jobIdOf(owner, key, fingerprint(kind.path, read));
  // A caller who does not wait for the work does not wait for its files either.
  const later = new LaterFiles(parts.outbound, { owner, signal });
  const told = await planned(taken, later, async ({ job, claims, ignored: headers, delivery }) => {
    const { batch = false } = kind;
    const webhook = await webhookOf(delivery, taken);
    if (webhook) await parts.background.webhooks.add(id, owner, webhook);
    const call = { job, headers, uploads: claims.claimed, delivery: resultOnly(delivery), batch };
    const accepted = await parts.background.accept({
      ...{ id, owner, about: aboutOf(job, batch) },
      ...partsOf(call, later.addresses, workspace),
    });
    const answer = acceptedAnswer(accepted, applied(preference), headers);
    await lease.keep(answer);
    // The job has bytes of its own; the upload itself is used up when that succeeds.
    await claims.release();
    return { job: accepted, answer, isToldElsewhere: webhook !== undefined };
  });
  if (preference.waitSeconds === undefined) return told.answer;
  const { background, state } = parts;
  const patience = AbortSignal.timeout(preference.waitSeconds * 1000);
  const over = AbortSignal.any([patience, signal, background.stopping]);
  let job: StoredJob | undefined = told.job;
  while (job && !isFinished(job) && !over.aborted)
    job = await background.changes.since(id, owner, job.version, over);
  if (signal.aborted) throw new ClientGone();
  if (job === undefined) throw new Problem('job_not_found', 'The job was removed while it was waited for.');
  const response = isFinished(job) ? await state.jobs.responseOf(job) : undefined;
  if (response === undefined) return acceptedAnswer(job, applied(preference), {});
  // Answered as ever, it need not be kept, unless a retry may ask for it.
  if (key === undefined && !told.isToldElsewhere)
    onceOver(reply.raw, () => {
      if (reply.raw.writableFinished) void background.end(id, owner).catch(() => {});
    });
  const headers = { ...response.headers, 'preference-applied': `wait=${preference.waitSeconds}` };
  return { ...response, headers };
}

/** What is known of the webhook is kept apart, and longer. */
const resultOnly = ({ resultUrl }: Delivery): Delivery => (resultUrl === undefined ? {} : { resultUrl });

/** Who is to be told of the end, if anybody: by an address that may be reached, with a secret of the caller's. */
async function webhookOf(
  { webhookUrl: url, webhookSecret }: Delivery,
  { parts, request, signal }: TakenCall,
): Promise<AskedWebhook | undefined> {
  if (url === undefined) return undefined;
  const secret = webhookSecret === undefined ? secretOfKey(secretIn(request) ?? '') : secretOf(webhookSecret);
  await parts.outbound.requireAddress('webhookUrl', url, signal);
  return { url, secret };
}

const jobIdOf = (...words: string[]): string =>
  nameOf(createHash('sha256').update(JSON.stringify(words)).digest()).slice(0, 32);

const acceptedAnswer = (job: StoredJob, preference: string, headers: Record<string, string>): Answer => ({
  status: 202,
  headers: {
    ...headers,
    'content-type': 'application/json',
    location: jobPath(job.id),
    'preference-applied': preference,
  },
  body: { bytes: Buffer.from(JSON.stringify(jobDocument(job))) },
});
