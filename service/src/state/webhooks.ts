// Notices that asynchronous calls have ended, behind the port: known before the call is accepted, sent until they are
// taken. What is told and to whom is the callers' matter: here it is plain data.
import type { PlainObject } from './jobs.ts';

export interface StoredWebhook {
  /** That of its job. */
  id: string;
  owner: string;
  data: PlainObject;
  /** When it is to be looked at next; null: it is over. */
  dueAt: Date | null;
}

/** Only the owner sees a webhook. */
export interface Webhooks {
  /** Where there is one of this id already, it stays as it is. */
  add(webhook: { id: string; owner: string; data: PlainObject }, dueAt: Date, expiresAt: Date): Promise<void>;
  /** One that is due, for nobody else to have during this time: whoever dies meanwhile leaves it to the next. */
  claim(leaseMs: number): Promise<StoredWebhook | undefined>;
  /** What is known of it now, and when to look at it again; null: never. */
  settle(id: string, data: PlainObject, dueAt: Date | null, expiresAt: Date): Promise<void>;
  /** Due now, unless it is over. */
  wake(id: string): Promise<void>;
  get(id: string, owner: string): Promise<StoredWebhook | undefined>;
  drop(id: string): Promise<void>;
}
