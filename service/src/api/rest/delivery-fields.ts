// Fields of a form that say where what comes of it is to go; no operation sees them.
import { invalidParameter } from '../../contract/problems.ts';
import type { ReadPart } from './forms/form.ts';
import { LONGEST_ADDRESS } from './outbound.ts';

/** What a caller asked for beside the work itself. */
export interface Delivery {
  /** Where the result is to be PUT. */
  resultUrl?: string;
  /** Who is to be told when an asynchronous call has ended, and what that is signed with. */
  webhookUrl?: string;
  webhookSecret?: string;
}

const FIELDS: readonly (keyof Delivery)[] = ['resultUrl', 'webhookUrl', 'webhookSecret'];

export const isDeliveryField = (name: string): boolean => (FIELDS as readonly string[]).includes(name);

/** What a form says of delivery, and its other parts. */
export function takeDelivery(read: readonly ReadPart[]): { delivery: Delivery; rest: ReadPart[] } {
  const delivery: Delivery = {};
  for (const { part } of read) {
    const field = FIELDS.find((name) => name === part.field);
    if (field === undefined) continue;
    const text = 'text' in part ? part.text.trim() : undefined;
    if (text === '') continue;
    if (text === undefined || text.length > LONGEST_ADDRESS)
      throw invalidParameter(`${field} must be text of at most ${LONGEST_ADDRESS} characters.`);
    if (delivery[field] !== undefined)
      throw invalidParameter(`${field} was sent more than once; send it once.`);
    delivery[field] = text;
  }
  if (delivery.webhookSecret !== undefined && delivery.webhookUrl === undefined)
    throw invalidParameter('webhookSecret signs what is sent to webhookUrl, which is missing.');
  return { delivery, rest: read.filter(({ part }) => !isDeliveryField(part.field)) };
}

/** Whoever waits for the answer hears of it by the answer. */
export function refuseWebhook({ webhookUrl }: Delivery): void {
  if (webhookUrl === undefined) return;
  throw invalidParameter(
    'webhookUrl goes with an asynchronous call: send the header Prefer: respond-async.',
    {
      hint: 'Send the header Prefer: respond-async, or leave webhookUrl out.',
    },
  );
}
