// Runs a part of another worker's job: some pages of its document.
import { setImmediate } from 'node:timers/promises';
import { MIB } from '../contract/limits.ts';
import type { Log } from '../contract/log.ts';
import { reproducibly } from '../contract/reproducible.ts';
import { openEngines } from '../engines/load.ts';
import type { Job, PageRange, PageResult, PartOutcome } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import { operationCode } from './operation-code.ts';
import { stepFileFromJob } from './step-files.ts';

/** What has been made in memory goes back in one message. */
const MOST_BYTES = 8 * MIB;

/** Nothing that a page becomes has an identifier: they are made where the pages come together. */
const noIdentifiers = (): never => {
  throw new Error('a part of a job has no identifiers');
};

/** Ends early, with what there is, as soon as `isEnough`. Any failure is left to whoever asked: it does the pages anew. */
export const executePart: typeof executePages = (job, ...rest) =>
  reproducibly(job.reproducible, noIdentifiers, () => executePages(job, ...rest));

async function executePages(
  job: Job & { part: PageRange },
  directory: JobDirectory,
  log: Log,
  isEnough: () => boolean,
): Promise<PartOutcome> {
  const [step] = job.steps;
  const [file] = job.files;
  const op = step && (await operationCode(step.op));
  if (!step || !file || !op?.pages) throw new Error('nothing that has parts');
  const newFile = (extension: string) => directory.newFile(extension);
  const session = await openEngines([...op.uses, ...(op.mayUse ?? [])], {
    passwords: step.passwords,
    newFile,
    log,
    egress: undefined,
  });
  try {
    const inputs = { fileInput: stepFileFromJob(file, directory).file };
    using work = await op.pages(inputs, step.params, { engine: session.engines, newFile, log });
    const pages: PageResult[] = [];
    let { to } = job.part;
    let bytes = 0;
    for await (const content of work.pages(job.part.from, () => to)) {
      pages.push('bytes' in content ? content : { file: directory.nameOf(content.path) });
      bytes += 'bytes' in content ? content.bytes.length : 0;
      // The word that it is enough is heard in between.
      await setImmediate();
      if (isEnough() || bytes > MOST_BYTES) to = 0;
    }
    return { state: 'pages', pages };
  } finally {
    session.close();
  }
}
