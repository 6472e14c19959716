// Other workers' help with the pages of a long document, as a worker asks for it: by way of the API process, which
// knows who has nothing to do.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '../contract/files.ts';
import type { PageRange } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import type { FromWorker, HelpReply, HelpRequest } from './messages.ts';

export interface Helpers {
  /** How many there are now. */
  idle(): Promise<number>;
  ask(range: PageRange): AskedPages;
}

export interface AskedPages {
  /** Of the pages from the first on: all, or fewer, or none. */
  pages: Promise<Content[]>;
  /** It is to end with the page in hand. */
  enough(): void;
}

export class AskedHelp {
  private readonly send: (message: FromWorker) => void;
  private readonly waiting = new Map<number, (reply: HelpReply) => void>();
  private nextId = 1;

  constructor(send: (message: FromWorker) => void) {
    this.send = send;
  }

  with(jobId: string, file: number, directory: JobDirectory): Helpers {
    return {
      idle: async () => {
        const reply = await this.ask(jobId, { what: 'idle' }).reply;
        return typeof reply === 'object' && 'idle' in reply ? reply.idle : 0;
      },
      ask: (range) => {
        // What is made for us is put there.
        directory.make();
        const { askId, reply } = this.ask(jobId, { what: 'pages', file, range });
        return {
          pages: reply.then((heard) => contentsOf(heard, directory.path(`part-${askId}`))),
          enough: () => void this.ask(jobId, { what: 'enough', asked: askId }),
        };
      },
    };
  }

  heard(askId: number, reply: HelpReply): void {
    this.waiting.get(askId)?.(reply);
    this.waiting.delete(askId);
  }

  private ask(jobId: string, request: HelpRequest): { askId: number; reply: Promise<HelpReply> } {
    const askId = this.nextId;
    this.nextId += 1;
    const { promise, resolve } = Promise.withResolvers<HelpReply>();
    if (request.what !== 'enough') this.waiting.set(askId, resolve);
    this.send({ kind: 'help', jobId, askId, request });
    return { askId, reply: promise };
  }
}

function contentsOf(reply: HelpReply, dir: string): Content[] {
  if (typeof reply !== 'object' || !('pages' in reply)) return [];
  return reply.pages.map((page) => {
    if ('bytes' in page) return { bytes: page.bytes };
    const path = join(dir, page.file);
    // A link that a subverted worker left in its place would lead elsewhere.
    if (!lstatSync(path).isFile()) throw new Error('a page made elsewhere is not a file');
    return { path };
  });
}
