// What an agent sends: a message, or several at once as clients of before 2026 may. Each of them is a call.
import { invalidParameter } from '../../contract/problems.ts';

export interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

const MOST_MESSAGES = 20;

/** What cannot be read is one message; the protocol's own reader says what is wrong with it. */
export function messagesIn(body: Buffer): Message[] {
  const read = parsed(body);
  const messages: unknown[] = Array.isArray(read) ? read : [read];
  if (messages.length > MOST_MESSAGES) {
    throw invalidParameter(`A batch may hold ${MOST_MESSAGES} messages, but ${messages.length} were sent.`, {
      hint: 'Send them one by one, or in smaller batches; each message counts as a call.',
    });
  }
  return messages.map((message) => (typeof message === 'object' && message !== null ? message : {}));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return {};
  }
}
