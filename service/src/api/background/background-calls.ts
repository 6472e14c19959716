// What the faces ask of whoever runs asynchronous calls.
import type { JobStatus, NewJob, StoredJob } from '../../state/jobs.ts';
import type { Changes } from './changes.ts';
import type { WebhookCalls } from './webhook-calls.ts';

export interface BackgroundCalls {
  readonly changes: Changes;
  readonly webhooks: WebhookCalls;
  /** How many jobs there are, as of some seconds ago. */
  readonly counts: Partial<Record<JobStatus, number>>;
  /** Fires when the service stops: whoever waits for a job is told to come again. */
  readonly stopping: AbortSignal;
  /** Throws Problem `insufficient_storage`. */
  accept(job: NewJob): Promise<StoredJob>;
  /** Cancels what is not finished, removes what is. */
  end(id: string, owner: string): Promise<void>;
}
