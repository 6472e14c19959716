// The way out, as a worker has it: it has no network, so it asks the API process and waits for the answer.
import type { Egress, OutboundAnswer } from '../contract/egress.ts';
import { Problem, type ProblemData } from '../contract/problems.ts';
import type { FromWorker } from './messages.ts';

type Waiting = PromiseWithResolvers<OutboundAnswer>;

export class AskedEgress {
  private readonly send: (message: FromWorker) => void;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(send: (message: FromWorker) => void) {
    this.send = send;
  }

  of(jobId: string): Egress {
    return {
      post: (request) => {
        const askId = this.nextId;
        this.nextId += 1;
        const asked = Promise.withResolvers<OutboundAnswer>();
        this.waiting.set(askId, asked);
        this.send({ kind: 'ask', jobId, askId, request });
        return asked.promise;
      },
    };
  }

  heard(askId: number, answer: OutboundAnswer | ProblemData): void {
    const asked = this.waiting.get(askId);
    this.waiting.delete(askId);
    if ('reason' in answer) asked?.reject(Problem.fromData(answer));
    else asked?.resolve(answer);
  }
}
