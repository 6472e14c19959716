// What a worker asks the API process for, and waits: each question has a number, by which its answer is known.
import { Problem, type ProblemData } from '../contract/problems.ts';
import type { FromWorker } from './messages.ts';

export class Questions<Reply> {
  private readonly send: (message: FromWorker) => void;
  private readonly waiting = new Map<number, PromiseWithResolvers<Reply>>();
  private nextId = 1;

  constructor(send: (message: FromWorker) => void) {
    this.send = send;
  }

  ask(message: (askId: number) => FromWorker): { askId: number; reply: Promise<Reply> } {
    const asked = Promise.withResolvers<Reply>();
    const askId = this.tell(message);
    this.waiting.set(askId, asked);
    return { askId, reply: asked.promise };
  }

  /** What nobody answers. */
  tell(message: (askId: number) => FromWorker): number {
    const askId = this.nextId;
    this.nextId += 1;
    this.send(message(askId));
    return askId;
  }

  heard(askId: number, reply: Reply | ProblemData): void {
    const asked = this.waiting.get(askId);
    this.waiting.delete(askId);
    if (isProblem(reply)) asked?.reject(Problem.fromData(reply));
    else asked?.resolve(reply);
  }
}

const isProblem = (reply: unknown): reply is ProblemData =>
  typeof reply === 'object' && reply !== null && 'reason' in reply;
