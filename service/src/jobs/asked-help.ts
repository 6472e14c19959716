// Other workers' help with the pages of a long document, as a worker asks for it: by way of the API process, which
// knows who has nothing to do.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '../contract/files.ts';
import type { PageRange } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import type { HelpReply, HelpRequest } from './messages.ts';
import { Questions } from './questions.ts';

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

export class AskedHelp extends Questions<HelpReply> {
  with(jobId: string, file: number, directory: JobDirectory): Helpers {
    const message = (request: HelpRequest) => (askId: number) => ({
      kind: 'help' as const,
      jobId,
      askId,
      request,
    });
    return {
      idle: async () => {
        const reply = await this.ask(message({ what: 'idle' })).reply;
        return typeof reply === 'object' && 'idle' in reply ? reply.idle : 0;
      },
      ask: (range) => {
        // What is made for us is put there.
        directory.make();
        const { askId, reply } = this.ask(message({ what: 'pages', file, range }));
        return {
          pages: reply.then((heard) => contentsOf(heard, directory.path(`part-${askId}`))),
          enough: () => void this.tell(message({ what: 'enough', asked: askId })),
        };
      },
    };
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
