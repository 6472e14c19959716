// What the faces ask of whoever tells of the end of asynchronous calls.
import type { StoredJob } from '../../state/jobs.ts';

export interface AskedWebhook {
  url: string;
  /** As base64. */
  secret: string;
}

export interface WebhookCalls {
  /** Before the call itself is accepted: should we die in between, nobody is told of a job that there is not. */
  add(id: string, owner: string, webhook: AskedWebhook): Promise<void>;
  /** What its owner may know of it. */
  logOf(job: StoredJob): Promise<Record<string, unknown> | undefined>;
}
