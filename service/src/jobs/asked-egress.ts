// The way out, as a worker has it: it has no network, so it asks the API process and waits for the answer.
import { readFileSync, rmSync } from 'node:fs';
import type { Egress, FetchedAnswer, OutboundAnswer } from '../contract/egress.ts';
import { Problem, type ProblemData } from '../contract/problems.ts';
import type { FetchedReply, FromWorker, OutboundReply } from './messages.ts';

export class AskedEgress {
  private readonly send: (message: FromWorker) => void;
  private readonly waiting = new Map<number, PromiseWithResolvers<OutboundReply>>();
  private nextId = 1;

  constructor(send: (message: FromWorker) => void) {
    this.send = send;
  }

  of(jobId: string): Egress {
    return {
      post: (request) =>
        this.ask((askId) => ({ kind: 'ask', jobId, askId, request })) as Promise<OutboundAnswer>,
      fetch: async (request) =>
        withBody((await this.ask((askId) => ({ kind: 'fetch', jobId, askId, request }))) as FetchedReply),
    };
  }

  heard(askId: number, answer: OutboundReply | ProblemData): void {
    const asked = this.waiting.get(askId);
    this.waiting.delete(askId);
    if ('reason' in answer) asked?.reject(Problem.fromData(answer));
    else asked?.resolve(answer);
  }

  private ask(message: (askId: number) => FromWorker): Promise<OutboundReply> {
    const askId = this.nextId;
    this.nextId += 1;
    const asked = Promise.withResolvers<OutboundReply>();
    this.waiting.set(askId, asked);
    this.send(message(askId));
    return asked.promise;
  }
}

function withBody(reply: FetchedReply): FetchedAnswer {
  if ('body' in reply) return reply;
  const { file, ...head } = reply;
  const body = readFileSync(file);
  rmSync(file);
  return { ...head, body };
}
