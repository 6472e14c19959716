// The way out, as a worker has it: it has no network, so it asks the API process.
import { readFileSync, rmSync } from 'node:fs';
import type { Egress, FetchedAnswer, OutboundAnswer } from '../contract/egress.ts';
import type { FetchedReply, OutboundReply } from './messages.ts';
import { Questions } from './questions.ts';

export class AskedEgress extends Questions<OutboundReply> {
  of(jobId: string): Egress {
    return {
      post: (request) =>
        this.ask((askId) => ({ kind: 'ask', jobId, askId, request })).reply as Promise<OutboundAnswer>,
      fetch: async (request) =>
        withBody(
          (await this.ask((askId) => ({ kind: 'fetch', jobId, askId, request })).reply) as FetchedReply,
        ),
    };
  }
}

function withBody(reply: FetchedReply): FetchedAnswer {
  if ('body' in reply) return reply;
  const { file, ...head } = reply;
  const body = readFileSync(file);
  rmSync(file);
  return { ...head, body };
}
